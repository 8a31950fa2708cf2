"""Sensors of the limits of joints, which files give as ranges."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from gambol.collide import Ground
from gambol.errors import WorldError, did_you_mean
from gambol.figure import Figure
from gambol.lanes import Scalar, minimum, where
from gambol.sensing.joints import JointVelocity
from gambol.sensing.sensor import DYNAMICS, SensorInput

LIMIT_PARTS = ("distance", "velocity")
"""The parts of the motion at a limit."""

LIMIT_PARTS_WITH_FORCE = (*LIMIT_PARTS, "force")
"""The readings at a limit of a joint or a path."""


def check_parts(name: str, parts: Sequence[str], known: Sequence[str]) -> None:
    """Raise WorldError for parts that a sensor does not have. name: name of the sensor; known: the parts it has."""
    for part in parts:
        if part not in known:
            raise WorldError(f'the sensor "{name}" reads "{part}"; {did_you_mean(part, known)}')


def limit_motion(x: Scalar, rate: Scalar, lower: Scalar, upper: Scalar) -> dict[str, Scalar]:
    """Return the distance to the nearer limit and its rate, by LIMIT_PARTS; 0 within the limits.

    x, rate: a coordinate or length, and its rate.
    """
    below, above = x - lower, upper - x
    is_lower, distance = below < above, minimum(below, above)
    closed = distance < 0.0
    return {
        "distance": where(closed, distance, 0.0),
        "velocity": where(closed, where(is_lower, rate, -rate), 0.0),
    }


@dataclass(frozen=True)
class JointLimit(JointVelocity):
    """The limit of the joint of a link: distance from the nearer limit, its rate, and the force of a rigid limit.

    Distance [rad or m] and rate [rad/s or m/s] are 0 within the limits; beyond a limit the distance is negative. The
    force is 0 or more [N m or N] (MuJoCo: jointlimitpos, jointlimitvel, jointlimitfrc). The joint has one degree of
    freedom. parts: "distance", "velocity", "force", in any order.
    """

    kind: ClassVar[str] = "joint_limit"
    needs: ClassVar[tuple[str, ...]] = (DYNAMICS,)
    parts: tuple[str, ...] = LIMIT_PARTS_WITH_FORCE

    @property
    def readings(self) -> tuple[str, ...]:
        """The parts."""
        return self.parts

    def check(self, name: str, figure: Figure, ground: Ground) -> None:
        """Raise FigureError for an unknown link; WorldError for a joint with another number of freedoms, and for parts
        that are unknown.
        """
        JointVelocity.check(self, name, figure, ground)
        self._check_width(name, 1)
        check_parts(name, self.parts, LIMIT_PARTS_WITH_FORCE)

    def read(self, numbers: Mapping[str, Any], at: SensorInput) -> list[Scalar]:
        """Return the parts."""
        link = at.figure.link(self.link)
        (q,), (v,) = at.state.q[link.q], at.state.v[link.v]
        values = limit_motion(q, v, *at.dynamics.joint_bounds(self.link))
        if "force" in self.parts:
            values["force"] = abs(at.dynamics.limit_forces[link.v][0])
        return [values[part] for part in self.parts]
