"""OBJ files of visual meshes, which are written beside a model file: one for each mesh of one material. [Wavefront]

A mesh with a texture has a .mtl file, which names the image; colour and opacity of others are in the model file.
"""

from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from gambol.figure import Material, Submesh, Texture
from gambol.figure.color import rgb_values
from gambol.formats.visuals.images import image_pixels, png_texture, transparency_of
from gambol.formats.writing import atomic_write

MATERIAL = "surface"  # the name of the material in each .mtl file


@dataclass
class ObjFiles:
    """The mesh files of a model file.

    stem: the beginning of their names. png: True for a format that reads no JPEG. contents: the bytes of each file so
    far, by name. meshes: the meshes so far, with the name of the file of each. images: name of the file of each
    texture.
    """

    stem: str
    png: bool = False
    contents: dict[str, bytes] = field(default_factory=dict[str, bytes])
    meshes: list[tuple[Submesh, Material, str]] = field(default_factory=list[tuple[Submesh, Material, str]])
    images: dict[Texture, str] = field(default_factory=dict[Texture, str])

    def mesh(self, mesh: Submesh, material: Material) -> str:
        """Return the file name of a mesh; equal meshes share a file. material: its material, see Visual.surfaces()."""
        for known, its_material, name in self.meshes:
            if known is mesh and (material.texture is None or its_material == material):
                return name
        name = f"{self.stem}-visual-{len(self.meshes) + 1}.obj"
        self.meshes.append((mesh, material, name))
        library = f"{name.removesuffix('.obj')}.mtl" if material.texture else ""
        if material.texture:
            self.contents[library] = self._material_text(material, material.texture).encode()
        self.contents[name] = obj_text(mesh, library).encode()
        return name

    def image(self, texture: Texture) -> str:
        """Return the file name of a texture."""
        if texture not in self.images:
            is_jpeg = texture.suffix != ".png"
            stored = png_texture(texture.name, image_pixels(texture)) if self.png and is_jpeg else texture
            self.images[texture] = f"{self.stem}-texture-{len(self.images) + 1}{stored.suffix}"
            self.contents[self.images[texture]] = stored.data
        return self.images[texture]

    def write(self, folder: Path) -> None:
        """Write all files into a folder."""
        for name, content in self.contents.items():
            with atomic_write(folder / name) as temporary:
                temporary.write_bytes(content)

    def _material_text(self, material: Material, texture: Texture) -> str:
        rgb = " ".join(f"{value:.6g}" for value in rgb_values(material.color or "#ffffff"))
        image = self.image(texture)
        rows = [f"newmtl {MATERIAL}", f"Kd {rgb}", f"d {material.opacity:g}", f"map_Kd {image}"]
        rows += [] if transparency_of(texture) == "opaque" else [f"map_d {image}"]
        return "\n".join(rows) + "\n"


def obj_text(mesh: Submesh, library: str = "") -> str:
    """Return a mesh as the text of an OBJ file; its coordinates read back to the same float32.

    library: name of its .mtl file; empty without a texture.
    """
    uv = mesh.uv if library else mesh.uv[:0]
    rows = [f"mtllib {library}", f"usemtl {MATERIAL}"] if library else []
    for keyword, numbers in (("v", mesh.points), ("vt", uv), ("vn", mesh.normals)):
        rows += [f"{keyword} {' '.join(f'{x:.9g}' for x in row)}" for row in numbers.tolist()]
    corner = "{0}/{0}/{0}" if library else "{0}//{0}"
    rows += ["f " + " ".join(map(corner.format, row)) for row in (mesh.triangles.astype(np.int64) + 1).tolist()]
    return "\n".join(rows) + "\n"
