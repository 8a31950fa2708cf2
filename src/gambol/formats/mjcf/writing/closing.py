"""Loop constraints as MJCF has them: points and welds between sites, lengths of tendons, and couplings of joints."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from gambol.errors import GambolError
from gambol.figure import JOINTS, Closure, Coupling, Figure, Matrix3, Triple
from gambol.figure.joint import transform
from gambol.figure.rotation import triple
from gambol.formats.losses import Losses
from gambol.formats.markup import Element, numbers_text
from gambol.formats.mjcf.writing.pieces import place_text, quaternion_text
from gambol.spatial import Rotation, Transform, Vector

APART = 0.1  # m, between the two points that make a hinge: held exactly, any length does
POINTS: dict[str, tuple[str, tuple[Triple, ...]]] = {
    "point": ("connect", ((0.0, 0.0, 0.0),)),
    "hinge": ("connect", ((0.0, 0.0, 0.0), (0.0, 0.0, APART))),
    "weld": ("weld", ((0.0, 0.0, 0.0),)),
}
"""What MuJoCo has for a kind of closure, and at which points of its frames."""

End = tuple[str | None, Triple, Matrix3]


@dataclass
class Ties:
    """The constraints as elements, by the section that they belong to; elements: of bodies, by the numbers of links."""

    figure: Figure
    elements: Mapping[int, Element]
    equality: list[Element] = field(default_factory=list[Element])
    tendon: list[Element] = field(default_factory=list[Element])

    def add(self, losses: Losses) -> None:
        """All constraints of the figure, and those of its screws; sites for them go into the bodies' elements."""
        screws = (
            Coupling(f"{link.name} slide", link.name, (0.0, link.joint.pitch))
            for link in self.figure.links
            if link.joint.kind == "helical"
        )
        for number, constraint in enumerate((*self.figure.constraints, *screws), start=1):
            if isinstance(constraint, Coupling):
                self.equality.append(_coupling(constraint))
            elif constraint.kind == "distance":
                self._length(constraint, f"tie {number}")
            elif constraint.kind in POINTS:
                self._points(constraint, f"tie {number}")
            else:
                losses.lose("closures", f'the {constraint.kind} closure of "{constraint.link}"')

    def _points(self, closure: Closure, name: str) -> None:
        tag, points = POINTS[closure.kind]
        for k, point in enumerate(points):
            sites = self._sites(closure, point, name if k == 0 else f"{name} {k + 1}")
            self.equality.append(Element(tag, {"site1": sites[0], "site2": sites[1]}))

    def _length(self, closure: Closure, name: str) -> None:
        """A tendon between two sites, whose length is held by how much it differs from that at rest."""
        sites = self._sites(closure, (0.0, 0.0, 0.0), name)
        way = [Element("site", {"site": site}) for site in sites]
        self.tendon.append(Element("spatial", {"name": name}, way))
        here, there = (self._at_rest(link) @ Vector(*position) for link, position, _ in _ends(closure))
        longer = closure.length - math.dist(tuple(here), tuple(there))
        self.equality.append(
            Element("tendon", {"tendon1": name, "polycoef": numbers_text((longer, 0.0, 0.0, 0.0, 0.0))})
        )

    def _sites(self, closure: Closure, point: Triple, name: str) -> list[str]:
        """Sites at a point of both frames, put into their bodies; their names."""
        made: list[str] = []
        for letter, (link, position, rotation) in zip("ab", _ends(closure), strict=True):
            made.append(name + letter)
            place = Transform(Rotation(rotation), Vector(*position)) @ Vector(*point)
            given = {"name": made[-1], "pos": place_text(triple(list(place))), "quat": quaternion_text(rotation)}
            self.elements[self.figure.link(link).index if link else 0].children.append(Element("site", given))
        return made

    def _at_rest(self, name: str | None) -> Transform:
        """Where a link is when all joints rest."""
        pose = Transform(Rotation(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))), Vector(0.0, 0.0, 0.0))
        for link in self.figure.carriers(self.figure.link(name).index if name else 0):
            pose = transform(link.joint, JOINTS[link.joint.kind].rest) @ pose
        return pose


def _ends(closure: Closure) -> tuple[End, End]:
    """The two frames of a closure, each with its link."""
    here = (closure.link, closure.position, closure.rotation)
    return here, (closure.other, closure.other_position, closure.other_rotation)


def _coupling(constraint: Coupling) -> Element:
    """A coupling of joints, whose references are all 0."""
    if len(constraint.coefficients) > 5:
        raise GambolError(f'the coupling of "{constraint.joint}" is of degree 5 or more; MuJoCo goes to 4')
    polynomial = [*constraint.coefficients, 0.0, 0.0, 0.0, 0.0][:5]
    given = {"joint1": constraint.joint, "joint2": constraint.other or "", "polycoef": numbers_text(polynomial)}
    return Element("joint", given)
