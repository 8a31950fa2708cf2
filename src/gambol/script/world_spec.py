"""The worlds that a script describes: ground, gravity and timing, converted to gambol's parameters."""

import math
from dataclasses import dataclass, field

from gambol.collide import Ground, HeightGrid, Plane
from gambol.contact import CONTACT_METHODS, ContactParameters, StickyFoot
from gambol.contact.surface import Grip
from gambol.errors import GambolError, did_you_mean
from gambol.script.collisions import Collisions
from gambol.script.corpus import Corpus
from gambol.script.graphic_objects import GraphicObject
from gambol.script.script_attachment import ScriptAttachment
from gambol.world import Timing

METHOD_NAMES = {"rkfixed": "rk4", "rkvar": "rkf", "rkf": "rkf", "euler": "euler"}
"""gambol's names of the integrators of the thesis. Scripts may also use all names of gambol's integrators."""

TOLERANCE_PER_EPS = 1e-4
"""gambol's tolerance for an eps of 1. The eps of the thesis, 10, gives 1e-3, which limits the energy error."""

NO_GROUND_HEIGHT = -1e3
"""Height of a ground that is switched off [m]; a free fall reaches it after 14 s."""


@dataclass(slots=True)
class GroundParameters:
    """The parameters set by `ground...` commands; the defaults are those of the script of the thesis.

    Each field has the name of its command without `ground`; see docs/use/scripts.md for its meaning and unit. Forces
    are per kilogram of the figure in contact, unless scale is "none". grip: see SurfaceProperties. stickb, bristleb,
    skid and switch smooth the abrupt changes of the thesis: docs/decisions/004.
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
    grip: Grip = "feet"

    def contact_parameters(self, mass: float) -> ContactParameters:
        """Return the parameters of penalty contact. mass: mass of the figure [kg]."""
        scale = mass if self.scale == "mass" else 1.0
        return ContactParameters(
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
        """Return the damping of a bristle: bristleb, or the damping with the restitution fric2e if a script sets that.

        Half an oscillation of a mass m on a spring k with a damper b = 2 z sqrt(k m) leaves the fraction
        e = exp(-pi z / sqrt(1 - z z)) of its speed.
        """
        if self.fric2e is None:
            return self.bristleb
        loss = -math.log(self.fric2e) if self.fric2e > 0.0 else math.inf
        ratio = 1.0 if loss == math.inf else loss / math.hypot(math.pi, loss)
        return 2.0 * ratio * math.sqrt(self.fric2k if self.scale == "mass" else self.fric2k * mass)

    def sticky_foot(self, mass: float) -> StickyFoot:
        """Return the parameters of sticky feet. mass: mass of the figure [kg]."""
        scale = mass if self.scale == "mass" else 1.0
        return StickyFoot(
            scale * self.stickeA, self.stickeB, scale * self.stickb, self.sticke, self.switch, self.stickemaxz
        )


@dataclass(slots=True)
class WorldSpec:
    """A world that a script describes.

    corpora: the figures that the script builds, by name. frame: number of elapsed frames; a frame of a script is a
    control step, not a picture. dt: time per frame [s]; iter: frames per picture. h: step of the integrator [s]. eps:
    tolerance of the integrator; integration: name of the integrator. gravity: strength [m/s2]. gravity_on, ground_on:
    True if switched on. groundtype: "flat" or "trigrid", a grid of triangles. z: height of level ground [m]. ground:
    parameters of contact with the ground. grid: uneven ground, if made. collisions: collisions between bodies.
    attachments: springs between bodies.
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
    gravity_on: bool = True
    ground_on: bool = True
    groundtype: str = "flat"
    z: float = 0.0
    ground: GroundParameters = field(default_factory=GroundParameters)
    grid: HeightGrid | None = None
    collisions: Collisions = field(default_factory=Collisions)
    attachments: list[ScriptAttachment] = field(default_factory=list[ScriptAttachment])

    @property
    def time(self) -> float:
        """The time of this world [s]."""
        return self.frame * self.dt

    def frame_at(self, time: float) -> int:
        """Return the frame whose start is nearest to a time [s]."""
        return round(time / self.dt)

    def timing(self) -> Timing:
        """Return the timing: control step, step and integrator; contact methods with fixed steps do not use it."""
        method = METHOD_NAMES.get(self.integration, self.integration)
        if CONTACT_METHODS[self.collisions.method].scheme.fixed_step:
            method = "semi-implicit euler"
        return Timing(control_step=self.dt, step=self.h, method=method, tolerance=TOLERANCE_PER_EPS * self.eps)

    def build_ground(self) -> Ground:
        """Return the ground; a plane far below if it is switched off."""
        if not self.ground_on:
            return Plane(NO_GROUND_HEIGHT)
        if self.groundtype == "flat":
            return Plane(self.z)
        if self.grid is None:
            raise GambolError('groundtype is "trigrid", but there is no grid; make one by addtrigrid')
        return self.grid

    def corpus(self, name: str) -> Corpus:
        """Return the corpus with a name. Raises GambolError, with the nearest name, for an unknown name."""
        if name not in self.corpora:
            raise GambolError(f'world "{self.name}" has no corpus "{name}"; {did_you_mean(name, self.corpora)}')
        return self.corpora[name]

    def find_body(self, name: str, current: Corpus) -> tuple[Corpus, str]:
        """Return a body: its corpus, and its name in the corpus.

        name: "corpus/body", or "body": of the current corpus or, if it has no such body, of the only corpus that has
        it. Raises GambolError, with the nearest name, for an unknown name, and for a name that several other corpora
        have.
        """
        corpus_name, slash, body = name.partition("/")
        if slash and corpus_name in self.corpora:
            return self.corpora[corpus_name], self.corpora[corpus_name].body(body).name
        owners = [corpus for corpus in self.corpora.values() if name in corpus.bodies]
        if current in owners or len(owners) == 1:
            return (current if current in owners else owners[0]), name
        if owners:
            raise GambolError(f'several corpora have a body "{name}"; write "{owners[0].name}/{name}"')
        known = [body for corpus in self.corpora.values() for body in corpus.bodies]
        raise GambolError(f'no corpus of world "{self.name}" has a body "{name}"; {did_you_mean(name, known)}')

    def active_corpora(self) -> list[Corpus]:
        """Return the corpora to simulate: made by corpusinit and not switched off by integrate.

        Raises GambolError without one.
        """
        if active := [corpus for corpus in self.corpora.values() if corpus.is_made and corpus.is_integrated]:
            return active
        not_made = [corpus.name for corpus in self.corpora.values() if not corpus.is_made]
        hint = f'give corpusinit for "{not_made[0]}"' if not_made else "make one by addcorpus"
        raise GambolError(f'world "{self.name}" has no corpus to simulate; {hint}')


def transformed_grid(graphic: GraphicObject, heights: "HeightGrid") -> HeightGrid:
    """Return a height grid with the transform of its object applied.

    graphic: the object. heights: the grid, with a spacing of 1 m. Raises GambolError for an object that was rotated,
    or scaled differently in x and y.
    """
    L, shift = graphic.transform.linear, graphic.transform.shift
    largest_off_diagonal = max(abs(L[row][column]) for row in range(3) for column in range(3) if row != column)
    if largest_off_diagonal > 0.0 or L[0][0] != L[1][1] or not L[0][0] > 0.0:
        raise GambolError(f'the grid "{graphic.name}" may be moved, and scaled equally in x and y, but not rotated')
    return HeightGrid(L[2][2] * heights.heights + shift[2], L[0][0], shift[0], shift[1])
