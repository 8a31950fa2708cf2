"""Tendons of a file, as data: lines over points, spheres and cylinders, or weighted sums of joint coordinates."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Literal, TypeAlias

from gambol.errors import FigureError
from gambol.figure import IDENTITY, Figure, Matrix3, Triple

SINGLE_DOF = 1


@dataclass(frozen=True, slots=True)
class TendonSite:
    """A point through which a tendon passes.

    link: name of the link, None: the world. position: position in the link frame [m].
    """

    link: str | None
    position: Triple


@dataclass(frozen=True, slots=True)
class TendonWrap:
    """A sphere or cylinder around which a tendon runs between two points, if the straight line would intersect it.

    kind: "sphere", or "cylinder" without ends about the z axis. link: name of the link, None: the world. position [m],
    rotation: pose in the link frame. radius [m]. side: a point on the side on which the tendon passes; with a point
    inside, the tendon runs inside, as through a ring.
    """

    kind: Literal["sphere", "cylinder"]
    link: str | None
    position: Triple
    rotation: Matrix3 = IDENTITY
    radius: float = 0.0
    side: TendonSite | None = None


@dataclass(frozen=True, slots=True)
class TendonPulley:
    """A pulley at which a tendon divides into branches.

    divisor: number by which the length of the next branch is divided.
    """

    divisor: float


TendonElement: TypeAlias = TendonSite | TendonWrap | TendonPulley


@dataclass(frozen=True, slots=True)
class Tendon:
    """A tendon: a length that depends on the posture, and the passive forces along it.

    path: path of a spatial tendon, in order. joints: joints of a fixed tendon: names of links whose joints have one
    degree of freedom, with coefficients; the length is the sum of coefficients times coordinates. A tendon has either a
    path or joints. stiffness [N/m], damping [N s/m]: stiffness and damping of a spring without force from `shortest` to
    `longest` [m]; for a fixed tendon the unit may be rad. lower, upper: limits of the length; infinite for none.
    limit_stiffness [N/m], limit_damping [N s/m]: stiffness and damping of the stops at the limits.
    """

    name: str
    path: tuple[TendonElement, ...] = ()
    joints: tuple[tuple[str, float], ...] = ()
    stiffness: float = 0.0
    damping: float = 0.0
    shortest: float = 0.0
    longest: float = 0.0
    lower: float = -math.inf
    upper: float = math.inf
    limit_stiffness: float = 0.0
    limit_damping: float = 0.0

    @property
    def has_force(self) -> bool:
        """True if it has a spring, a damper or a limit."""
        return bool(self.stiffness or self.damping) or math.isfinite(self.lower) or math.isfinite(self.upper)

    def renamed(self, name: str, links: Mapping[str, str]) -> "Tendon":
        """Return the tendon with another name, of links with other names. links: the new names by the old ones."""

        def renamed_site(site: TendonSite) -> TendonSite:
            return replace(site, link=site.link and links[site.link])

        path: list[TendonElement] = []
        for element in self.path:
            if isinstance(element, TendonWrap):
                side = element.side and renamed_site(element.side)
                path.append(replace(element, link=element.link and links[element.link], side=side))
            else:
                path.append(renamed_site(element) if isinstance(element, TendonSite) else element)
        return replace(self, name=name, path=tuple(path), joints=tuple((links[j], c) for j, c in self.joints))

    def links(self) -> tuple[str, ...]:
        """Return the links that its path or its joints name, each once."""
        named: list[str | None] = [name for name, _ in self.joints]
        for element in self.path:
            named += [] if isinstance(element, TendonPulley) else [element.link]
            named += [element.side.link] if isinstance(element, TendonWrap) and element.side else []
        return tuple(dict.fromkeys(name for name in named if name is not None))


def check_tendons(tendons: Sequence[Tendon], figure: Figure) -> None:
    """Raise FigureError for duplicate names, unknown links and impossible tendons."""
    names: set[str] = set()
    for tendon in tendons:
        label = f'the tendon "{tendon.name}"'
        if tendon.name in names:
            raise FigureError(f"{label} is defined twice; give one of them another name")
        names.add(tendon.name)
        for name in tendon.links():
            figure.link(name)
        if bool(tendon.path) == bool(tendon.joints):
            raise FigureError(f"{label} needs either a path or joints")
        _check_path(tendon, label)
        for name, coefficient in tendon.joints:
            link = figure.link(name)
            if link.v.stop - link.v.start != SINGLE_DOF or not math.isfinite(coefficient):
                raise FigureError(
                    f'{label} needs joints with one degree of freedom, and finite coefficients; see "{name}"'
                )
        if not (0.0 <= tendon.stiffness < math.inf and 0.0 <= tendon.damping < math.inf):
            raise FigureError(f"{label} has a stiffness or damping that is negative or not finite")
        limited = math.isfinite(tendon.lower) or math.isfinite(tendon.upper)
        if limited and not (0.0 < tendon.limit_stiffness < math.inf and 0.0 <= tendon.limit_damping < math.inf):
            raise FigureError(f"{label} has limits without a finite limit_stiffness above 0")
        if not tendon.shortest <= tendon.longest or not tendon.lower < tendon.upper:
            raise FigureError(f"{label} has rest lengths or limits whose lower end lies above the upper end")


def _check_path(tendon: Tendon, label: str) -> None:
    """Raise FigureError for a path whose branches do not begin and end at points, or with impossible numbers."""
    if not tendon.path:
        return
    branches: list[list[TendonElement]] = [[]]
    for element in tendon.path:
        if isinstance(element, TendonPulley):
            if not 0.0 < element.divisor < math.inf:
                raise FigureError(f"{label} has a pulley with the divisor {element.divisor}; give more than 0")
            branches.append([])
        else:
            branches[-1].append(element)
            if isinstance(element, TendonWrap) and not 0.0 < element.radius < math.inf:
                raise FigureError(f"{label} runs over a {element.kind} with a radius of {element.radius} m")
    for branch in branches:
        if not branch and branches[0] is branch and len(branches) > 1:
            continue  # a path may begin with a pulley
        if len(branch) < 2 or isinstance(branch[0], TendonWrap) or isinstance(branch[-1], TendonWrap):
            raise FigureError(f"{label} has a branch that does not run from a point to another point")
        for a, b in pairwise(branch):
            if isinstance(a, TendonWrap) and isinstance(b, TendonWrap):
                raise FigureError(f"{label} runs over two round bodies without a point between them")
