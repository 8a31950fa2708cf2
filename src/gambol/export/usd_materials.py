"""Materials of a USD file: preview surfaces with opacity and textures. [OpenUSD, UsdPreviewSurface]"""

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from gambol.export.usd_library import usd_modules
from gambol.figure import Texture
from gambol.figure.color import linear_rgb
from gambol.formats import atomic_write
from gambol.view.scene.look import ROUGHNESS


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

    def bind(self, prim: Any, color: tuple[float, float, float], opacity: float, texture: Texture | None) -> None:
        """Give a mesh a material. color: (red, green, blue), 0 to 1 (sRGB)."""
        UsdGeom, UsdShade = usd_modules("UsdGeom", "UsdShade")

        key = (color, opacity, texture)
        if key not in self.known:
            if not self.known:
                UsdGeom.Scope.Define(self.stage, self.root)
            self.known[key] = self._material(f"{self.root}/material_{len(self.known)}", color, opacity, texture)
        UsdShade.MaterialBindingAPI.Apply(prim).Bind(self.known[key])

    def copy_images(self, folder: Path) -> None:
        """Copy the images into the folder of the finished file."""
        for name in self.images.values():
            with atomic_write(folder / name) as temporary:
                temporary.write_bytes((self.folder / name).read_bytes())

    def _material(self, path: str, color: tuple[float, float, float], opacity: float, texture: Texture | None) -> Any:
        Gf, Sdf, UsdShade = usd_modules("Gf", "Sdf", "UsdShade")

        material = UsdShade.Material.Define(self.stage, path)
        surface = UsdShade.Shader.Define(self.stage, f"{path}/surface")
        surface.CreateIdAttr("UsdPreviewSurface")
        rgb = linear_rgb(color).astype(np.float32).tolist()
        diffuse = surface.CreateInput("diffuseColor", Sdf.ValueTypeNames.Color3f)
        surface.CreateInput("roughness", Sdf.ValueTypeNames.Float).Set(ROUGHNESS)
        surface.CreateInput("metallic", Sdf.ValueTypeNames.Float).Set(0.0)
        surface.CreateInput("opacity", Sdf.ValueTypeNames.Float).Set(opacity)
        if texture is None:
            diffuse.Set(Gf.Vec3f(*rgb))
        else:
            diffuse.ConnectToSource(self._sampled(path, rgb, texture))
        material.CreateSurfaceOutput().ConnectToSource(surface.ConnectableAPI(), "surface")
        return material

    def _sampled(self, path: str, rgb: list[float], texture: Texture) -> Any:
        """Return the output of a shader that reads a texture at the coordinates "st"."""
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
        sampler.CreateInput("scale", Sdf.ValueTypeNames.Float4).Set(Gf.Vec4f(*rgb, 1.0))
        return sampler.CreateOutput("rgb", Sdf.ValueTypeNames.Float3)

    def _image(self, texture: Texture) -> str:
        """Return the name of the file of an image, which is written once."""
        if texture not in self.images:
            name = f"{self.stem}-{len(self.images)}{texture.suffix}"
            (self.folder / name).write_bytes(texture.data)
            self.images[texture] = name
        return self.images[texture]
