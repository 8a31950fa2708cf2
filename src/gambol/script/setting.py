"""What surrounds the figures of a script: ground, gravity, passing of time; and what gambol makes of these numbers."""

import math
from dataclasses import dataclass, field

from gambol.collide import Ground, HeightGrid, Plane
from gambol.contact import Attachment, Stick, Touch
from gambol.errors import GambolError, did_you_mean
from gambol.script.corpus import Corpus
from gambol.script.things import Thing
from gambol.world import Timing

METHODS = {"rkfixed": "rk4", "rkvar": "rkf", "rkf": "rkf", "euler": "euler"}
"""The integrators of the thesis; those of gambol's own table go by their names there."""

TOLERANCE = 1e-4
"""gambol's tolerance for an eps of 1: the thesis' eps of 10 becomes 1e-3, which the energy ledger bears."""

NOWHERE = -1e3
"""Height of a ground that is switched off [m]: below anything that falls for a quarter of a minute."""


@dataclass(slots=True)
class GroundNumbers:
    """What `ground...` commands set; to begin with what the script of the thesis sets.

    Forces are per kilogram of the figure that touches, unless scale is "none". The last four soften what the thesis
    switches: docs/decisions/004.
    """

    k: float = 0.0
    b: float = 0.0
    krf: float = 0.0
    ea: float = 17.5
    eB: float = 3000.0
    e: float = 0.5
    fric: float = 0.7
    emaxz: float = 0.01
    fric2: float = 0.0
    fric2k: float = 27600.0
    fric2e: float | None = None
    stickeA: float = 17.5
    stickeB: float = 3000.0
    stickemaxz: float = 0.0004
    sticke: float = 0.5
    stickb: float = 0.92
    bristleb: float = 0.69
    skid: float = 0.46
    switch: float = 1.0
    scale: str = "mass"

    def touch(self, mass: float) -> Touch:
        """The touch of a figure of this mass [kg]."""
        scale = mass if self.scale == "mass" else 1.0
        return Touch(
            stiffness=scale * self.k,
            alpha=scale * self.ea,
            beta=self.eB,
            damping=scale * (self.b + self.krf),
            deepest=self.emaxz,
            restitution=self.e,
            restitution_speed=self.switch,
            friction=self.fric2 or self.fric,
            bristle_stiffness=scale * self.fric2k,
            bristle_damping=scale * self._bristle_damping(mass),
            skid_damping=scale * self.skid,
        )

    def _bristle_damping(self, mass: float) -> float:
        """The damper beside a bristle; from the restitution of the second friction model, where that was given.

        Half a swing of a mass m on a spring k with a damper b = 2 z sqrt(k m) leaves e = exp(-pi z / sqrt(1 - z z)) of
        its speed.
        """
        if self.fric2e is None:
            return self.bristleb
        loss = -math.log(self.fric2e) if self.fric2e > 0.0 else math.inf
        ratio = 1.0 if loss == math.inf else loss / math.hypot(math.pi, loss)
        return 2.0 * ratio * math.sqrt(self.fric2k if self.scale == "mass" else self.fric2k * mass)

    def stick(self, mass: float) -> Stick:
        """The hold of sticky feet of a figure of this mass [kg]."""
        scale = mass if self.scale == "mass" else 1.0
        return Stick(scale * self.stickeA, self.stickeB, scale * self.stickb, self.sticke, self.switch, self.stickemaxz)


@dataclass(slots=True)
class Setting:
    """A world as a script describes it.

    frame: how many have passed; dt: time of one [s], looped over iter times; h: the integrator's step [s]; eps: its
    tolerance. gravity: its strength [m/s2]; heavy: whether it acts. solid: whether the ground does; z: height of level
    ground [m]; grid: uneven ground.
    """

    name: str
    corpora: dict[str, Corpus] = field(default_factory=dict[str, Corpus])
    frame: int = 0
    dt: float = 1.0 / 2400.0
    h: float = 1.0 / 30000.0
    eps: float = 10.0
    iter: int = 1
    integration: str = "rkf"
    gravity: float = 9.81
    heavy: bool = True
    solid: bool = True
    groundtype: str = "flat"
    z: float = 0.0
    ground: GroundNumbers = field(default_factory=GroundNumbers)
    grid: HeightGrid | None = None
    attachments: list[Attachment] = field(default_factory=list[Attachment])
    collisions: dict[str, float] = field(default_factory=dict[str, float])

    @property
    def time(self) -> float:
        """Time of this world [s]."""
        return self.frame * self.dt

    def frame_at(self, time: float) -> int:
        """The number of the frame that begins nearest a time [s]."""
        return round(time / self.dt)

    def timing(self) -> Timing:
        """Frames, steps and the integrator."""
        method = METHODS.get(self.integration, self.integration)
        return Timing(frame=self.dt, step=self.h, method=method, tolerance=TOLERANCE * self.eps)

    def surface(self) -> Ground:
        """The ground; far below where it is switched off."""
        if not self.solid:
            return Plane(NOWHERE)
        if self.groundtype == "flat":
            return Plane(self.z)
        if self.grid is None:
            raise GambolError('groundtype is "trigrid", but there is no grid; make one by addtrigrid')
        return self.grid

    def corpus(self, name: str) -> Corpus:
        """The corpus of this name; GambolError with the nearest name when there is none."""
        if name not in self.corpora:
            raise GambolError(f'world "{self.name}" has no corpus "{name}"; {did_you_mean(name, self.corpora)}')
        return self.corpora[name]

    def simulated(self) -> Corpus:
        """The one corpus on the integration list that is ready."""
        ready = [corpus for corpus in self.corpora.values() if corpus.ready and corpus.integrated]
        if len(ready) == 1:
            return ready[0]
        if ready:
            names = ", ".join(f'"{corpus.name}"' for corpus in ready)
            raise GambolError(f"gambol simulates one corpus at a time, not {names}; put the others off by integrate")
        waiting = [corpus.name for corpus in self.corpora.values() if not corpus.ready]
        cure = f'give corpusinit for "{waiting[0]}"' if waiting else "make one by addcorpus"
        raise GambolError(f'world "{self.name}" has no corpus to simulate; {cure}')


def grid_of(thing: Thing, heights: "HeightGrid") -> HeightGrid:
    """The ground that a grid of heights 1 m apart is where its object has been put.

    Raises GambolError for an object that was turned or scaled unevenly in x and y.
    """
    L, shift = thing.transform.linear, thing.transform.shift
    off = max(abs(L[row][column]) for row in range(3) for column in range(3) if row != column)
    if off > 0.0 or L[0][0] != L[1][1] or not L[0][0] > 0.0:
        raise GambolError(f'the grid "{thing.name}" may be moved, and scaled alike in x and y, but not turned')
    return HeightGrid(L[2][2] * heights.heights + shift[2], L[0][0], shift[0], shift[1])
