"""The interface of controllers: decisions once in each control step, and targets in between.

Targets are the rest angles of springs, or those of actuators. Within a control step a target moves at a constant rate:
a rate that changed inside would reduce the order of an integrator.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

from gambol.lanes import Scalar

if TYPE_CHECKING:
    from gambol.control.actuator import Actuator
    from gambol.control.gait import GaitController


@dataclass(frozen=True, slots=True)
class Senses:
    """Observations at the beginning of a control step; those not requested are empty or 0.

    time [s]. angles, speeds: of the joints that the controller drives, in its order [rad and rad/s, or m and m/s].
    contacts: 1 for each of its feet that the ground pushes, else 0; loads: that push, normal to the ground, over the
    figure's weight. up: the world's z in the root's axes; velocity: of the root's origin, in the root's axes [m/s];
    height: of that origin above the ground [m]. upper: angle of each leg's first joint [rad]; support: torque of its
    second joint's springs [N m].
    """

    time: Scalar
    angles: Sequence[Scalar] = ()
    speeds: Sequence[Scalar] = ()
    contacts: Sequence[Scalar] = ()
    loads: Sequence[Scalar] = ()
    up: Sequence[Scalar] = ()
    velocity: Sequence[Scalar] = ()
    height: Scalar = 0.0
    upper: Sequence[Scalar] = ()
    support: Sequence[Scalar] = ()


class Controller(Protocol):
    """A controller: it decides on the targets of a figure's joints.

    Its memory is a pytree of scalars, which changes at control steps, and in between as `advanced` says.
    """

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the links whose joints it drives."""
        ...

    @property
    def wants(self) -> tuple[str, ...]:
        """Names of the Senses that it reads, besides time."""
        ...

    @property
    def feet(self) -> tuple[str, ...]:
        """Names of the links whose contacts and loads it may read."""
        ...

    @property
    def actuators(self) -> Mapping[str, Actuator]:
        """Its actuators, by joint; at other joints it moves the rest angles of springs."""
        ...

    @property
    def gait(self) -> GaitController | None:
        """The gait whose state is its memory; None if no leg steps."""
        ...

    def numbers(self) -> dict[str, Any]:
        """Return a pytree of the numbers that may differ between worlds of one program; its "actuators" are theirs."""
        ...

    def memory(self) -> Any:
        """Return the memory before the first control step: a pytree of scalars."""
        ...

    def decide(self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar) -> Any:
        """Return the memory during the control step of dt [s] that begins now. numbers: as from numbers()."""
        ...

    def rest_angle(self, memory: Any, joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """Return the target of a joint [rad or m] and its rate, at a time `elapsed` into a control step [s]."""
        ...

    def advanced(self, memory: Any, dt: Scalar) -> Any:
        """Return the memory at the end of a control step of dt [s]."""
        ...

    def structure(self) -> tuple[Any, ...]:
        """Return plain data that is equal for controllers that share a compiled program."""
        ...
