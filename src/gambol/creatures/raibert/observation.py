"""Observations of a machine for Raibert's control."""

from collections.abc import Sequence
from dataclasses import dataclass

from gambol.control import Senses
from gambol.creatures.raibert.leg import Leg
from gambol.dynamics import kinematics
from gambol.dynamics.bodies import centre_of_mass, momentum
from gambol.figure import Figure
from gambol.lanes import Scalar, atan2, cos, sin
from gambol.spatial import Vector

Pair = tuple[Scalar, Scalar]


@dataclass(frozen=True, slots=True)
class LegState:
    """The state of a leg.

    angles, rates: abduction (0 in a plane) and flexion of its hip, and their rates [rad, rad/s]; slide, slide_rate:
    position of its rod, 0 at full length, and the rate of it [m, m/s]; touching: 1 if its foot touches the ground, else
    0; foot: height of the foot [m].
    """

    angles: Pair
    rates: Pair
    slide: Scalar
    slide_rate: Scalar
    touching: Scalar
    foot: Scalar


@dataclass(frozen=True, slots=True)
class Observation:
    """The observations of the control.

    centre: centre of mass [m]; ahead, aside, rise: its velocity along the heading, to the left of it, and upward [m/s].
    up, forward, left: the level frame of the heading, in the trunk's axes. pitch (nose down), roll (to the right) and
    yaw (to the left of the heading) of the trunk [rad]; spin: angular velocity of the trunk, in its axes [rad/s]. legs:
    states of the legs, in order.
    """

    centre: Vector
    ahead: Scalar
    aside: Scalar
    rise: Scalar
    up: Vector
    forward: Vector
    left: Vector
    pitch: Scalar
    roll: Scalar
    yaw: Scalar
    spin: Vector
    legs: Sequence[LegState]


def observe(figure: Figure, legs: Sequence[Leg], heading: Scalar, senses: Senses) -> Observation:
    """Return the observations of the control.

    legs: legs of the figure, in the order of the senses' contacts. heading [rad].
    """
    state = kinematics(figure, senses.q, senses.v)
    root, x, y = figure.roots[0].index, cos(heading), sin(heading)
    to_trunk = state.poses[root].rotation.transpose
    up, forward, left = (to_trunk @ Vector(*axis) for axis in ((0.0, 0.0, 1.0), (x, y, 0.0), (-y, x, 0.0)))
    velocity = momentum(state).f * (1.0 / figure.mass)
    leg_states: list[LegState] = []
    for leg, touching in zip(legs, senses.contacts, strict=True):
        *hip, slide = [figure.link(name) for name in leg.joints]
        missing: list[Scalar] = [] if leg.spatial else [0.0]
        abduction, flexion = missing + [senses.q[joint.q.start] for joint in hip]
        abducting, flexing = missing + [senses.v[joint.v.start] for joint in hip]
        leg_states.append(
            LegState(
                (abduction, flexion),
                (abducting, flexing),
                senses.q[slide.q.start],
                senses.v[slide.v.start],
                touching,
                state.poses[slide.index].position.z,
            )
        )
    return Observation(
        centre_of_mass(state),
        velocity.x * x + velocity.y * y,
        velocity.y * x - velocity.x * y,
        velocity.z,
        up,
        forward,
        left,
        atan2(-up.x, up.z),
        atan2(up.y, up.z),
        atan2(-forward.y, forward.x),
        state.velocities[root].w,
        leg_states,
    )
