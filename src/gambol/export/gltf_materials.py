"""Materials, textures and images of a glTF file; each is stored once."""

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from gambol.export.gltf_buffer import GltfBuffer, pygltflib
from gambol.figure import Finish, Texture
from gambol.figure.color import linear_rgb, rgb_values
from gambol.figure.visual import PLAIN_FINISH
from gambol.formats.visuals import transparency_of
from gambol.view.scene.look import ROUGHNESS

Color = tuple[float, float, float]  # red, green and blue, 0 to 1 (sRGB)

MEDIA_TYPES = {".png": "image/png", ".jpg": "image/jpeg"}
ALPHA_MODES = {"opaque": "OPAQUE", "mask": "MASK", "blend": "BLEND"}
REPEAT, LINEAR, LINEAR_MIPMAPS = 10497, 9729, 9987  # of a sampler


@dataclass
class GltfMaterials:
    """The materials of a file.

    buffer: binary part of the file, to which images are added. rows: the materials. images, textures, samplers: those
    of the file. known: number of the row of each material, and of each texture, by its properties.
    """

    buffer: GltfBuffer
    rows: list[Any] = field(default_factory=list[Any])
    images: list[Any] = field(default_factory=list[Any])
    textures: list[Any] = field(default_factory=list[Any])
    samplers: list[Any] = field(default_factory=list[Any])
    known: dict[tuple[Any, ...], int] = field(default_factory=dict[tuple[Any, ...], int])

    def number(
        self,
        color: Color,
        opacity: float = 1.0,
        texture: Texture | None = None,
        finish: Finish = PLAIN_FINISH,
        *,
        two_sided: bool = False,
    ) -> int:
        """Return the number of a material. two_sided: True if its triangles are visible from both sides."""
        key = (color, opacity, texture, finish, two_sided)
        if key not in self.known:
            self.known[key] = len(self.rows)
            self.rows.append(self._material(*key))
        return self.known[key]

    def _material(self, color: Color, opacity: float, texture: Texture | None, finish: Finish, two_sided: bool) -> Any:
        lib = pygltflib()
        factor = [*linear_rgb(color).astype(np.float32).tolist(), opacity]
        roughness = ROUGHNESS if finish.roughness is None else finish.roughness
        surface = lib.PbrMetallicRoughness(
            baseColorFactor=factor, roughnessFactor=roughness, metallicFactor=finish.metallic
        )
        if texture is not None:
            surface.baseColorTexture = lib.TextureInfo(index=self._texture(texture))
        glow = [0.0] * 3 if finish.emission is None else linear_rgb(rgb_values(finish.emission)).tolist()
        mode = "BLEND" if opacity < 1.0 else "OPAQUE" if texture is None else ALPHA_MODES[transparency_of(texture)]
        return lib.Material(
            pbrMetallicRoughness=surface,
            emissiveFactor=glow,
            alphaMode=mode,
            alphaCutoff=None,  # of a mask: 0.5
            doubleSided=two_sided,
        )

    def _texture(self, texture: Texture) -> int:
        """Return the number of a texture, and embed its image in the file."""
        if (texture,) not in self.known:
            lib = pygltflib()
            if not self.samplers:
                row = lib.Sampler(magFilter=LINEAR, minFilter=LINEAR_MIPMAPS, wrapS=REPEAT, wrapT=REPEAT)
                self.samplers.append(row)
            view = self.buffer.add_bytes(texture.data)
            self.images.append(lib.Image(bufferView=view, mimeType=MEDIA_TYPES[texture.suffix], name=texture.name))
            self.known[(texture,)] = len(self.textures)
            self.textures.append(lib.Texture(source=len(self.images) - 1, sampler=0))
        return self.known[(texture,)]
