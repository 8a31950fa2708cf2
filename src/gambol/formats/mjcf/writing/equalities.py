"""Loop constraints as MJCF equalities: connect and weld between sites, tendon lengths, and joint couplings."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from gambol.errors import GambolError
from gambol.figure import JOINTS, Closure, Coupling, Figure, Matrix3, Triple
from gambol.figure.joint import transform
from gambol.figure.rotation import triple
from gambol.formats.export_report import ExportReport
from gambol.formats.mjcf.writing.elements import position_text, quaternion_text
from gambol.formats.xml_file import Element, numbers_text
from gambol.spatial import Rotation, Transform, Vector

HINGE_POINT_DISTANCE = 0.1  # m between the two points that make a hinge: with exact constraints any distance works
EQUALITIES: dict[str, tuple[str, tuple[Triple, ...]]] = {
    "point": ("connect", ((0.0, 0.0, 0.0),)),
    "hinge": ("connect", ((0.0, 0.0, 0.0), (0.0, 0.0, HINGE_POINT_DISTANCE))),
    "weld": ("weld", ((0.0, 0.0, 0.0),)),
}
"""The MuJoCo equality for each kind of closure, and the points of its frames where it acts."""

End = tuple[str | None, Triple, Matrix3]  # of a closure: link (None: the world), position and rotation


@dataclass
class Equalities:
    """The constraints of a figure as elements of the sections equality and tendon.

    figure: the figure with the constraints. elements: body elements by link number, which receive sites. equality,
    tendon: the elements of these sections.
    """

    figure: Figure
    elements: Mapping[int, Element]
    equality: list[Element] = field(default_factory=list[Element])
    tendon: list[Element] = field(default_factory=list[Element])

    def add(self, report: ExportReport) -> None:
        """Add all constraints of the figure, and a coupling for each helical joint; add their sites to the bodies."""
        helical_couplings = (
            Coupling(f"{link.name} slide", link.name, (0.0, link.joint.pitch))
            for link in self.figure.links
            if link.joint.kind == "helical"
        )
        for number, constraint in enumerate((*self.figure.constraints, *helical_couplings), start=1):
            if isinstance(constraint, Coupling):
                self.equality.append(_coupling_element(constraint))
            elif constraint.kind == "distance":
                self._add_tendon(constraint, f"tie {number}")
            elif constraint.kind in EQUALITIES:
                self._add_points(constraint, f"tie {number}")
            else:
                report.omit("closures", f'the {constraint.kind} closure of "{constraint.link}"')

    def _add_points(self, closure: Closure, name: str) -> None:
        """Add an equality for each point at which a closure acts. name: name of the sites."""
        tag, points = EQUALITIES[closure.kind]
        for k, point in enumerate(points):
            sites = self._add_sites(closure, point, name if k == 0 else f"{name} {k + 1}")
            self.equality.append(Element(tag, {"site1": sites[0], "site2": sites[1]}))

    def _add_tendon(self, closure: Closure, name: str) -> None:
        """Add a tendon between two sites. Its equality constrains the difference from its length at rest."""
        sites = self._add_sites(closure, (0.0, 0.0, 0.0), name)
        path = [Element("site", {"site": site}) for site in sites]
        self.tendon.append(Element("spatial", {"name": name}, path))
        end_a, end_b = (self._rest_pose(link) @ Vector(*position) for link, position, _ in _closure_ends(closure))
        excess = closure.length - math.dist(tuple(end_a), tuple(end_b))
        self.equality.append(
            Element("tendon", {"tendon1": name, "polycoef": numbers_text((excess, 0.0, 0.0, 0.0, 0.0))})
        )

    def _add_sites(self, closure: Closure, point: Triple, name: str) -> list[str]:
        """Add sites at a point of both frames to their bodies; return their names."""
        names: list[str] = []
        for letter, (link, position, rotation) in zip("ab", _closure_ends(closure), strict=True):
            names.append(name + letter)
            site_position = Transform(Rotation(rotation), Vector(*position)) @ Vector(*point)
            attributes = {
                "name": names[-1],
                "pos": position_text(triple(list(site_position))),
                "quat": quaternion_text(rotation),
            }
            self.elements[self.figure.link(link).index if link else 0].children.append(Element("site", attributes))
        return names

    def _rest_pose(self, name: str | None) -> Transform:
        """Return the pose of a link in the world when all joints are at rest."""
        pose = Transform(Rotation(((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, 0.0, 1.0))), Vector(0.0, 0.0, 0.0))
        for link in self.figure.path_to_root(self.figure.link(name).index if name else 0):
            pose = transform(link.joint, JOINTS[link.joint.kind].rest) @ pose
        return pose


def _closure_ends(closure: Closure) -> tuple[End, End]:
    """Return the two frames of a closure, each with its link."""
    end = (closure.link, closure.position, closure.rotation)
    return end, (closure.other, closure.other_position, closure.other_rotation)


def _coupling_element(constraint: Coupling) -> Element:
    """Return the element of a coupling of joints. The reference positions of written joints are 0."""
    if len(constraint.coefficients) > 5:
        raise GambolError(f'the coupling of "{constraint.joint}" is of degree 5 or more; MuJoCo allows at most 4')
    polynomial = [*constraint.coefficients, 0.0, 0.0, 0.0, 0.0][:5]
    attributes = {"joint1": constraint.joint, "joint2": constraint.other or "", "polycoef": numbers_text(polynomial)}
    return Element("joint", attributes)
