"""A body of gymnasium with servos at its motors: its world in gambol, and its initial states.

The motors in its file give torques up to their gear. A servo with that strength follows targets in the joint's range;
MuJoCo's motors get the torques of the same servo. All else is from the file: masses, rotors, springs, dampers, limits,
shapes, friction and gravity.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
from numpy.typing import NDArray

from gambol.actuation import Servo
from gambol.control import Drive
from gambol.control.gene import Gene
from gambol.control.patterns import PatternShape, Spectral, Wave
from gambol.creatures.models import world_of_model
from gambol.figure import Figure, resolve_springs
from gambol.formats import Model, read_mjcf
from gambol.world import Timing, World, depth_of

Array = NDArray[np.float64]

FILES = Path(gymnasium.__file__).parent / "envs" / "mujoco" / "assets"
CONTROL_STEP = 0.02  # control step [s]: twice MuJoCo's step in these files
START_HEIGHT = 0.005  # distance between the lowest point and the ground at the start [m]
HARMONICS = 2
MIN_FREQUENCY = 0.5  # Hz


@dataclass(frozen=True)
class Body:
    """A body of a file, with the options of its evolution.

    friction: of the ground and the shapes, from the file; stiffness [1/rad], damping [s/rad]: of the servos, per torque
    of the motor; height: index of the vertical coordinate, or None; feet: links that carry it; bump: height of the
    ground's bumps [m], about the depth to which it sinks into MuJoCo's soft ground; max_frequency: of the pattern [Hz];
    delayed: joints that repeat another joint's motion half a cycle later: its name, and True for the opposite sign;
    push_scale: factor of the pushes in its rollouts; step: time step of gambol [s].
    """

    name: str
    friction: float
    stiffness: float
    damping: float
    height: int | None
    feet: tuple[str, ...]
    bump: float
    max_frequency: float
    delayed: Mapping[str, tuple[str, bool]] = field(default_factory=dict[str, tuple[str, bool]])
    push_scale: float = 1.0
    step: float = CONTROL_STEP / 4.0

    @property
    def path(self) -> Path:
        """The path of the file in the gymnasium package."""
        return FILES / f"{self.name}.xml"

    @cached_property
    def model(self) -> Model:
        """The model in the file, without the friction of its parts, which is that of the world."""
        found = read_mjcf(self.path)
        return replace(found, figure=_without_friction(found.figure))

    @cached_property
    def gears(self) -> dict[str, float]:
        """The largest torque of each motor, by the link of its joint [N m]."""
        return {motor.joint: motor.gear[0] * motor.gain * motor.upper for motor in self.model.motors}

    @cached_property
    def actuators(self) -> dict[str, Servo]:
        """A servo for each motor, in the order of the file."""
        springs = resolve_springs(self.model.figure, self.model.springs)
        return {
            joint: Servo(
                springs[joint][0].lower, springs[joint][0].upper, self.stiffness * most, self.damping * most, most
            )
            for joint, most in self.gears.items()
        }

    @property
    def shape(self) -> PatternShape:
        """The shape of the evolved pattern: open loop, one signal for each motor without a delayed source."""
        return PatternShape(
            len(self.gears) - len(self.delayed), size=HARMONICS, slowest=MIN_FREQUENCY, fastest=self.max_frequency
        )

    @property
    def genes(self) -> tuple[Gene, ...]:
        """The evolved genes."""
        return Spectral.genes_of(self.shape)

    def pattern(self, values: Iterable[Any]) -> Spectral:
        """Return the pattern of all motors from values of the genes, which may be arrays."""
        evolve = Spectral.read(self.shape, iter(values))
        own = dict(zip((joint for joint in self.gears if joint not in self.delayed), evolve.waves, strict=True))
        waves = (own[joint] if joint in own else _delayed(own, *self.delayed[joint]) for joint in self.gears)
        return Spectral(replace(self.shape, actuators=len(self.gears)), evolve.frequency, tuple(waves))

    def world(self, pattern: Spectral) -> World:
        """Return its world with a pattern that drives the servos."""
        made = world_of_model(self.model, timing=Timing(CONTROL_STEP, self.step), contact="stepping")
        touch = replace(made.surface.parameters, friction=self.friction)
        return replace(
            made,
            surface=replace(made.surface, parameters=touch, feet=self.feet),
            controller=Drive(pattern, self.actuators, self.feet),
        )

    @cached_property
    def q(self) -> Array:
        """Initial coordinates (nq): joints at 0 or at the nearest limit, just above the ground."""
        q = np.array(self.model.q)
        for joint, actuator in self.actuators.items():
            place = self.model.figure.link(joint).q
            q[place] = np.clip(q[place], actuator.lower, actuator.upper)
        if self.height is not None:
            q[self.height] += depth_of(self.world(self.zero_pattern), q.tolist()) + START_HEIGHT
        return q

    def random_start(self, spread: float, rng: np.random.Generator) -> Array:
        """Return initial coordinates with random joint angles (spread [rad]), within limits, and a little higher."""
        q = self.q.copy()
        for joint, actuator in self.actuators.items():
            place = self.model.figure.link(joint).q
            q[place] = np.clip(q[place] + spread * rng.standard_normal(), actuator.lower, actuator.upper)
        if self.height is not None:
            q[self.height] += spread * rng.random()
        return q

    @property
    def zero_pattern(self) -> Spectral:
        """A pattern that keeps all targets at the middle of their ranges."""
        return self.pattern([max(gene.lower, 0.0) for gene in self.genes])


def _delayed(waves: Mapping[str, Wave], source: str, against: bool) -> Wave:
    """Return a wave half a cycle later than a source; against: with the opposite sign."""
    wave, turn = waves[source], 0.5 if against else 0.0
    phases = tuple((phase + 0.5 * k + turn) % 1.0 for k, phase in enumerate(wave.phases, start=1))
    return Wave(-wave.offset if against else wave.offset, wave.amplitudes, phases)


def _without_friction(figure: Figure) -> Figure:
    """Return a figure whose parts have no friction coefficients."""
    links = (replace(l, parts=tuple(replace(part, friction=None) for part in l.parts)) for l in figure.given_links)
    return replace(figure, given_links=tuple(links))


LEGS = ("body4", "body7", "body10", "body13")
MIRRORED = {
    "aux_1": ("aux_4", True),
    "body4": ("body13", False),
    "aux_2": ("aux_3", True),
    "body7": ("body10", False),
}
"""The ant's left legs: mirror images of the right legs in the plane y = 0, so that the ant runs straight."""

BODIES: Mapping[str, Body] = {
    "half_cheetah": Body("half_cheetah", 0.4, 2.0, 0.0, 1, ("bfoot", "ffoot"), 0.02, 3.0),
    "ant": Body("ant", 1.0, 2.0, 0.1, 6, LEGS, 0.01, 1.2, MIRRORED),
    "swimmer": Body("swimmer", 0.0, 2.0, 0.1, None, (), 0.0, 2.0, push_scale=0.1),
}
"""Bodies by the name of their file."""
