"""The map from the end of a cycle to its start: travel along x, and the mirror image in the plane y = 0.

The mirror image of a revolute joint with axis a at angle q has the axis M a and the angle -q, M = diag(1, -1, 1); the
image of a prismatic joint has the axis M a and the same travel; an orientation (w, x, y, z) becomes (w, -x, y, -z).
Links of both sides are exchanged. [figure/mirror.py]
"""

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gambol.dynamics import kinematics
from gambol.errors import PlanError
from gambol.figure import JOINTS, Figure, Joint, PlacedLink
from gambol.lanes import Scalar
from gambol.plan.motion.spec.phases import Cycle
from gambol.plan.motion.spec.plan import Plan
from gambol.plan.motion.transcription.points import place_point

M = np.array([1.0, -1.0, 1.0])
SYMMETRY_TOLERANCE = 1e-6
"""Largest error of a mirror image, divided by the figure's length: numbers in files are rounded to six digits."""


@dataclass(frozen=True)
class StateMap:
    """A map of states: coordinate k of the result is sign times coordinate `source` of the argument.

    q_source, q_sign (nq), v_source, v_sign (nv); links: the name of each link's partner.
    """

    cycle: Cycle | None
    q_source: tuple[int, ...]
    q_sign: tuple[float, ...]
    v_source: tuple[int, ...]
    v_sign: tuple[float, ...]
    links: Mapping[str, str]

    def key(self) -> Hashable:
        """Return all that the maps of coordinates depend on."""
        return self.q_source, self.q_sign, self.v_source, self.v_sign

    def positions(self, q: Sequence[Scalar]) -> list[Scalar]:
        """Return mapped coordinates (nq), without the travel."""
        return [_signed(q[k], sign) for k, sign in zip(self.q_source, self.q_sign, strict=True)]

    def velocities(self, v: Sequence[Scalar]) -> list[Scalar]:
        """Return mapped velocities (nv)."""
        return [_signed(v[k], sign) for k, sign in zip(self.v_source, self.v_sign, strict=True)]

    def point_name(self, plan: Plan, name: str) -> str:
        """Return the name of the point of contact that is the mirror image of another.

        Without mirroring it is the same name.
        """
        if self.cycle is None or not self.cycle.mirrored:
            return name
        point = place_point(plan.figure, plan.points, name)
        target = plan.figure.link(self.links[plan.figure.links[point.link - 1].name]).index
        for other in {name: None for phase in plan.phases for name in phase.contacts}:
            placed = place_point(plan.figure, plan.points, other)
            if placed.link == target and np.allclose([*placed.position], M * [*point.position], atol=1e-9):
                return other
        return ""

    def position_bounds(self, plan: Plan) -> tuple[list[float], list[float]]:
        """Return the bounds of q after - q before for the rows of a cycle: 0, and the travel back along x."""
        lower, upper = list[float](), list[float]()
        travel = self.cycle.travel if self.cycle else 0.0
        low, high = travel if isinstance(travel, tuple) else (travel, travel)
        row = travel_coordinate(plan.figure) if low or high else None
        for link in plan.figure.links:
            quaternion = JOINTS[link.joint.kind].has_quaternion
            for k in range(plan.figure.nq)[link.q]:
                if quaternion and k == link.q.start:
                    continue  # three rows stand for the four numbers of a quaternion
                lower.append(-high if k == row else 0.0)
                upper.append(-low if k == row else 0.0)
        return lower, upper


def _signed(x: Scalar, sign: float) -> Scalar:
    return x if sign > 0.0 else -x


def travel_coordinate(figure: Figure) -> int:
    """Return the index in q of the coordinate that moves the figure along x. Raises PlanError if there is none."""
    root = figure.root
    if root.joint.kind == "free":
        return root.q.start + 4
    if root.joint.kind == "planar" and root.joint.across == (1.0, 0.0, 0.0):
        return root.q.start + 1
    for link in figure.path_to_root(figure.links[-1].index):
        if link.joint.kind == "prismatic" and link.joint.axis == (1.0, 0.0, 0.0):
            return link.q.start
    raise PlanError(
        f'figure "{figure.name}" cannot travel: its root has a {root.joint.kind} joint; give it a free joint, a '
        "prismatic joint along x, or a planar joint with across = (1, 0, 0)"
    )


@lru_cache
def state_map(figure: Figure, cycle: Cycle | None) -> StateMap:
    """Return the map from the end of a cycle to its start; the identity for None and for a cycle without a mirror.

    Raises PlanError for joints without a mirror image, and for pairs that are not mirror images of each other.
    """
    partner = {link.name: link.name for link in figure.links}
    if cycle is None or not cycle.mirrored:
        nq, nv = range(figure.nq), range(figure.nv)
        return StateMap(cycle, tuple(nq), (1.0,) * figure.nq, tuple(nv), (1.0,) * figure.nv, partner)
    for left, right in cycle.pairs:
        partner |= {figure.link(left).name: figure.link(right).name, right: left}
    q_source, v_source, q_sign, v_sign = list[int](), list[int](), list[float](), list[float]()
    for link in figure.links:
        other = figure.link(partner[link.name])
        signs = _signs(link, other)
        q_source += range(figure.nq)[other.q]
        v_source += range(figure.nv)[other.v]
        q_sign += signs[0]
        v_sign += signs[1]
    mirrored = StateMap(cycle, tuple(q_source), tuple(q_sign), tuple(v_source), tuple(v_sign), partner)
    _check_symmetry(figure, mirrored)
    return mirrored


def _signs(link: PlacedLink, other: PlacedLink) -> tuple[list[float], list[float]]:
    """Return the signs of a link's coordinates and velocities as the mirror image of its partner's."""
    kind = link.joint.kind
    if kind != other.joint.kind or kind not in SIGNS:
        raise PlanError(
            f'"{link.name}" and "{other.name}" have {kind} and {other.joint.kind} joints; the mirror image of a half '
            f"stride takes pairs of one kind out of {', '.join(SIGNS)}"
        )
    return SIGNS[kind](link.joint, other.joint)


def _axis_sign(joint: Joint, other: Joint) -> float:
    return float(np.sign(np.dot(M * joint.axis, other.axis))) or 1.0


def _planar_signs(joint: Joint, other: Joint) -> tuple[list[float], list[float]]:
    if joint.axis[1] ** 2 < 1.0 - 1e-9:
        raise PlanError("a half stride takes a planar base that moves in the plane y = 0")
    return [1.0, 1.0, 1.0], [1.0, 1.0, 1.0]


SIGNS: dict[str, Callable[[Joint, Joint], tuple[list[float], list[float]]]] = {
    "fixed": lambda joint, other: ([], []),
    "revolute": lambda joint, other: ([-_axis_sign(joint, other)], [-_axis_sign(joint, other)]),
    "prismatic": lambda joint, other: ([_axis_sign(joint, other)], [_axis_sign(joint, other)]),
    "planar": _planar_signs,
    "spherical": lambda joint, other: ([1.0, -1.0, 1.0, -1.0], [-1.0, 1.0, -1.0]),
    "free": lambda joint, other: ([1.0, -1.0, 1.0, -1.0, *M], [-1.0, 1.0, -1.0, *M]),
}
"""Signs of coordinates and velocities in the mirror image of a joint, by its kind."""


def _check_symmetry(figure: Figure, mapped: StateMap) -> None:
    """Raise PlanError unless mapped coordinates place every link at the mirror image of its partner's position."""
    random = np.random.default_rng(0)
    q = [x for link in figure.links for x in JOINTS[link.joint.kind].rest]
    moved = [
        x + (0.3 * random.normal() if JOINTS[link.joint.kind].nq == 1 else 0.0)
        for link in figure.links
        for x in q[link.q]
    ]
    states = [kinematics(figure, list(p), [0.0] * figure.nv) for p in (moved, mapped.positions(moved))]
    for link in figure.links:
        other = figure.link(mapped.links[link.name])
        position, partner_position = (
            [float(x) for x in states[k].poses[i].position] for k, i in ((1, link.index), (0, other.index))
        )
        if np.abs(np.array(position) - M * partner_position).max() > SYMMETRY_TOLERANCE * max(
            1.0, float(np.abs(position).max())
        ):
            raise PlanError(
                f'"{link.name}" is not the mirror image of "{other.name}" in the plane y = 0: name both in the '
                "pairs of the cycle, or make the cycle a whole stride"
            )
