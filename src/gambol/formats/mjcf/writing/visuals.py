"""Visuals as MJCF geoms that do not collide, in the group that MuJoCo's viewer shows, with their assets."""

from collections.abc import Iterator
from dataclasses import dataclass, field

from gambol.figure import Material, Part, PlacedLink, Submesh, Texture
from gambol.figure.color import rgb_values
from gambol.formats.export_report import ExportReport
from gambol.formats.finish import note_finish
from gambol.formats.mjcf.writing.elements import position_text, quaternion_text
from gambol.formats.mjcf.writing.shapes import geom_element
from gambol.formats.visuals import ObjFiles, transparency_of
from gambol.formats.xml_file import Element, numbers_text

SHOWN, HIDDEN = "2", "3"
"""The groups of visuals, and of the parts of links with visuals: MuJoCo's viewer shows 0, 1 and 2."""


@dataclass
class Assets:
    """The assets of an MJCF file: their elements by name, and the files that they name."""

    files: ObjFiles
    elements: dict[str, Element] = field(default_factory=dict[str, Element])

    def mesh(self, mesh: Submesh, material: Material) -> str:
        """Return the name of a mesh to draw, which may be flat or open: MuJoCo computes its inertia as a shell's."""
        name = self.files.mesh(mesh, material)
        self.elements[name] = Element("mesh", {"name": name, "file": name, "inertia": "shell"})
        return name

    def material(self, material: Material, texture: Texture) -> str:
        """Return the name of a material with a texture."""
        image = self.files.image(texture)
        channels = {} if transparency_of(texture) == "opaque" else {"nchannel": "4"}
        self.elements[image] = Element("texture", {"name": image, "type": "2d", "file": image, **channels})
        rgba = _rgba(material)
        name = f"{image} {rgba}"
        self.elements[name] = Element("material", {"name": name, "texture": image, "rgba": rgba})
        return name


def visual_geoms(link: PlacedLink, assets: Assets, report: ExportReport) -> Iterator[Element]:
    """Yield the geoms of the visuals of a link: one for each shape, and for each mesh of one material."""
    for number, visual in enumerate(link.visuals, start=1):
        for surface, material in visual.surfaces():
            note_finish(material, report)
            if isinstance(surface, Submesh):
                pose = {"pos": position_text(visual.position), "quat": quaternion_text(visual.rotation)}
                geom = Element("geom", {"type": "mesh", "mesh": assets.mesh(surface, material), **pose})
                geom.attributes |= {"contype": "0", "conaffinity": "0"}
            else:
                part = Part(surface, visual.position, visual.rotation, colliding=False)
                geom_and_mesh = geom_element(part, f"{link.name} visual {number}", report)
                if geom_and_mesh is None:
                    continue
                geom, mesh = geom_and_mesh
                assets.elements |= {mesh.attributes["name"]: mesh} if mesh is not None else {}
            geom.attributes["group"] = SHOWN
            if material.texture is not None:
                geom.attributes["material"] = assets.material(material, material.texture)
            elif material.color is not None or material.opacity < 1.0:
                geom.attributes["rgba"] = _rgba(material)
            yield geom


def _rgba(material: Material) -> str:
    """Return the colour and opacity of a material; without a colour, white below a texture, else MuJoCo's grey."""
    default = "#ffffff" if material.texture else "#808080"
    return numbers_text((*rgb_values(material.color or default), material.opacity))
