"""What a world asks of whoever moves its figure: to decide once a frame, and to tell where targets are in between.

Targets are the rest angles of springs, or those of actuators; the one or the other moves at a constant rate through a
frame, for a rate that changed inside would cost an integrator its order.
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
    """What may be felt when a frame begins; what nobody wants is empty or 0.

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
    """What decides where the joints of a figure shall go.

    joints: names of the links whose joints it drives. wants: names of the Senses that it reads, besides time. feet: the
    links whose contacts and loads it feels. actuators: those that pull at its joints; at the others it moves the rest
    angles of springs. gait: how legs step, if they do.
    Its memory is a nest of scalars of its own, which changes at frames, and with time as it says itself.
    """

    @property
    def joints(self) -> tuple[str, ...]:
        """Names of the links whose joints it drives."""
        ...

    @property
    def wants(self) -> tuple[str, ...]:
        """What it feels: names of Senses."""
        ...

    @property
    def feet(self) -> tuple[str, ...]:
        """Names of the links whose touch it may feel."""
        ...

    @property
    def actuators(self) -> Mapping[str, Actuator]:
        """Its actuators, by joint."""
        ...

    @property
    def gait(self) -> GaitController | None:
        """The gait that its memory is of; None where no leg steps."""
        ...

    def numbers(self) -> dict[str, Any]:
        """A nest of what may differ between worlds of one program; the actuators' numbers are its "actuators"."""
        ...

    def memory(self) -> Any:
        """What there is to remember before the first frame: a nest of scalars."""
        ...

    def decide(self, numbers: Mapping[str, Any], memory: Any, senses: Senses, dt: Scalar) -> Any:
        """The memory while a frame of dt [s] lasts that begins now."""
        ...

    def rest_angle(self, memory: Any, joint: str, elapsed: Scalar) -> tuple[Scalar, Scalar]:
        """The target of a joint [rad or m] and its rate, some time into a frame [s]."""
        ...

    def advanced(self, memory: Any, dt: Scalar) -> Any:
        """The memory at the end of a frame of dt [s]."""
        ...

    def structure(self) -> tuple[Any, ...]:
        """What of it is compiled in: plain data that compares equal where programs are the same."""
        ...
