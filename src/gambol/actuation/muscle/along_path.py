"""The forces of a muscle in a large step as one tension along its path.

    tau = r T(s)        T(s) = tension in the step if the path's length changes at the rate s until its end

The forces on free bodies are therefore opposite and on one line, and the momentum of the bodies is conserved at any
step length.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from gambol.actuation.actuator import ActuatorInput, Numbers
from gambol.actuation.along_arms import along_arms
from gambol.actuation.implicit_force import ImplicitForce
from gambol.actuation.muscle.curves.curve_set import CurveSet
from gambol.actuation.muscle.equilibrium import FibreTendon
from gambol.actuation.muscle.path import Path
from gambol.lanes import Scalar, jvp


@dataclass(frozen=True)
class KnownPath(Path):
    """A path whose length and rate are given as numbers. is_relative: see Path.relative."""

    is_relative: bool = False

    @property
    def relative(self) -> bool:
        """True if its length is counted from the length of its muscle, see Path.relative."""
        return self.is_relative

    def numbers(self) -> dict[str, Any]:
        """Return length [m] and rate [m/s]: 0 until they are set."""
        return {"length": 0.0, "rate": 0.0}

    def structure(self) -> tuple[Any, ...]:
        """Return True if its length is relative."""
        return ("known", self.is_relative)

    def check(self, name: str, links: Any) -> None:
        """Do nothing, because this path does not belong to a muscle in a world."""

    def motion(self, numbers: Numbers, at: ActuatorInput) -> tuple[Scalar, Scalar]:
        """Return its length [m], and its rate [m/s]."""
        return numbers["length"], numbers["rate"]


def along_path(muscle: Any, numbers: Numbers, at: ActuatorInput, h: Scalar) -> ImplicitForce:
    """Return the forces of a muscle in a large step of h [s], in which its moment arms are constant.

    numbers, at: as for Actuator.implicit_force(). With a compliant tendon T is the mean of both ends of the step, so
    that its work is the change of the tendon's energy, to second order.
    """
    path: Path = muscle.path
    length, rate = path.motion(numbers["path"], at)
    on_known_path = replace(muscle, path=KnownPath(path.relative))

    def numbers_at(end: float, rate: Scalar) -> Numbers:
        """Return the numbers at the start (-1) or the end (1) of the step."""
        return {**numbers, "path": {"length": length + 0.5 * end * h * rate, "rate": rate}}

    def at_end(rates: list[Scalar]) -> list[Scalar]:
        end_numbers = numbers_at(1.0, rates[0])
        state = on_known_path.advanced(end_numbers, at, h)
        return [on_known_path.tension(end_numbers, replace(at, state=state)), *state.values()]

    values, slopes = jvp(at_end, [rate], [1.0])
    tension, slope = values[0], slopes[0]
    if not muscle.rigid_tendon:
        tension, slope = 0.5 * (on_known_path.tension(numbers_at(-1.0, rate), at) + tension), 0.5 * slope

    def expected(v: Sequence[Scalar]) -> Numbers:
        change = path.motion(numbers["path"], replace(at, v=v))[1] - rate
        ends = zip(at.state.items(), values[1:], slopes[1:], strict=True)
        return {name: (z + dz * change - begin) / h for (name, begin), z, dz in ends}

    arms, shortening = (f(numbers["path"], at) for f in (path.arms, path.shortening))
    return replace(along_arms(at.links, arms, tension, slope, shortening), expected=expected)


def stored_in_step(muscle: Any, numbers: Numbers, at: ActuatorInput, v_end: Sequence[Scalar], h: Scalar) -> Scalar:
    """Return the energy that a muscle with a rigid tendon stores in a large step of h [s], to third order [J].

    numbers, at: as for Actuator.implicit_force(). v_end: velocities of its joints at the end.
    """
    (length, rate), (_, rate_end) = (muscle.path.motion(numbers["path"], x) for x in (at, replace(at, v=v_end)))
    on_known_path = replace(muscle, path=KnownPath(muscle.path.relative))
    before, after = (
        on_known_path.energy({**numbers, "path": {"length": length + change, "rate": 0.0}}, at)
        for change in (-0.5 * h * rate, 0.5 * h * rate_end)
    )
    return after - before


def mean_forces(curves: CurveSet, ends: Sequence[tuple[FibreTendon, Scalar]], speed: Scalar) -> tuple[Scalar, Scalar]:
    """Return the mean forces of tendon and contractile element in a large step, divided by F0.

    ends: the muscle at both ends of the step, where its forces balance, and the length of its fibre there. speed: rate
    of the fibre divided by the maximal speed.
    """
    tension: Scalar = 0.0
    contractile: Scalar = 0.0
    for muscle, fibre in ends:
        pull = muscle.tendon_force(fibre)
        tension = tension + 0.5 * pull
        elastic = curves.elastic(muscle.numbers["curves"], fibre)
        contractile = contractile + 0.5 * (pull / muscle.cosine(fibre) - elastic)
    return tension, contractile - ends[0][0].numbers["damping"] * speed


def gained_speed(path: Path, numbers: Numbers, at: ActuatorInput, v: Sequence[Scalar]) -> Scalar:
    """Return the power at the joints minus the power of the muscle, divided by the force of the muscle [m/s].

    It is 0 unless the path is geared, see Path.geared. numbers: numbers of the path. v: velocities of its joints.
    """
    arms, (_, rate) = path.arms(numbers, at), path.motion(numbers, replace(at, v=v))
    return sum((r * x for r, x in zip(arms, v, strict=True)), 0.0) + rate
