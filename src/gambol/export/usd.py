"""USD (.usda, .usdc, .usdz): a figure as bodies with meshes, their motion as time samples, matter, and physics.

Z stays up, and lengths are in metres, so that robots' simulators read the file as it is. Each link is an Xform below
one root, since rigid bodies of USD Physics lie side by side; joints link them. [OpenUSD, UsdGeom and UsdPhysics]
"""

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np

from gambol.errors import GambolError
from gambol.export.clip import Clip, clip_of
from gambol.export.indexed import IndexedMesh, indexed, indexed_shape
from gambol.export.usd_library import usd_modules
from gambol.export.usd_materials import UsdMaterials
from gambol.export.usd_matter import add_matter
from gambol.export.usd_physics import add_physics
from gambol.figure import Figure
from gambol.figure.color import linear_rgb
from gambol.formats import atomic_write
from gambol.view.scene.meshes import ground_mesh
from gambol.world.film import Film

ROOT = "/Creature"
VISUAL = "visual"  # begins the names of visuals, which do not collide


def write_usd(
    film: Film,
    path: str | Path,
    *,
    rate: float | None = None,
    scale: float = 1.0,
    ground: bool = False,
    figure: Figure | None = None,
) -> Path:
    """Write the first world of a film as .usda (text), .usdc (binary) or .usdz (packed). Returns the path.

    Cloth, ropes, muscles and particles are written too, see usd_matter.

    rate: frames per second of simulated time; None: that of the film, at most 240. scale: of lengths. ground: True to
    add uneven ground as a mesh. figure: that of the film, whose masses and joints are written as USD Physics; None: the
    motion alone. Textures are in a .usdz file, and beside the others. Raises GambolError for an unknown ending, a
    figure of other links, as of clip_of(), and if usd-core is not installed.
    """
    target = Path(path)
    if target.suffix not in (".usda", ".usdc", ".usdz"):
        raise GambolError(f'{target} ends in "{target.suffix}"; USD files end in .usda, .usdc or .usdz')
    usd_modules("Usd")
    clip = clip_of(film, rate=rate, scale=scale)
    if figure is not None and tuple(link.name for link in figure.links) != film.link_names:
        raise GambolError(f'the figure "{figure.name}" has other links than the film "{film.name}"')
    with TemporaryDirectory() as folder:
        inner = Path(folder) / ("motion.usdc" if target.suffix == ".usdz" else f"motion{target.suffix}")
        stage = _stage(clip, inner)
        add_matter(stage, clip, prim_paths((*clip.links, *(each.name for each in clip.matter)))[len(clip.links) :])
        if ground and film.ground.heights is not None:
            _add_mesh(stage, "/Ground", indexed(ground_mesh(film.ground), scale), (0.92, 0.9, 0.86))
        materials = UsdMaterials(stage, f"{ROOT}/Looks", Path(folder), target.stem)
        _add_shapes(stage, clip, materials, guides=figure is not None)
        if figure is not None:
            add_physics(stage, figure, clip, prim_paths(clip.links))
        stage.GetRootLayer().Save()
        if target.suffix == ".usdz":
            packed, (UsdUtils,) = Path(folder) / "motion.usdz", usd_modules("UsdUtils")
            if not UsdUtils.CreateNewUsdzPackage(str(inner), str(packed)):
                raise GambolError(f"{target} cannot be packed as .usdz")
            inner = packed
        else:
            materials.copy_images(target.parent)
        with atomic_write(target) as temporary:
            temporary.write_bytes(inner.read_bytes())
    return target


def prim_paths(names: Sequence[str]) -> list[str]:
    """Return the path of each link or matter in the file: letters, digits and underscores, each once."""
    used: dict[str, int] = {}
    paths: list[str] = []
    for name in names:
        plain = "".join(c if c.isascii() and c.isalnum() else "_" for c in name) or "_"
        plain = plain if plain[0].isalpha() or plain[0] == "_" else f"_{plain}"
        used[plain] = used.get(plain, -1) + 1
        paths.append(f"{ROOT}/{plain}" + (f"_{used[plain]}" if used[plain] else ""))
    return paths


def _stage(clip: Clip, path: Path) -> Any:
    """Return a stage with the links, their meshes and their motion."""
    Kind, Sdf, Usd, UsdGeom = usd_modules("Kind", "Sdf", "Usd", "UsdGeom")

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
    for k, link in enumerate(prim_paths(clip.links)):
        xform = UsdGeom.Xform.Define(stage, link)
        place = xform.AddTranslateOp(UsdGeom.XformOp.PrecisionDouble)
        turn = xform.AddOrientOp(UsdGeom.XformOp.PrecisionFloat)
        with Sdf.ChangeBlock():
            _set_motion(place, turn, clip.position[:, k], clip.quaternion[:, k])
    return stage


def _add_shapes(stage: Any, clip: Clip, materials: UsdMaterials, *, guides: bool) -> None:
    """Add the meshes of all links. guides: True to add shapes in whose place visuals are drawn, as guides."""
    (UsdGeom,) = usd_modules("UsdGeom")

    paths, visuals = prim_paths(clip.links), clip.drawn[: clip.visuals]
    seen = {shape.link for shape in visuals}
    hidden = [(shape, clip.colors[shape.link]) for shape in clip.shapes if guides and shape.link in seen]
    rows = [*zip(clip.drawn, clip.drawn_colors, strict=True), *hidden]
    for j, (shape, color) in enumerate(rows):
        kind = VISUAL if j < clip.visuals else shape.kind.replace(" ", "_")
        path = f"{paths[shape.link]}/{kind}_{j}"
        mesh = _add_mesh(stage, path, indexed_shape(shape, clip.scale), color)
        _place(mesh, np.array(shape.position) * clip.scale, np.array(shape.quaternion))
        if shape.texture is not None or shape.opacity < 1.0:
            mesh.CreateDisplayOpacityAttr([shape.opacity])
            materials.bind(mesh.GetPrim(), color, shape.opacity, shape.texture)
        if j >= len(clip.drawn):
            mesh.CreatePurposeAttr(UsdGeom.Tokens.guide)


def _set_motion(place: Any, turn: Any, position: Any, quaternion: Any) -> None:
    """Set the pose of the first frame as the default, and time samples if the link moves."""
    (Gf,) = usd_modules("Gf")

    moves = np.ptp(position, axis=0).max() > 0.0 or np.ptp(quaternion, axis=0).max() > 0.0
    for t, at in [(0, ()), *((t, (t,)) for t in range(len(position) if moves else 0))]:
        place.Set(Gf.Vec3d(*position[t].tolist()), *at)
        w, *v = quaternion[t].tolist()
        turn.Set(Gf.Quatf(w, *v), *at)


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
        places = UsdGeom.PrimvarsAPI(prim).CreatePrimvar("st", Sdf.ValueTypeNames.TexCoord2fArray, "vertex")
        places.Set(Vt.Vec2fArray.FromNumpy(mesh.uv))
    prim.CreateDisplayColorAttr([Gf.Vec3f(*linear_rgb(color).tolist())])
    return prim
