"""Visuals of links from a USD stage: meshes and shapes with materials and images."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure import Finish, Material, Part, Submesh, Texture, Visual, VisualMesh
from gambol.figure.rotation import matrix, triple
from gambol.formats.usd.shapes import PartMaker, color_of
from gambol.formats.usd.stage import Array, Prim, Stage, inverse
from gambol.formats.visuals import check_image, submesh_of, with_transparency

MAX_TRIANGLES = 3_000_000  # of all meshes that are drawn
WHITE, BLACK = "#ffffff", "#000000"


@dataclass
class VisualMaker:
    """Makes visuals of shapes. notes: receives sentences. textures: images so far, by their index among the arrays."""

    stage: Stage
    notes: set[str]
    triangles: int = 0
    textures: dict[int, Texture | None] = field(default_factory=dict[int, Texture | None])

    def visuals(
        self, shapes: Sequence[Prim], maker: PartMaker, pose: Array, parts: Sequence[Part]
    ) -> tuple[Visual, ...]:
        """Return the visuals of a body: shapes that are neither invisible nor guides; empty if they equal its parts.

        pose: X_WB. parts: the parts of the body, in the body's frame.
        """
        found = [visual for shape in shapes if "look" in shape for visual in self._visuals(shape, maker, pose)]
        shown = [(each.shape, each.position, each.rotation, each.material) for each in found]
        plain = [(part.shape, part.position, part.rotation, Material(part.color)) for part in parts]
        return () if shown == plain else tuple(found)

    def _visuals(self, shape: Prim, maker: PartMaker, pose: Array) -> Iterator[Visual]:
        """Yield the visual of a shape, none for a mesh without triangles."""
        if shape["kind"] != "Mesh":
            part = maker.part(shape, pose) if shape["kind"] != "Plane" else None
            if part is not None:
                look = self._material(shape, shape["look"]["material"])
                yield Visual(
                    part.shape, part.position, part.rotation, Material(look.color, look.opacity, None, look.finish)
                )
            return
        place = self.stage.place(shape["matrix"], shape["path"])
        X, submeshes = inverse(pose) @ place.pose, tuple(self._submeshes(shape, place.scale))
        if submeshes:
            yield Visual(VisualMesh(submeshes), triple(X[:3, 3]), matrix(X[:3, :3]))

    def _submeshes(self, shape: Prim, scale: Array) -> Iterator[Submesh]:
        """Yield the submeshes of a mesh, each of one material, in the axes of its prim [m].

        scale: matrix (3, 3) that takes the points of the file to these axes [m].
        """
        look: Prim = shape["look"]
        if "corners" not in look:
            self.notes.add("Meshes without triangles are not drawn.")
            return
        corners = self._array(look, "corners").astype(np.int64)
        self.triangles += len(corners)
        if self.triangles > MAX_TRIANGLES:
            raise GambolError(f"{self.stage.file}: it draws more than {MAX_TRIANGLES} triangles; simplify its meshes")
        points = self.stage.arrays[int(shape["points"])] @ scale.T
        if not np.isfinite(points).all():
            return  # the part has a note
        normals = self._array(look, "normals") @ np.linalg.inv(scale) if "normals" in look else None
        uv = self._array(look, "uv") if "uv" in look else None
        rows = {k: self._array(subset, "rows") for k, subset in enumerate(look["subsets"])}
        rest = np.setdiff1d(np.arange(len(corners)), np.concatenate([np.zeros(0, np.int64), *rows.values()]))
        groups = [
            (rest, look["material"]),
            *((rows[k], subset["material"]) for k, subset in enumerate(look["subsets"])),
        ]
        order = [0, 1, 2] if np.linalg.det(scale) > 0.0 else [2, 1, 0]
        for group, material in groups:
            chosen = group.astype(np.int64)
            own_normals, own_uv = (
                None if values is None else values.reshape(len(corners), 3, -1)[chosen][:, order].reshape(-1, width)
                for values, width in ((normals, 3), (uv, 2))
            )
            if len(chosen):
                surface = self._material(shape, material)
                yield submesh_of(points, corners[chosen][:, order], own_normals, own_uv, surface)

    def _array(self, data: Prim, name: str) -> NDArray[Any]:
        return self.stage.arrays[int(data[name])]

    def _material(self, shape: Prim, given: Prim | None) -> Material:
        """Return a material from the numbers of a surface; without a surface, that of the shape's own colour."""
        if given is None:
            return Material(color_of(shape["color"]))
        texture = self._texture(given)
        color = color_of(given.get("color", shape["color"]))
        roughness, metallic, opacity = (_fraction(given.get(name)) for name in ("roughness", "metallic", "opacity"))
        emission = color_of(given.get("emission"))
        finish = Finish(roughness, metallic or 0.0, None if emission == BLACK else emission)
        own = None if texture is not None and color == WHITE else color
        return Material(own, 1.0 if opacity is None else opacity, texture, finish)

    def _texture(self, given: Prim) -> Texture | None:
        """Return the image of a surface; None, with a note, for one that is missing or cannot be read."""
        if "missing" in given:
            self.notes.add(
                f'Left out: the texture "{given["missing"]}", which is missing, too large or in another folder.'
            )
        if "image" not in given:
            return None
        number = int(given["image"])
        if number not in self.textures:
            texture = Texture(str(given["image_name"]), self.stage.arrays[number].astype(np.uint8).tobytes())
            try:
                check_image(texture)
                cutoff = _fraction(given.get("cutoff")) or 0.0
                rule = "opaque" if "opacity_from_image" not in given else "mask" if cutoff > 0.0 else "blend"
                self.textures[number] = with_transparency(texture, rule, cutoff)
            except GambolError as error:
                self.notes.add(f"Left out: {error}.")
                self.textures[number] = None
        return self.textures[number]


def _fraction(value: Any) -> float | None:
    """Return a number between 0 and 1, None without one."""
    return min(max(float(value), 0.0), 1.0) if isinstance(value, float | int) and np.isfinite(value) else None
