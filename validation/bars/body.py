"""A body that others race, with servos at its motors: its world here, and where it begins.

Its file has motors that give a torque up to their gear. A servo with that strength follows targets in the joint's
range; MuJoCo is given the same servo's torques, through the motors. The file says all else: masses, rotors, springs,
dampers, limits, shapes, friction and gravity.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gambol.control import Actuator, Drive
from gambol.control.gene import Gene
from gambol.control.patterns import Shape, Spectral, Wave
from gambol.creatures.specimens import world_of_specimen
from gambol.figure import Figure, resolve_springs
from gambol.formats import Specimen, read_mjcf
from gambol.world import Timing, World, depth_of

Array = NDArray[np.float64]

FILES = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
FRAME = 0.02  # s between the controller's decisions: twice MuJoCo's step in these files
ABOVE = 0.005  # m between the lowest point and the ground at the start
HARMONICS = 2
SLOWEST = 0.5  # Hz


@dataclass(frozen=True)
class Body:
    """A body of a file, and how it is bred.

    friction: of its ground and shapes, as the file has it. stiffness [1/rad], damping [s/rad]: of its servos, over the
    motors' torques. height: which coordinate lifts it, None where none does. feet: links that it stands on.
    bump: how high the ground's bumps are [m], about as deep as it sinks into MuJoCo's soft ground. fastest: of its
    rhythm [Hz]. twins: joints that do what another does half a cycle later, and whether against its sense. shoved: part
    of its lives' pushes that it gets. step: of gambol [s].
    """

    name: str
    friction: float
    stiffness: float
    damping: float
    height: int | None
    feet: tuple[str, ...]
    bump: float
    fastest: float
    twins: Mapping[str, tuple[str, bool]] = field(default_factory=dict[str, tuple[str, bool]])
    shoved: float = 1.0
    step: float = FRAME / 4.0

    @property
    def path(self) -> Path:
        """The file, in the gymnasium package."""
        return FILES / f"{self.name}.xml"

    @cached_property
    def specimen(self) -> Specimen:
        """What the file describes, its friction left to the world."""
        found = read_mjcf(self.path)
        return replace(found, figure=_left_to_the_world(found.figure))

    @cached_property
    def gears(self) -> dict[str, float]:
        """The largest torque of each motor, by the link whose joint it turns [N m]."""
        return {motor.joint: motor.gear[0] * motor.gain * motor.upper for motor in self.specimen.motors}

    @cached_property
    def actuators(self) -> dict[str, Actuator]:
        """A servo at each motor, in the file's order."""
        springs = resolve_springs(self.specimen.figure, self.specimen.springs)
        return {
            joint: Actuator(
                springs[joint][0].lower, springs[joint][0].upper, self.stiffness * most, self.damping * most, most
            )
            for joint, most in self.gears.items()
        }

    @property
    def shape(self) -> Shape:
        """Of the pattern that is bred: open loop, one signal for each motor that is no twin."""
        return Shape(len(self.gears) - len(self.twins), size=HARMONICS, slowest=SLOWEST, fastest=self.fastest)

    @property
    def genes(self) -> tuple[Gene, ...]:
        """What is bred."""
        return Spectral.genes_of(self.shape)

    def pattern(self, values: Iterable[Any]) -> Spectral:
        """The pattern of all motors from values of the genes, which may be arrays."""
        bred = Spectral.read(self.shape, iter(values))
        own = dict(zip((joint for joint in self.gears if joint not in self.twins), bred.waves, strict=True))
        waves = (own[joint] if joint in own else _twin(own, *self.twins[joint]) for joint in self.gears)
        return Spectral(replace(self.shape, actuators=len(self.gears)), bred.frequency, tuple(waves))

    def world(self, pattern: Spectral) -> World:
        """Its world with a pattern that drives the servos."""
        made = world_of_specimen(self.specimen, timing=Timing(FRAME, self.step), contact="stepping")
        touch = replace(made.touch, friction=self.friction)
        return replace(made, touch=touch, feet=self.feet, controller=Drive(pattern, self.actuators, self.feet))

    @cached_property
    def q(self) -> Array:
        """Coordinates (nq) at the start: joints at rest or as near as their limits let them, just above the ground."""
        q = np.array(self.specimen.q)
        for joint, actuator in self.actuators.items():
            place = self.specimen.figure.link(joint).q
            q[place] = np.clip(q[place], actuator.lower, actuator.upper)
        if self.height is not None:
            q[self.height] += depth_of(self.world(self.resting), q.tolist()) + ABOVE
        return q

    def disturbed(self, spread: float, rng: np.random.Generator) -> Array:
        """A start with joints that are off by a normal deviate [rad], within their limits, and a little higher."""
        q = self.q.copy()
        for joint, actuator in self.actuators.items():
            place = self.specimen.figure.link(joint).q
            q[place] = np.clip(q[place] + spread * rng.standard_normal(), actuator.lower, actuator.upper)
        if self.height is not None:
            q[self.height] += spread * rng.random()
        return q

    @property
    def resting(self) -> Spectral:
        """A pattern that keeps targets in their middles."""
        return self.pattern([max(gene.lower, 0.0) for gene in self.genes])


def _twin(waves: Mapping[str, Wave], source: str, against: bool) -> Wave:
    """A wave half a cycle later than a source; against: with the other sign."""
    wave, turn = waves[source], 0.5 if against else 0.0
    phases = tuple((phase + 0.5 * k + turn) % 1.0 for k, phase in enumerate(wave.phases, start=1))
    return Wave(-wave.offset if against else wave.offset, wave.amplitudes, phases)


def _left_to_the_world(figure: Figure) -> Figure:
    """A figure whose parts have no friction of their own."""
    given = (replace(l, parts=tuple(replace(part, friction=None) for part in l.parts)) for l in figure.given)
    return replace(figure, given=tuple(given))


LEGS = ("body4", "body7", "body10", "body13")
MIRRORED = {
    "aux_1": ("aux_4", True),
    "body4": ("body13", False),
    "aux_2": ("aux_3", True),
    "body7": ("body10", False),
}
"""The ant's left legs: mirror images of the right ones in the plane y = 0, so that the ant runs straight."""

BODIES: Mapping[str, Body] = {
    "half_cheetah": Body("half_cheetah", 0.4, 2.0, 0.0, 1, ("bfoot", "ffoot"), 0.02, 3.0),
    "ant": Body("ant", 1.0, 2.0, 0.1, 6, LEGS, 0.01, 1.2, MIRRORED),
    "swimmer": Body("swimmer", 0.0, 2.0, 0.1, None, (), 0.0, 2.0, shoved=0.1),
}
"""By name of their file."""
