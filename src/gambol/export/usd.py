"""USD (.usda, .usdc, .usdz): a figure as bodies with meshes, their motion as time samples, matter, and physics.

Z is up, and lengths are in metres, so that simulators of robots can read the file. Each link is an Xform below one
root, since rigid bodies of USD Physics lie side by side; joints link them. [OpenUSD, UsdGeom and UsdPhysics]

Everything is first written into a binary file. After every PIECE time samples the file is saved and opened again, so
that long films take little memory: usd-core keeps new samples in memory, but reads saved samples from the file.
"""

import shutil
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.export.clip import Clip, clip_of
from gambol.export.indexed import IndexedMesh, indexed, indexed_shape
from gambol.export.usd_library import usd_modules
from gambol.export.usd_materials import UsdMaterials
from gambol.export.usd_matter import add_matter
from gambol.export.usd_physics import add_physics
from gambol.figure import Figure
from gambol.figure.color import linear_rgb
from gambol.formats import Model, atomic_write, check_suffix
from gambol.view.scene.meshes import ground_mesh
from gambol.world.film import Film

Array = NDArray[np.float64]

ROOT = "/Creature"
PIECE = 100_000  # time samples between two saves, about 60 MB; a quarter of them makes files 1.5 times as large


def write_usd(
    film: Film,
    path: str | Path,
    *,
    rate: float | None = None,
    scale: float = 1.0,
    ground: bool = False,
    figure: Figure | Model | None = None,
) -> Path:
    """Write the first world of a film as .usda (text), .usdc (binary) or .usdz (packed). Returns the path.

    Cloth, ropes, muscles and particles are written too, see usd_matter.

    rate: frames per second of simulated time; None: the rate of the film, at most 240. scale: scale of lengths. ground:
    True to add uneven ground as a mesh. figure: figure of the film; its masses, joints and colliding shapes are written
    as USD Physics; a model also has limits, springs and motors there, see usd_joint_forces.py; None: the motion alone.
    Textures are stored inside a .usdz file, and beside a .usda or .usdc file. Raises GambolError for an unknown suffix,
    a figure of other links, as clip_of() does, and if usd-core is not installed.
    """
    target = Path(path)
    check_suffix(target, "USD", ".usda", ".usdc", ".usdz")
    usd_modules("Usd")
    clip = clip_of(film, rate=rate, scale=scale)
    model = Model(figure) if isinstance(figure, Figure) else figure
    if model is not None and tuple(link.name for link in model.figure.links) != film.link_names:
        raise GambolError(f'the figure "{model.figure.name}" has other links than the film "{film.name}"')
    with TemporaryDirectory() as folder:
        inner = Path(folder) / "motion.usdc"
        _write_links(clip, inner)
        stage = _with_motion(clip, inner)
        add_matter(stage, clip, prim_paths((*clip.links, *(each.name for each in clip.matter)))[len(clip.links) :])
        if ground and film.ground.heights is not None:
            _add_mesh(stage, "/Ground", indexed(ground_mesh(film.ground), scale), (0.92, 0.9, 0.86))
        materials = UsdMaterials(stage, f"{ROOT}/Looks", Path(folder), target.stem)
        _add_shapes(stage, clip, materials)
        if model is not None:
            add_physics(stage, model, prim_paths(clip.links), clip.scale)
        stage.GetRootLayer().Save()
        if target.suffix.lower() != ".usdz":
            materials.copy_images(target.parent)
        whole = _converted(stage, inner, target)
        with atomic_write(target) as temporary:
            shutil.copyfile(whole, temporary)
    return target


def _converted(stage: Any, path: Path, target: Path) -> Path:
    """Convert the file of a saved stage to the format of the target's suffix.

    Return the new file, which is beside the old one.

    path: the binary file of the stage. Raises GambolError if it cannot be packed.
    """
    suffix = target.suffix.lower()
    if suffix == ".usdc":
        return path
    result = path.with_suffix(suffix)
    if suffix == ".usda":
        stage.GetRootLayer().Export(str(result))
        return result
    (UsdUtils,) = usd_modules("UsdUtils")
    if not UsdUtils.CreateNewUsdzPackage(str(path), str(result)):
        raise GambolError(f"{target} cannot be packed as .usdz")
    return result


def prim_paths(names: Sequence[str]) -> list[str]:
    """Return the path of each link or matter in the file: letters, digits and underscores; paths are unique."""
    used: dict[str, int] = {}
    paths: list[str] = []
    for name in names:
        plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in name) or "_"
        plain = plain if plain[0].isalpha() or plain[0] == "_" else f"_{plain}"
        used[plain] = used.get(plain, -1) + 1
        paths.append(f"{ROOT}/{plain}" + (f"_{used[plain]}" if used[plain] else ""))
    return paths


def _write_links(clip: Clip, path: Path) -> None:
    """Write a binary file with the links, without their motion."""
    Kind, Usd, UsdGeom = usd_modules("Kind", "Usd", "UsdGeom")

    stage = Usd.Stage.CreateNew(str(path))
    UsdGeom.SetStageUpAxis(stage, UsdGeom.Tokens.z)
    UsdGeom.SetStageMetersPerUnit(stage, 1.0 / clip.scale)
    stage.SetTimeCodesPerSecond(clip.rate)
    stage.SetFramesPerSecond(clip.rate)
    stage.SetStartTimeCode(0)
    stage.SetEndTimeCode(len(clip.position) - 1)
    root = UsdGeom.Xform.Define(stage, ROOT)
    stage.SetDefaultPrim(root.GetPrim())
    Usd.ModelAPI(root.GetPrim()).SetKind(Kind.Tokens.component)
    for link in prim_paths(clip.links):
        xform = UsdGeom.Xform.Define(stage, link)
        xform.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble)
        xform.AddOrientOp(UsdGeom.XformOp.PrecisionFloat)
    stage.GetRootLayer().Save()


def _with_motion(clip: Clip, path: Path) -> Any:
    """Add the motion of all links to a file of links, and return its stage.

    The file is saved after every PIECE frames of a link, so the last frames are only in the stage.
    """
    (Usd,) = usd_modules("Usd")

    stage, unsaved = Usd.Stage.Open(str(path)), 0
    for k, link in enumerate(prim_paths(clip.links)):
        position, quaternion = clip.position[:, k], clip.quaternion[:, k]
        moves = np.ptp(position, axis=0).max() > 0.0 or np.ptp(quaternion, axis=0).max() > 0.0
        count = len(position) if moves else 0
        for first in range(0, max(count, 1), PIECE):
            frames = range(first, min(first + PIECE, count))
            _set_motion(stage, link, position, quaternion, frames)
            unsaved += len(frames)
            if unsaved >= PIECE:
                stage.GetRootLayer().Save()
                del stage  # frees the samples in memory
                stage, unsaved = Usd.Stage.Open(str(path)), 0
    return stage


def _set_motion(stage: Any, link: str, position: Array, quaternion: Array, frames: range) -> None:
    """Set the pose of a link in the first frame as its default, and time samples of some frames.

    link: path of the link. position (F, 3), quaternion (F, 4): pose in all frames.
    """
    Gf, Sdf, UsdGeom = usd_modules("Gf", "Sdf", "UsdGeom")

    translation, rotation = UsdGeom.Xformable(stage.GetPrimAtPath(link)).GetOrderedXformOps()
    with Sdf.ChangeBlock():
        for t, at in [(0, ()), *((t, (t,)) for t in frames)]:
            translation.Set(Gf.Vec3d(*position[t].tolist()), *at)
            w, *v = quaternion[t].tolist()
            rotation.Set(Gf.Quatf(w, *v), *at)


def _add_shapes(stage: Any, clip: Clip, materials: UsdMaterials) -> None:
    """Add the meshes of all links."""
    paths = prim_paths(clip.links)
    for j, (shape, color) in enumerate(zip(clip.drawn, clip.drawn_colors, strict=True)):
        kind = "visual" if j < clip.visuals else shape.kind.replace(" ", "_")
        path = f"{paths[shape.link]}/{kind}_{j}"
        mesh = _add_mesh(stage, path, indexed_shape(shape, clip.scale), color)
        _place(mesh, np.array(shape.position) * clip.scale, np.array(shape.quaternion))
        if shape.opacity < 1.0:
            mesh.CreateDisplayOpacityAttr([shape.opacity])
        look = color, shape.opacity, shape.texture, shape.finish
        materials.bind(mesh.GetPrim(), *look)  # Blender shows no display colours


def _place(prim: Any, position: Any, quaternion: Any) -> None:
    Gf, UsdGeom = usd_modules("Gf", "UsdGeom")

    prim.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble).Set(Gf.Vec3d(*position.tolist()))
    w, *v = (quaternion / np.linalg.norm(quaternion)).tolist()
    prim.AddOrientOp(UsdGeom.XformOp.PrecisionFloat).Set(Gf.Quatf(w, *v))


def _add_mesh(stage: Any, path: str, mesh: IndexedMesh, color: tuple[float, float, float]) -> Any:
    Gf, Sdf, UsdGeom, Vt = usd_modules("Gf", "Sdf", "UsdGeom", "Vt")

    prim = UsdGeom.Mesh.Define(stage, path)
    prim.CreatePointsAttr(Vt.Vec3fArray.FromNumpy(mesh.points))
    prim.CreateNormalsAttr(Vt.Vec3fArray.FromNumpy(mesh.normals))
    prim.SetNormalsInterpolation("vertex")
    prim.CreateFaceVertexCountsAttr([3] * (len(mesh.indices) // 3))
    prim.CreateFaceVertexIndicesAttr(Vt.IntArray.FromNumpy(mesh.indices.astype(np.int32)))
    prim.CreateSubdivisionSchemeAttr("none")
    prim.CreateExtentAttr(UsdGeom.PointBased.ComputeExtent(prim.GetPointsAttr().Get()))
    if mesh.uv is not None:
        positions = UsdGeom.PrimvarsAPI(prim).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, "vertex")
        positions.Set(Vt.Vec2fArray.FromNumpy(mesh.uv))
    prim.CreateDisplayColorAttr([Gf.Vec3f(*linear_rgb(color).tolist())])
    return prim
