"""A pattern that follows a plan: feed-forward torques with time-varying linear feedback of the whole state.

    u(t) = u_ref(t) - K(t) x        x = (q_ref(t) -> q on the tangent, v - v_ref(t))

Times, states, torques and gains are constants of the program. Signals are torques divided by the largest torque of
their actuator, which is a servo so weak that its target alone sets its torque.
"""

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from gambol.actuation import Servo
from gambol.control import Senses
from gambol.dynamics.tangent import configuration_difference
from gambol.figure import Figure
from gambol.lanes import Scalar, clamp, floor, gather

Array = NDArray[np.float64]

WEAKNESS = 1e-6
"""Stiffness of a torque servo divided by its largest torque [1/rad or 1/m]. A turn of a radian in a step changes the
torque by this fraction, and in float64 the target still sets it to 1e-10 of the largest torque."""


def torque_servo(largest: float) -> Servo:
    """Return an actuator whose torque is its signal times `largest` [N m or N]."""
    return Servo(-1.0 / WEAKNESS, 1.0 / WEAKNESS, WEAKNESS * largest)


@dataclass(frozen=True, eq=False)
class Reference:
    """The reference of a controller, at N control steps of dt [s] each.

    q (N, nq), v (N, nv): the planned state at the start of each control step. torques (N, actuators): torques during
    the control step. gains (M, actuators, 2 nv): matrices K, each for `hold` control steps. cyclic: True if the first
    step follows after the last one, with coordinates that increase by shift (nq) in each cycle; else the last step is
    repeated.
    """

    figure: Figure
    dt: float
    q: Array
    v: Array
    torques: Array
    gains: Array
    hold: int
    cyclic: bool
    shift: Array

    def digest(self) -> str:
        """Return a hash of all numbers."""
        arrays = (self.q, self.v, self.torques, self.gains, self.shift)
        return hashlib.sha256(b"".join(np.ascontiguousarray(a).tobytes() for a in arrays)).hexdigest()


@dataclass(frozen=True, eq=False)
class TrackingPattern:
    """The signals of a controller that follows a reference.

    reference: the followed trajectory. coordinates: index in q of each actuator's joint. largest: torque of each
    actuator at the signal 1; limits: its lowest and highest torque [N m or N].
    """

    kind: ClassVar[str] = "tracking"
    reference: Reference
    coordinates: tuple[int, ...]
    largest: tuple[float, ...]
    limits: tuple[tuple[float, float], ...]
    required_senses: tuple[str, ...] = ("q", "v")

    def numbers(self) -> dict[str, Any]:
        """Return no numbers: the reference is compiled into the program."""
        return {}

    def memory(self) -> Any:
        """Return an empty memory."""
        return ()

    def signals(
        self, numbers: Mapping[str, Any], memory: Any, senses: Senses, time: Scalar, dt: Scalar
    ) -> tuple[list[Scalar], Any]:
        """Return the torques divided by the largest for the control step that begins with these senses, and the memory.

        A servo's pull towards its middle, WEAKNESS times the coordinate, is compensated.
        """
        torques = self.torques(senses)
        pairs = zip(torques, self.largest, self.coordinates, strict=True)
        return [tau / largest + WEAKNESS * senses.q[i] for tau, largest, i in pairs], memory

    def torques(self, senses: Senses) -> list[Scalar]:
        """Return the torque of each actuator [N m or N], for the control step that begins with the senses."""
        reference, figure = self.reference, self.reference.figure
        count = len(reference.q)
        step = floor(senses.time / reference.dt + 0.5)
        cycle = floor(step / count) if reference.cyclic else 0.0
        k = clamp(step - cycle * count, 0.0, count - 1.0)
        row = floor(k / reference.hold)
        q_ref = [
            gather(column, k) + cycle * shift if shift else gather(column, k)
            for column, shift in zip(reference.q.T, reference.shift, strict=True)
        ]
        v_ref = [gather(column, k) for column in reference.v.T]
        position_error = configuration_difference(figure, q_ref, list(senses.q))
        x = [*position_error, *(a - b for a, b in zip(senses.v, v_ref, strict=True))]
        result: list[Scalar] = []
        for i, column in enumerate(reference.torques.T):
            torque = gather(column, k)
            for j, y in enumerate(x):
                gains = reference.gains[:, i, j]
                torque = torque - gather(gains, row) * y if gains.any() else torque
            result.append(clamp(torque, *self.limits[i]))
        return result

    def structure(self) -> tuple[Any, ...]:
        """Return all data that are compiled into the program."""
        reference = self.reference
        return (
            self.kind, reference.digest(), reference.dt, reference.hold, reference.cyclic, self.coordinates,
            self.largest, self.limits,
        )  # fmt: skip
