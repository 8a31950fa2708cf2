"""Patterns with known signals, actuators that follow them, and figures that they move."""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar

from worlds import diagonal, touch

from gambol.actuation import Servo
from gambol.contact import SurfaceProperties
from gambol.control import Drive, Senses
from gambol.figure import Box, Figure, Joint, Link, MassProperties, Part, Sphere
from gambol.lanes import Scalar, sin
from gambol.world import Timing, World

FULL_TURN = 2.0 * math.pi


@dataclass(frozen=True)
class SinusoidPattern:
    """Sinusoids of one frequency [Hz], each with a phase of its own [rad]."""

    phases: tuple[float, ...]
    frequency: float = 1.0
    kind: ClassVar[str] = "sinusoids"
    required_senses: tuple[str, ...] = ()

    def numbers(self) -> dict[str, Any]:
        return {"frequency": self.frequency, "phases": list(self.phases)}

    def memory(self) -> list[Scalar]:
        return []

    def signals(self, numbers: Any, memory: Any, senses: Senses, time: Scalar, dt: Scalar) -> tuple[list[Scalar], Any]:
        return [sin(FULL_TURN * numbers["frequency"] * time + phase) for phase in numbers["phases"]], memory

    def structure(self) -> tuple[Any, ...]:
        return (len(self.phases),)


@dataclass(frozen=True)
class ConstantPattern:
    """Constant signals."""

    levels: tuple[float, ...]
    kind: ClassVar[str] = "constant"
    required_senses: tuple[str, ...] = ()

    def numbers(self) -> list[float]:
        return list(self.levels)

    def memory(self) -> list[Scalar]:
        return []

    def signals(self, numbers: Any, memory: Any, senses: Senses, time: Scalar, dt: Scalar) -> tuple[list[Scalar], Any]:
        return list(numbers), memory

    def structure(self) -> tuple[Any, ...]:
        return (len(self.levels),)


SIZES = {"up": 3, "velocity": 3, "height": 0}
"""Length of each sense of the whole body; 0 is a scalar."""


@dataclass(frozen=True)
class RecordingPattern:
    """Sinusoids; the memory holds the senses of the last control step."""

    sinusoid: SinusoidPattern
    required_senses: tuple[str, ...]
    joints: int
    feet: int
    kind: ClassVar[str] = "recorder"

    def numbers(self) -> dict[str, Any]:
        return self.sinusoid.numbers()

    def memory(self) -> dict[str, Any]:
        sizes = {"angles": self.joints, "speeds": self.joints, "contacts": self.feet, "loads": self.feet, **SIZES}
        return {name: [0.0] * sizes[name] if sizes[name] else 0.0 for name in self.required_senses} | {"time": 0.0}

    def signals(self, numbers: Any, memory: Any, senses: Senses, time: Scalar, dt: Scalar) -> tuple[list[Scalar], Any]:
        sensed = {name: getattr(senses, name) for name in self.required_senses} | {"time": senses.time}
        return self.sinusoid.signals(numbers, [], senses, time, dt)[0], sensed

    def structure(self) -> tuple[Any, ...]:
        return (self.sinusoid.structure(), self.required_senses)


def wheel(inertia: float = 0.02) -> Figure:
    """A wheel on a fixed upright axle: gravity does not turn it."""
    return Figure(
        "wheel", (Link("wheel", None, Joint("revolute", (0.0, 0.0, 1.0)), (), diagonal(1.0, 1.0, 1.0, inertia)),)
    )


def pendulum(mass: float = 1.0, length: float = 0.5) -> Figure:
    """A point on a rod that turns about y, hanging at angle 0."""
    bob = MassProperties(mass, (0.0, 0.0, -length))
    return Figure("pendulum", (Link("rod", None, Joint("revolute", (0.0, 1.0, 0.0)), (), bob),))


def hopper() -> Figure:
    """A trunk on two legs of two joints, each with a ball for a foot."""
    links = [Link("trunk", None, Joint("free"), (Part(Box((0.3, 0.3, 0.1)), density=400.0),))]
    limb = diagonal(0.2, 1e-3, 1e-3, 1e-3)
    foot = Part(Sphere(0.03), (0.0, 0.0, -0.2), inertial=False)
    for side, y in (("left", 0.2), ("right", -0.2)):
        thigh, shank = f"{side} thigh", f"{side} shank"
        links.append(Link(thigh, "trunk", Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, y, 0.0)), (), limb))
        knee = Joint("revolute", (0.0, 1.0, 0.0), position=(0.0, 0.0, -0.2))
        links.append(Link(shank, thigh, knee, (foot,), limb))
    return Figure("hopper", tuple(links))


JOINTS = ("left thigh", "left shank", "right thigh", "right shank")
FEET = ("left shank", "right shank")
SINUSOID = SinusoidPattern((0.0, 1.0, 2.0, 3.0), 1.5)
SERVO = Servo(-0.4, 0.4, stiffness=20.0, damping=1.0, strength=5.0, power=10.0)
RECORDER = RecordingPattern(
    SINUSOID, ("angles", "speeds", "contacts", "loads", "up", "velocity", "height"), len(JOINTS), len(FEET)
)


def hopper_world(
    contact: str, step: float, frame: float, pattern: Any = SINUSOID, feet: Any = (), **changes: Any
) -> World:
    """Return a world in which the hopper treads on ground of some contact method."""
    drive = Drive(pattern, dict.fromkeys(JOINTS, SERVO), FEET)
    method = "semi-implicit euler" if contact in ("stepping", "impulse") else "rk4"
    ground = touch(restitution=0.0 if contact != "penalty" else 1.0, damping=200.0, friction=0.8)
    timing = Timing(frame, step, method)
    return World(
        hopper(), controller=drive, surface=SurfaceProperties(ground, feet), contact=contact, timing=timing, **changes
    )


CROUCH = SinusoidPattern((0.0, math.pi), 1.0)
CROUCHED = {"trunk": 0.385, "left thigh": 0.5, "left shank": -1.0}
"""Coordinates of a figure on a rail: the trunk's height [m], and angles in the middle of their ranges."""


def rail_world(contact: str, step: float, pattern: Any = CROUCH) -> World:
    """Return a trunk that slides up and down on a rail, over a leg that crouches once a second on hard ice."""
    links = list(hopper().given_links[:3])
    links[0] = replace(links[0], joint=Joint("prismatic", (0.0, 0.0, 1.0)))
    servos = {"left thigh": Servo(0.3, 0.7, 60.0, 2.0, 20.0), "left shank": Servo(-1.4, -0.6, 60.0, 2.0, 20.0)}
    world = hopper_world(contact, step, 0.02)
    ice = replace(world.surface.parameters, friction=0.0, skid_damping=0.0, stiffness=1e5, damping=500.0)
    drive = Drive(pattern, servos, ("left shank",))
    return replace(
        world, figure=Figure("rail", tuple(links)), controller=drive, surface=replace(world.surface, parameters=ice)
    )


def joint_world(figure: Figure, actuator: Servo, level: float, **changes: Any) -> World:
    """Return a world of one joint with a constant target."""
    drive = Drive(ConstantPattern((level,)), {figure.root.name: actuator})
    world = World(figure, controller=drive, timing=Timing(0.01, 1e-3, "rk4"))
    return replace(world, **changes)
