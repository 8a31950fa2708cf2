"""The world of a crawler: its body, servos that follow its waves, and the ground or the water."""

import math
from collections.abc import Mapping
from dataclasses import dataclass

from gambol.actuation import Servo
from gambol.collide import Ground, NoGround, Plane
from gambol.contact import ContactMethod, ContactParameters, Medium, SurfaceProperties, contact_method
from gambol.control.feedback import FeedbackController
from gambol.creatures.crawlers.body import Body, chain_figure, joint_link, joint_name
from gambol.creatures.crawlers.steered_waves import SteeredWaves
from gambol.creatures.crawlers.waves import WaveLaw
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.world import External, InitialState, Push, Timing, World

STEP = 2.5e-3
"""Length of a step and of a control step [s]: a three-hundredth of the shortest period."""

GRAVITY = 9.81

WATER = Medium(1000.0, 1e-3)
"""The water in which a crawler swims: without gravity, since it floats."""


@dataclass(frozen=True, slots=True)
class Strength:
    """Servos of one kind of joint: stiffness and damping [N m/rad, N m s/rad or N/m, N s/m].

    strength: largest torque or force [N m or N].
    """

    stiffness: float
    damping: float
    strength: float = math.inf


@dataclass(frozen=True, slots=True)
class Surroundings:
    """The surroundings of a crawler.

    ground: the ground, None for level ground. contact: contact method or its name. push: push on the root. slope: slope
    of the ground, uphill positive [rad]. medium: a fluid, in which there is neither ground nor gravity, or None.
    """

    ground: Ground | None = None
    contact: ContactMethod | str = "stepping"
    push: Push | None = None
    slope: float = 0.0
    medium: Medium | None = None


def crawler_world(
    name: str,
    body: Body,
    law: WaveLaw | SteeredWaves,
    servos: Mapping[str, Strength],
    surroundings: Surroundings,
    step: float = STEP,
) -> World:
    """Return the world of a crawler, straight on the ground or in the water.

    name: name of the figure. servos: servos by kind of joint. step: step of `stepping` and of the controller [s].
    Raises WorldError for a contact method that has no anisotropic friction, and for impossible numbers.
    """
    figure, s = chain_figure(name, body), surroundings
    if not abs(s.slope) < 0.5 * math.pi:
        raise WorldError(f"a slope of {s.slope} rad is impossible; give less than a right angle")
    swims = s.medium is not None
    gravity = 0.0 if swims else (-GRAVITY * math.sin(s.slope), 0.0, -GRAVITY * math.cos(s.slope))
    method = contact_method(s.contact, max_contacts=body.contacts)
    compliant = method.scheme.compliant
    height = body.widest - (_depth(figure, body) if compliant and not swims else 0.0)
    timing = Timing(step, 0.02 * step, "rk4") if compliant else Timing(step, step, "semi-implicit euler")
    return World(
        figure,
        ground=NoGround() if swims else s.ground or Plane(),
        surface=SurfaceProperties(_contact_parameters(figure, body)),
        contact=method,
        controller=FeedbackController(law, _actuators(body, law, servos)),
        gravity=gravity,
        external=External(push=s.push or Push(), medium=s.medium),
        timing=timing,
        initial=InitialState(q=(*_place(law), height, *[0.0] * (figure.nq - 7))),
    )


def _place(law: WaveLaw | SteeredWaves) -> tuple[float, ...]:
    """Return the orientation of the root at the start, and its position along x and y: those of its course."""
    if not isinstance(law, SteeredWaves) or law.course.start == (0.0, 0.0, 0.0):
        return (1.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    x, y, heading = law.course.start
    return (math.cos(0.5 * heading), 0.0, 0.0, math.sin(0.5 * heading), x, y)


def check_gait(creature: str, gait: str, gaits: Mapping[str, object]) -> None:
    """Raise WorldError for a gait that a creature does not have."""
    if gait not in gaits:
        raise WorldError(f'a {creature} has no gait "{gait}"; {did_you_mean(gait, gaits)}')


def period_at(speed: float | None, period: float, stride: float) -> float:
    """Return the period at which a crawler has a speed.

    speed: requested speed [m/s]; None: the speed at the period of the gait. period: period of the gait [s]. stride:
    measured distance in a period [m]; while friction is larger than inertia, it does not depend on the period.
    """
    if speed is None:
        return period
    if not 0.0 < speed < math.inf:
        raise WorldError(f"a speed of {speed} m/s is impossible; give more than 0")
    return stride / speed


def _actuators(body: Body, law: WaveLaw | SteeredWaves, servos: Mapping[str, Strength]) -> dict[str, Servo]:
    """Return a servo for each joint, in the order of the law's commands."""
    result: dict[str, Servo] = {}
    waves, bend = (law.waves.waves, law.top_bend) if isinstance(law, SteeredWaves) else (law.waves, 0.0)
    for k, wave in enumerate(waves):
        s, reach = servos[wave.joints], wave.reach + (0.0 if k else bend)
        for k in range(body.segments - 1):
            joint = joint_link(body, wave.joints, k)
            servo = Servo(-reach, reach, s.stiffness, s.damping, s.strength, joints=(joint,))
            result[f"servo of {joint_name(wave.joints, k)}"] = servo
    return result


def _stiffness(figure: Figure, body: Body) -> float:
    """Return the stiffness of compliant ground [N/m], into which a segment sinks by a twentieth of its radius."""
    return figure.mass * GRAVITY / body.segments / (0.05 * body.widest)


def _depth(figure: Figure, body: Body) -> float:
    return figure.mass * GRAVITY / body.segments / _stiffness(figure, body)


def _contact_parameters(figure: Figure, body: Body) -> ContactParameters:
    """Return the contact parameters of the ground; contact methods other than "penalty" use only the restitution, 0.

    Damping is critical for a segment; friction is viscous under a speed of a hundredth of a body length per second.
    """
    stiffness, mass = _stiffness(figure, body), figure.mass / body.segments
    return ContactParameters(
        stiffness=stiffness,
        alpha=0.0,
        beta=1.0,
        damping=2.0 * math.sqrt(stiffness * mass),
        deepest=body.widest,
        restitution=0.0,
        restitution_speed=1.0,
        friction=body.scales.sideways,
        bristle_stiffness=stiffness,
        bristle_damping=0.0,
        skid_damping=body.scales.sideways * mass * GRAVITY / (0.01 * body.length),
    )
