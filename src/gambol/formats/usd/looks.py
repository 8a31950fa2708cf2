"""Materials and triangles of the prims of a USD stage as plain data, in the file's units.

Numbers of meshes and bytes of images are appended to a list of arrays; the data contain their indices in this list.
This script runs in another process and does not import gambol.
"""

from pathlib import Path
from typing import Any

import numpy as np

Data = dict[str, Any]

MAX_IMAGE_BYTES = 64_000_000
INPUTS = {
    "color": ("diffuseColor", "diffuse_color_constant"),
    "opacity": ("opacity", "opacity_constant"),
    "roughness": ("roughness", "reflection_roughness_constant"),
    "metallic": ("metallic", "metallic_constant"),
    "emission": ("emissiveColor",),
    "cutoff": ("opacityThreshold",),
}
"""Inputs of a surface, in UsdPreviewSurface and in NVIDIA's OmniPBR."""
TEXTURE_INPUTS = ("diffuse_texture",)  # of OmniPBR: the value is the image file, not the output of another shader


def shape_look(pxr: Any, prim: Any, arrays: list[Any], images: dict[str, int], folder: Path) -> Data:
    """Return the material of a shape and, for a mesh, its triangles and the materials of its subsets of faces.

    images: the index of the bytes of each image so far, by its path; images outside the folder are left out.
    """
    look: Data = {"material": _material(pxr, prim, arrays, images, folder)}
    if prim.GetTypeName() != "Mesh":
        return look
    triangles = _triangles(pxr, prim)
    if triangles is None:
        return look
    slots, faces = triangles.pop("slots"), triangles.pop("faces")
    look["corners"] = _stored(arrays, triangles["corners"])
    for name, values in (("normals", _normals(pxr, prim, slots, faces)), ("uv", _uv(pxr, prim, slots, faces))):
        if values is not None:
            look[name] = _stored(arrays, values)
    look["subsets"] = [
        {"rows": _stored(arrays, np.flatnonzero(np.isin(faces, np.array(subset.GetIndicesAttr().Get() or [])))),
         "material": _material(pxr, subset.GetPrim(), arrays, images, folder)}
        for subset in pxr.UsdShade.MaterialBindingAPI(prim).GetMaterialBindSubsets()
    ]  # fmt: skip
    return look


def _stored(arrays: list[Any], values: Any) -> int:
    arrays.append(np.ascontiguousarray(values))
    return len(arrays) - 1


def _triangles(pxr: Any, prim: Any) -> dict[str, Any] | None:
    """Return the corners (T, 3) of the triangles of a mesh, as indices of points, anticlockwise from outside.

    "slots" (T, 3): the index of each corner among all corners of faces. "faces" (T,): the face of each triangle. Faces
    become fans. Returns None for a mesh whose numbers do not fit together.
    """
    mesh = pxr.UsdGeom.Mesh(prim)
    counts = np.array(mesh.GetFaceVertexCountsAttr().Get() or [], np.int64)
    indices = np.array(mesh.GetFaceVertexIndicesAttr().Get() or [], np.int64)
    count = len(mesh.GetPointsAttr().Get() or [])
    if not len(counts) or counts.min() < 0 or counts.sum() != len(indices):
        return None
    if indices.min() < 0 or indices.max() >= count:
        return None
    first, fans = np.cumsum(counts) - counts, np.maximum(counts - 2, 0)
    starts, faces = np.repeat(first, fans), np.repeat(np.arange(len(counts)), fans)
    step = np.arange(int(fans.sum())) - np.repeat(np.cumsum(fans) - fans, fans)
    slots = np.stack([starts, starts + step + 1, starts + step + 2], axis=1)
    if str(mesh.GetOrientationAttr().Get()) == "leftHanded":
        slots = slots[:, ::-1]
    return {"corners": indices[slots], "slots": slots, "faces": faces} if len(slots) else None


def _at_corners(values: Any, interpolation: str, slots: Any, faces: Any, indices: Any) -> Any:
    """Return values of a mesh at the corners of its triangles (3 T, width); None if there are too few."""
    at = {"faceVarying": slots, "uniform": np.repeat(faces[:, None], 3, axis=1), "constant": np.zeros_like(slots)}
    rows = at.get(interpolation, indices[slots]).reshape(-1)
    return values[rows] if len(values) and rows.max() < len(values) else None


def _normals(pxr: Any, prim: Any, slots: Any, faces: Any) -> Any:
    mesh = pxr.UsdGeom.Mesh(prim)
    primvar = pxr.UsdGeom.PrimvarsAPI(prim).GetPrimvar("normals")
    if primvar and primvar.HasValue():
        values, interpolation = primvar.ComputeFlattened(), primvar.GetInterpolation()
    else:
        values, interpolation = mesh.GetNormalsAttr().Get(), mesh.GetNormalsInterpolation()
    if values is None or str(mesh.GetSubdivisionSchemeAttr().Get()) != "none":
        return None  # a surface that is subdivided has no normals of its own
    indices = np.array(mesh.GetFaceVertexIndicesAttr().Get(), np.int64)
    return _at_corners(np.array(values, float).reshape(-1, 3), str(interpolation), slots, faces, indices)


def _uv(pxr: Any, prim: Any, slots: Any, faces: Any) -> Any:
    primvars = [p for p in pxr.UsdGeom.PrimvarsAPI(prim).GetPrimvarsWithValues() if "2f[]" in str(p.GetTypeName())]
    primvars.sort(key=lambda primvar: primvar.GetPrimvarName() != "st")
    if not primvars:
        return None
    indices = np.array(pxr.UsdGeom.Mesh(prim).GetFaceVertexIndicesAttr().Get(), np.int64)
    values = np.array(primvars[0].ComputeFlattened(), float).reshape(-1, 2)
    return _at_corners(values, str(primvars[0].GetInterpolation()), slots, faces, indices)


def _material(pxr: Any, prim: Any, arrays: list[Any], images: dict[str, int], folder: Path) -> Data | None:
    """Return the numbers of the surface that is bound to a prim, and its image; None without a surface."""
    material = pxr.UsdShade.MaterialBindingAPI(prim).ComputeBoundMaterial()[0]
    sources = [material.ComputeSurfaceSource(context)[0] for context in ("", "mdl")] if material else []
    surface = next((source for source in sources if source), None)
    if surface is None:
        return None
    data: Data = {}
    for name, inputs in INPUTS.items():
        for attribute in _attributes(surface, inputs):
            source = pxr.UsdShade.Shader(attribute.GetPrim())
            is_image = attribute.GetPrim() != surface.GetPrim() and bool(source.GetInput("file"))
            if is_image and name == "color":
                data |= _image(pxr, source.GetInput("file").Get(), arrays, images, folder)
                factor = source.GetInput("scale").Get() if source.GetInput("scale") else None
                data |= {} if factor is None else {"color": [float(x) for x in factor][:3]}
            elif is_image and name == "opacity":
                data["opacity_from_image"] = True
                factor = source.GetInput("scale").Get() if source.GetInput("scale") else None
                data |= {} if factor is None else {"opacity": float(factor[3])}
            elif not is_image and (value := attribute.Get()) is not None:
                data[name] = [float(x) for x in value] if hasattr(value, "__len__") else float(value)
    for attribute in _attributes(surface, TEXTURE_INPUTS):
        data |= _image(pxr, attribute.Get(), arrays, images, folder)
    return data


def _attributes(surface: Any, names: tuple[str, ...]) -> list[Any]:
    """Return the attributes that give the first input of a surface with one of the names its value."""
    inputs = [surface.GetInput(name) for name in names if surface.GetInput(name)]
    return list(inputs[0].GetValueProducingAttributes()) if inputs else []


def _image(pxr: Any, asset: Any, arrays: list[Any], images: dict[str, int], folder: Path) -> Data:
    """Return the index of the bytes of an image and its name; {"missing": its path} if it cannot be opened."""
    if asset is None or not asset.path:
        return {}
    path = str(asset.resolvedPath)
    if not path or not Path(path.partition("[")[0]).resolve().is_relative_to(folder):
        return {"missing": str(asset.path)[-200:]}
    if path not in images:
        opened = pxr.Ar.GetResolver().OpenAsset(pxr.Ar.ResolvedPath(path))
        if not opened or opened.GetSize() > MAX_IMAGE_BYTES:
            return {"missing": str(asset.path)[-200:]}
        images[path] = _stored(arrays, np.frombuffer(bytes(opened.GetBuffer()), np.uint8))
    return {"image": images[path], "image_name": Path(str(asset.path)).name}
