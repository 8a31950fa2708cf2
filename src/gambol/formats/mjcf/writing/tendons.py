"""Tendons as MJCF elements, with their sites and wrapping geoms on the bodies."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field

from gambol.figure import Figure
from gambol.formats.export_report import UNLIMITED, ExportReport
from gambol.formats.mjcf.writing.elements import position_text, quaternion_text
from gambol.formats.tendon import Tendon, TendonElement, TendonPulley, TendonSite, TendonWrap
from gambol.formats.xml_file import Element, numbers_text

WRAP_HALF_LENGTH = 2.0  # of a drawn wrapping cylinder, in radii: MuJoCo wraps around it without ends


@dataclass
class Tendons:
    """The tendons of a model as elements of the section tendon.

    figure: figure of the model. elements: body elements by link number, which receive sites and geoms. written: the
    tendon elements.
    """

    figure: Figure
    elements: Mapping[int, Element]
    written: list[Element] = field(default_factory=list[Element])

    def add(self, tendon: Tendon, report: ExportReport) -> None:
        """Add a tendon. report: receives tendons on links that are merged into others, and on limits."""
        merged = [name for name in tendon.links() if self.figure.link(name).index not in self.elements]
        if tendon.path and merged:
            report.omit("tendons", f'the tendon "{tendon.name}" at the massless link "{merged[0]}"')
            return
        attributes = {"name": tendon.name, "stiffness": _text(tendon.stiffness), "damping": _text(tendon.damping)}
        attributes["springlength"] = numbers_text((tendon.shortest, tendon.longest)) if tendon.stiffness else ""
        if math.isfinite(tendon.lower) or math.isfinite(tendon.upper):
            ends = (max(tendon.lower, -UNLIMITED), min(tendon.upper, UNLIMITED))
            attributes |= {"limited": "true", "range": numbers_text(ends)}
            report.note("The stiffness of the limits of tendons is not written.")
        if tendon.joints:
            children = [Element("joint", {"joint": j, "coef": numbers_text([c])}) for j, c in tendon.joints]
            self.written.append(Element("fixed", attributes, children))
            return
        children = [self._element(element, f"{tendon.name} {k}") for k, element in enumerate(tendon.path, start=1)]
        self.written.append(Element("spatial", attributes, children))

    def _element(self, element: TendonElement, name: str) -> Element:
        """Return an element of a path; add its site or geom to its body. name: name of the site or geom."""
        if isinstance(element, TendonPulley):
            return Element("pulley", {"divisor": numbers_text([element.divisor])})
        if isinstance(element, TendonSite):
            self._add_site(element, name)
            return Element("site", {"site": name})
        self._add_geom(element, name)
        side = {} if element.side is None else {"sidesite": f"{name} side"}
        if element.side is not None:
            self._add_site(element.side, side["sidesite"])
        return Element("geom", {"geom": name, **side})

    def _add_site(self, site: TendonSite, name: str) -> None:
        self._body(site.link).children.append(Element("site", {"name": name, "pos": position_text(site.position)}))

    def _add_geom(self, wrap: TendonWrap, name: str) -> None:
        """Add a geom without contact and mass."""
        r = wrap.radius
        size = (r,) if wrap.kind == "sphere" else (r, WRAP_HALF_LENGTH * r)
        attributes = {
            "name": name,
            "type": wrap.kind,
            "size": numbers_text(size),
            "pos": position_text(wrap.position),
            "quat": quaternion_text(wrap.rotation),
            "mass": "0",
            "contype": "0",
            "conaffinity": "0",
            "group": WRAP_GROUP,
        }
        self._body(wrap.link).children.append(Element("geom", attributes))

    def _body(self, link: str | None) -> Element:
        return self.elements[self.figure.link(link).index if link else 0]


WRAP_GROUP = "5"
"""The group of wrapping geoms, which viewers do not show."""


def _text(number: float) -> str:
    return numbers_text([number]) if number else ""
