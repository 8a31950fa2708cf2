"""The script of MuJoCo's worker process: it compiles a file and returns arrays of the model. It imports no gambol."""

import json
import warnings
from pathlib import Path
from typing import Any

import numpy as np

COUNTS = (
    "nbody",
    "neq",
    "ngeom",
    "njnt",
    "nkey",
    "nmocap",
    "npair",
    "nsensor",
    "nskin",
    "ntendon",
    "nu",
    "nv",
    "ngravcomp",
    "nflex",
    "nplugin",
)
FIELDS = tuple(
    f"{kind}_{field}"
    for kind, fields in {
        "actuator": "acc0 actearly actlimited actrange armature biasprm biastype ctrllimited ctrlrange damping "
        "dampingpoly delay dynprm dyntype forcelimited forcerange gainprm gaintype gear lengthrange trnid trntype",
        "cam": "bodyid fovy intrinsic pos quat resolution sensorsize",
        "body": "inertia ipos iquat jntadr jntnum mass parentid pos quat",
        "dof": "armature damping dampingpoly frictionloss",
        "eq": "active0 data obj1id obj2id objtype type",
        "exclude": "signature",
        "geom": "aabb adhesion bodyid conaffinity contype dataid fluid friction matid pos quat rgba size surfacevel "
        "type",
        "jnt": "axis dofadr limited pos qposadr range springyield stiffness stiffnesspoly type",
        "key": "qpos qvel",
        "mat": "rgba",
        "mesh": "vert vertadr vertnum",
        "pair": "adhesion geom1 geom2",
        "sensor": "cutoff delay dim interval intprm noise objid objtype refid reftype type",
        "site": "bodyid pos quat size type",
        "tendon": "actfrclimited adr armature damping dampingpoly frictionloss invweight0 length0 lengthspring "
        "limited num range springyield stiffness stiffnesspoly",
        "wrap": "objid prm type",
    }.items()
    for field in fields.split()
)
"""The arrays of a model that the reader uses; older releases of MuJoCo lack some of them."""

VISUAL_FIELDS = tuple(
    f"{kind}_{field}"
    for kind, fields in {
        "geom": "aabb group",
        "mat": "emission metallic roughness shininess specular texrepeat texuniform",
        "mesh": "face faceadr facenormal facenum facetexcoord normal normaladr texcoord texcoordadr",
        "tex": "height nchannel type width",
    }.items()
    for field in fields.split()
)
"""The arrays of a model by which its geoms are drawn; read on request."""

OPTIONS = ("gravity", "wind", "density", "viscosity", "magnetic")
"""The fields of mjOption that the reader uses."""

NAMED_KINDS = ("body", "joint", "geom", "mesh", "actuator", "tendon", "equality", "key", "texture", "sensor")
"""The kinds of objects whose names the reader uses."""

ENUMS = {"sensor": ("mjtSensor", "mjSENS_"), "object": ("mjtObj", "mjOBJ_")}
"""The enumerations whose names the reader uses, and the prefixes of these names."""

Answer = dict[str, Any]


def load() -> Any:
    """Import MuJoCo."""
    import mujoco  # pyright: ignore[reportMissingTypeStubs]

    return mujoco


def answer(mujoco: Any, request: dict[str, Any]) -> Answer:
    """Return the arrays of the model in a file, or the error of MuJoCo."""
    messages: list[str] = []
    mujoco.set_mju_user_warning(messages.append)  # else MuJoCo writes warnings to a file in the current folder
    try:
        with warnings.catch_warnings(record=True) as caught_warnings:
            warnings.simplefilter("always")
            spec = _spec(mujoco, request)
            model = spec.compile()
        notes = [*messages, *(str(warning.message) for warning in caught_warnings)]
        limits = request.get("visual_limits")
        visuals = visual_arrays(mujoco, model, **limits) if limits else {}
        return arrays_of(mujoco, spec, model) | visuals | {"about": _json({"notes": notes})}
    except MemoryError:
        return {"about": _json({"error": "it takes too much memory"})}
    except (ValueError, TypeError, RuntimeError, OSError, mujoco.FatalError) as error:
        return {"about": _json({"error": str(error)})}


def _spec(mujoco: Any, request: dict[str, Any]) -> Any:
    """Return the MjSpec of a file. MuJoCo reads files by path if their names end in .xml; others are read as text."""
    path = Path(request["path"])
    if path.suffix == ".xml":
        return mujoco.MjSpec.from_file(str(path))
    included = {name: (path.parent / name).read_bytes() for name in request["included"]}
    spec = mujoco.MjSpec.from_string(path.read_text(encoding="utf-8"), include=included)
    spec.modelfiledir = str(path.parent)
    return spec


def arrays_of(mujoco: Any, spec: Any, model: Any) -> Answer:
    """Return the data of a compiled model that the reader uses: arrays, options, object names and disable flags."""
    arrays = {name: getattr(model, name) for name in (*COUNTS, *FIELDS, "qpos0", "qpos_spring") if hasattr(model, name)}
    arrays |= {f"option:{name}": getattr(model.opt, name) for name in OPTIONS}
    arrays["body_fullinertia"] = [body.fullinertia for body in sorted(spec.bodies, key=lambda body: body.id)]
    names = object_names(mujoco, model)
    bits = {flag.name.removeprefix("mjDSBL_"): int(flag.value) for flag in mujoco.mjtDisableBit.__members__.values()}
    flags = [name for name, bit in bits.items() if model.opt.disableflags & bit]
    kinds = {key: _members(getattr(mujoco, enum), prefix) for key, (enum, prefix) in ENUMS.items()}
    info = {"names": names, "off": flags, "kinds": kinds}
    return {name: np.array(value) for name, value in arrays.items()} | {"names": _json(info)}


def _members(enum: Any, prefix: str) -> dict[int, str]:
    """Return the names of an enumeration of MuJoCo by number, in lower case, without the prefix."""
    return {int(member.value): name.removeprefix(prefix).lower() for name, member in enum.__members__.items()}


def visual_arrays(mujoco: Any, model: Any, max_triangles: int, max_bytes: int) -> Answer:
    """Return faces of meshes, textures and texture coordinates: the arrays of VISUAL_FIELDS, and these:

    "mat_image": the texture of each material's colour, -1 for none. "mat_layers": number of its other textures.
    "texture0", ...: the pixels of the textures that are colours of materials. max_triangles: largest number of
    triangles of all meshes; a model with more has no triangles here. max_bytes: largest size of all textures; textures
    beyond it are missing.
    """
    members = mujoco.mjtTextureRole.__members__
    rgb, rgba = (int(members[f"mjTEXROLE_{name}"].value) for name in ("RGB", "RGBA"))
    texture_ids: list[list[int]] = model.mat_texid.tolist()
    images = [max(row[rgb], row[rgba]) for row in texture_ids]
    layers = [sum(k >= 0 for k in row) - (image >= 0) for row, image in zip(texture_ids, images, strict=True)]
    has_meshes = model.nmeshface <= max_triangles
    arrays = {name: getattr(model, name) for name in VISUAL_FIELDS if has_meshes or not name.startswith("mesh")}
    arrays |= {"mat_image": images, "mat_layers": layers}
    for k in sorted({image for image in images if image >= 0}):
        size = int(model.tex_height[k]) * int(model.tex_width[k]) * int(model.tex_nchannel[k])
        max_bytes -= size
        if max_bytes >= 0:
            arrays[f"texture{k}"] = model.tex_data[model.tex_adr[k] : model.tex_adr[k] + size]
    return {name: np.array(value) for name, value in arrays.items()}


def object_names(mujoco: Any, model: Any) -> dict[str, list[str]]:
    """Return the names of a model's objects by kind and number; "" for an object without a name."""
    return {kind: _names(mujoco, model, kind) for kind in NAMED_KINDS}


def _names(mujoco: Any, model: Any, kind: str) -> list[str]:
    counts = {"body": "nbody", "joint": "njnt", "actuator": "nu", "equality": "neq", "texture": "ntex"}
    count = getattr(model, counts.get(kind, f"n{kind}"))
    object_type = getattr(mujoco.mjtObj, f"mjOBJ_{kind.upper()}")
    return [mujoco.mj_id2name(model, object_type, number) or "" for number in range(count)]


def _json(value: Any) -> Any:
    return np.frombuffer(json.dumps(value).encode(), np.uint8)
