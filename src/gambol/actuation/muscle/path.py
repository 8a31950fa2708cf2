"""Paths of muscles: length and moment arms. A path is a frozen dataclass of numbers and of structure.

tau_k = -F dL/dq_k                                                            [Delp and Loan 1995; virtual work]

F: force of the muscle [N]. L: length of its path [m].
"""

import math
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gambol.actuation.actuator import ActuatorInput, Numbers
from gambol.errors import WorldError
from gambol.figure import PlacedLink
from gambol.lanes import Scalar, cos, jacobian, sin


class Path(ABC):
    """The path of a muscle from its origin to its insertion."""

    @property
    def geared(self) -> bool:
        """True if its moment arms are not the derivatives of its length.

        The power at the joints then differs from the power of the muscle.
        """
        return False

    @property
    def relative(self) -> bool:
        """True if its length is measured from the length of its muscle at optimal fibre length with a slack tendon."""
        return False

    @abstractmethod
    def numbers(self) -> dict[str, Any]:
        """Return its numbers by name, which may differ between worlds."""

    @abstractmethod
    def structure(self) -> tuple[Any, ...]:
        """Return plain data that is compiled into a program."""

    @abstractmethod
    def check(self, name: str, links: Sequence[PlacedLink]) -> None:
        """Raise WorldError if it cannot run over these joints. name: name of the muscle; links: links of its joints."""

    @abstractmethod
    def motion(self, numbers: Numbers, at: ActuatorInput) -> tuple[Scalar, Scalar]:
        """Return its length [m] and its rate [m/s], which is linear in at.v."""

    def arms(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return -dL/dq: the force or torque at each velocity of its joints per force of the muscle [m, or 1]."""
        _, (row,) = jacobian(lambda v: [self.motion(numbers, replace(at, v=v))[1]], list(at.v))
        return [-x for x in row]

    def shortening(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return the rate at which the path shortens per velocity of each joint [m, or 1].

        These are its arms, unless it is geared.
        """
        return self.arms(numbers, at)


@dataclass(frozen=True, slots=True)
class Pulley:
    """The path of a muscle over a joint with one degree of freedom.

        tau = r cos(q - q_max) F        dL = -rho r (sin(q - q_max) - sin(q_ref - q_max))
        tau = r F                       dL = -rho r (q - q_ref)                           without q_max

    radius: r [m], 1 along a prismatic joint; if it is positive, the muscle pulls towards greater q. reference: q_ref,
    at which the joint adds no length [rad or m]. maximum: q_max, at which the arm is r [rad], or None for a constant
    arm. scale: rho, which replaces pennation in Geyer and Herr's model. If it is not 1, the power at the joint is 1 /
    rho times the power of the muscle. [Geyer and Herr 2010, appendix II]
    """

    radius: float
    reference: float = 0.0
    maximum: float | None = None
    scale: float = 1.0


@dataclass(frozen=True)
class PulleyPath(Path):
    """A path over pulleys on joints.

    pulleys: one for each joint of the muscle, in their order. length: length with every joint at its reference [m];
    None: the length of the muscle at optimal fibre length with a slack tendon.
    """

    pulleys: tuple[Pulley, ...]
    length: float | None = None

    def __post_init__(self) -> None:
        if not self.pulleys:
            raise WorldError("a path over pulleys needs one Pulley for each joint of the muscle, not none")

    @property
    def geared(self) -> bool:
        """True if the scale of a pulley is not 1."""
        return any(pulley.scale != 1.0 for pulley in self.pulleys)

    @property
    def relative(self) -> bool:
        """True if only changes of its length are known."""
        return self.length is None

    def numbers(self) -> dict[str, Any]:
        """Return the numbers of each pulley, and the length.

        Those of a pulley are its radius, the zero of its length, cosine and sine of its maximum, and its scale. The
        zero is the reference, or sin(reference - maximum). A path therefore computes sine and cosine of its joints
        only, as the poses of their links do.
        """
        return {"pulleys": [_pulley_numbers(p) for p in self.pulleys], "length": self.length or 0.0}

    def structure(self) -> tuple[Any, ...]:
        """Return its structure: pulleys with constant arms, scales that are not 1, and True for an absolute length."""
        constant = tuple(pulley.maximum is None for pulley in self.pulleys)
        return ("pulleys", constant, self.geared, self.length is None)

    def check(self, name: str, links: Sequence[PlacedLink]) -> None:
        """Raise WorldError if there is not one pulley for each joint, or a joint has several velocities."""
        if len(links) != len(self.pulleys):
            raise WorldError(
                f'the muscle "{name}" has {len(links)} joints and {len(self.pulleys)} pulleys; give one for each'
            )
        for link in links:
            if link.v.stop - link.v.start != 1:
                raise WorldError(
                    f'a pulley of the muscle "{name}" needs a joint with one degree of freedom at "{link.name}", '
                    f"not a {link.joint.kind} one; a path over points runs over any joint"
                )

    def motion(self, numbers: Numbers, at: ActuatorInput) -> tuple[Scalar, Scalar]:
        """Return its length [m] and its rate [m/s].

        A relative length is counted from the length at the reference angles.
        """
        length: Scalar = 0.0 if self.length is None else numbers["length"]
        rate: Scalar = 0.0
        for row, pulley, q, v in zip(numbers["pulleys"], self.pulleys, at.q, at.v, strict=True):
            r, zero, cos_max, sin_max, scale = row
            scaled_radius = scale * r if self.geared else r
            if pulley.maximum is None:
                length, rate = length - scaled_radius * (q - zero), rate - scaled_radius * v
            else:
                s, c = sin(q), cos(q)
                length = length - scaled_radius * (s * cos_max - c * sin_max - zero)
                rate = rate - scaled_radius * (c * cos_max + s * sin_max) * v
        return length, rate

    def arms(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return the arm at each joint [m], which does not contain the scale."""
        return [
            r if pulley.maximum is None else r * (cos(q) * cos_max + sin(q) * sin_max)
            for (r, _, cos_max, sin_max, _), pulley, q in zip(numbers["pulleys"], self.pulleys, at.q, strict=True)
        ]

    def shortening(self, numbers: Numbers, at: ActuatorInput) -> list[Scalar]:
        """Return the rate at which the path shortens per velocity of each joint [m]: scale times arm."""
        scales = [scale if self.geared else 1.0 for *_, scale in numbers["pulleys"]]
        return [rho * arm for rho, arm in zip(scales, self.arms(numbers, at), strict=True)]


def _pulley_numbers(pulley: Pulley) -> tuple[float, ...]:
    """Return radius, zero, cosine and sine of the maximum (1 and 0 for a constant arm), and scale of a pulley."""
    q_max = pulley.maximum
    zero = pulley.reference if q_max is None else math.sin(pulley.reference - q_max)
    return pulley.radius, zero, math.cos(q_max or 0.0), math.sin(q_max or 0.0), pulley.scale
