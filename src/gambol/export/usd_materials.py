"""Materials of a USD file: preview surfaces with opacity, textures and finish. [OpenUSD, UsdPreviewSurface]"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from gambol.export.usd_library import usd_modules
from gambol.figure import Finish, Texture
from gambol.figure.color import linear_rgb, rgb_values
from gambol.formats import atomic_write
from gambol.formats.visuals import transparency_of
from gambol.view.scene.look import ROUGHNESS

Color: TypeAlias = tuple[float, float, float]
"""Red, green and blue, 0 to 1 (sRGB)."""


@dataclass
class UsdMaterials:
    """The materials of a stage.

    root: path of the prim that contains them. folder: folder of the stage's file, into which images are written. stem:
    start of the names of images. known: materials so far by their properties. images: names of images so far.
    """

    stage: Any
    root: str
    folder: Path
    stem: str
    known: dict[tuple[Any, ...], Any] = field(default_factory=dict[tuple[Any, ...], Any])
    images: dict[Texture, str] = field(default_factory=dict[Texture, str])

    def bind(self, prim: Any, color: Color, opacity: float, texture: Texture | None, finish: Finish) -> None:
        """Give a mesh a material."""
        UsdGeom, UsdShade = usd_modules("UsdGeom", "UsdShade")

        key = (color, opacity, texture, finish)
        if key not in self.known:
            if not self.known:
                UsdGeom.Scope.Define(self.stage, self.root)
            self.known[key] = self._material(f"{self.root}/material_{len(self.known)}", *key)
        UsdShade.MaterialBindingAPI.Apply(prim).Bind(self.known[key])

    def copy_images(self, folder: Path) -> None:
        """Copy the images into the folder of the finished file."""
        for name in self.images.values():
            with atomic_write(folder / name) as temporary:
                temporary.write_bytes((self.folder / name).read_bytes())

    def _material(self, path: str, color: Color, opacity: float, texture: Texture | None, finish: Finish) -> Any:
        Gf, Sdf, UsdShade = usd_modules("Gf", "Sdf", "UsdShade")

        material = UsdShade.Material.Define(self.stage, path)
        surface = UsdShade.Shader.Define(self.stage, f"{path}/surface")
        surface.CreateIdAttr("UsdPreviewSurface")
        rgb = linear_rgb(color).astype(np.float32).tolist()
        diffuse = surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
        numbers = {"roughness": ROUGHNESS if finish.roughness is None else finish.roughness}
        for name, value in (numbers | {"metallic": finish.metallic}).items():
            surface.CreateInput(name, Sdf.ValueTypeNames.Float).Set(value)
        if finish.emission is not None:
            glow = linear_rgb(rgb_values(finish.emission)).tolist()
            surface.CreateInput("emissiveColor", Sdf.ValueTypeNames.Color3f).Set(Gf.Vec3f(*glow))
        opacity_input = surface.CreateInput("opacity", Sdf.ValueTypeNames.Float)
        opacity_input.Set(opacity)
        if texture is None:
            diffuse.Set(Gf.Vec3f(*rgb))
        else:
            sampler = self._sampler(path, (*rgb, opacity), texture)
            diffuse.ConnectToSource(sampler.CreateOutput("rgb", Sdf.ValueTypeNames.Float3))
            transparency = transparency_of(texture)
            if transparency != "opaque":
                opacity_input.ConnectToSource(sampler.CreateOutput("a", Sdf.ValueTypeNames.Float))
            if transparency == "mask" and opacity == 1.0:
                surface.CreateInput("opacityThreshold", Sdf.ValueTypeNames.Float).Set(0.5)
        material.CreateSurfaceOutput().ConnectToSource(surface.ConnectableAPI(), "surface")
        return material

    def _sampler(self, path: str, rgba: Sequence[float], texture: Texture) -> Any:
        """Return a shader that reads a texture at the coordinates "st". rgba: factors of its values."""
        Gf, Sdf, UsdShade = usd_modules("Gf", "Sdf", "UsdShade")

        reader = UsdShade.Shader.Define(self.stage, f"{path}/coordinates")
        reader.CreateIdAttr("UsdPrimvarReader_float2")
        reader.CreateInput("varname", Sdf.ValueTypeNames.String).Set("st")
        place = reader.CreateOutput("result", Sdf.ValueTypeNames.Float2)
        sampler = UsdShade.Shader.Define(self.stage, f"{path}/texture")
        sampler.CreateIdAttr("UsdUVTexture")
        sampler.CreateInput("file", Sdf.ValueTypeNames.Asset).Set(f"./{self._image(texture)}")
        sampler.CreateInput("st", Sdf.ValueTypeNames.Float2).ConnectToSource(place)
        for axis in ("wrapS", "wrapT"):
            sampler.CreateInput(axis, Sdf.ValueTypeNames.Token).Set("repeat")
        sampler.CreateInput("sourceColorSpace", Sdf.ValueTypeNames.Token).Set("sRGB")
        sampler.CreateInput("scale", Sdf.ValueTypeNames.Float4).Set(Gf.Vec4f(*rgba))
        return sampler

    def _image(self, texture: Texture) -> str:
        """Return the name of the file of an image, which is written once."""
        if texture not in self.images:
            name = f"{self.stem}-{len(self.images)}{texture.suffix}"
            (self.folder / name).write_bytes(texture.data)
            self.images[texture] = name
        return self.images[texture]
