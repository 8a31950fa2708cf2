"""A process of its own in which MuJoCo compiles files: run as a script, it imports nothing of gambol.

A line of JSON on stdin asks for one file; the answer on stdout is a .npz file, its length before it in 8 bytes. An
empty answer says that the process is ready. It ends with its stdin, and by an alarm when a file takes too long.
"""

import io
import json
import os
import signal
import sys
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOM = 4_000_000_000  # bytes of address space, libraries included: MuJoCo's largest public models take a tenth
COUNTS = (
    "nbody",
    "neq",
    "ngeom",
    "njnt",
    "nkey",
    "nmocap",
    "npair",
    "nskin",
    "nu",
    "nv",
    "ngravcomp",
    "nflex",
    "nplugin",
)
FIELDS = tuple(
    f"{kind}_{field}"
    for kind, fields in {
        "actuator": "armature biasprm biastype ctrllimited ctrlrange damping dampingpoly dyntype forcelimited "
        "forcerange gainprm gaintype gear trnid trntype",
        "body": "inertia ipos iquat jntadr jntnum mass parentid pos quat",
        "dof": "armature damping dampingpoly frictionloss",
        "eq": "active0 data obj1id obj2id objtype type",
        "exclude": "signature",
        "geom": "aabb adhesion bodyid conaffinity contype dataid fluid friction pos quat size surfacevel type",
        "jnt": "axis dofadr limited pos qposadr range springyield stiffness stiffnesspoly type",
        "key": "qpos qvel",
        "mesh": "vert vertadr vertnum",
        "pair": "adhesion geom1 geom2",
        "site": "bodyid pos quat",
        "tendon": "adr armature damping dampingpoly frictionloss length0 limited num springyield stiffness "
        "stiffnesspoly",
        "wrap": "objid type",
    }.items()
    for field in fields.split()
)
"""The arrays of a model that the reader uses; older releases lack some."""

OPTIONS = ("gravity", "wind", "density", "viscosity")
NAMED = ("body", "joint", "geom", "mesh", "actuator", "equality", "key")

Answer = dict[str, Any]


def answer(mujoco: Any, request: dict[str, Any]) -> Answer:
    """The arrays of the model in a file, or what MuJoCo says against it."""
    told: list[str] = []
    mujoco.set_mju_user_warning(told.append)  # else it writes warnings to a file in the current folder
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            spec = _spec(mujoco, request)
            model = spec.compile()
        notes = [*told, *(str(warning.message) for warning in caught)]
        return arrays_of(mujoco, spec, model) | {"about": _json({"notes": notes})}
    except MemoryError:
        return {"about": _json({"error": f"it takes more than {ROOM} bytes of memory"})}
    except (ValueError, TypeError, RuntimeError, OSError, mujoco.FatalError) as error:
        return {"about": _json({"error": str(error)})}


def _spec(mujoco: Any, request: dict[str, Any]) -> Any:
    """What MuJoCo makes of a file before it compiles; it knows files by their ending, and others only as text."""
    path = Path(request["path"])
    if path.suffix == ".xml":
        return mujoco.MjSpec.from_file(str(path))
    included = {name: (path.parent / name).read_bytes() for name in request["included"]}
    spec = mujoco.MjSpec.from_string(path.read_text(encoding="utf-8"), include=included)
    spec.modelfiledir = str(path.parent)
    return spec


def arrays_of(mujoco: Any, spec: Any, model: Any) -> Answer:
    """What the reader uses of a compiled model, by name: arrays, options, names of objects, and flags."""
    found = {name: getattr(model, name) for name in (*COUNTS, *FIELDS, "qpos0", "qpos_spring") if hasattr(model, name)}
    found |= {f"option:{name}": getattr(model.opt, name) for name in OPTIONS}
    found["body_fullinertia"] = [body.fullinertia for body in sorted(spec.bodies, key=lambda body: body.id)]
    names = named(mujoco, model)
    bits = {flag.name.removeprefix("mjDSBL_"): int(flag.value) for flag in mujoco.mjtDisableBit.__members__.values()}
    off = [name for name, bit in bits.items() if model.opt.disableflags & bit]
    return {name: np.array(value) for name, value in found.items()} | {"names": _json({"names": names, "off": off})}


def named(mujoco: Any, model: Any) -> dict[str, list[str]]:
    """The names of a model's objects, by their kind and number; empty where they have none."""
    return {kind: _names(mujoco, model, kind) for kind in NAMED}


def _names(mujoco: Any, model: Any, kind: str) -> list[str]:
    count = {"body": "nbody", "joint": "njnt", "actuator": "nu", "equality": "neq"}.get(kind, f"n{kind}")
    mark = getattr(mujoco.mjtObj, f"mjOBJ_{kind.upper()}")
    return [mujoco.mj_id2name(model, mark, number) or "" for number in range(getattr(model, count))]


def _json(value: Any) -> Any:
    return np.frombuffer(json.dumps(value).encode(), np.uint8)


def _serve(mujoco: Any, out: Any) -> None:
    """Answer requests until there are no more."""
    _send(out, b"")
    for line in sys.stdin:
        request = json.loads(line)
        _alarm(request["seconds"])
        file = io.BytesIO()
        np.savez(file, allow_pickle=False, **answer(mujoco, request))
        _alarm(0)
        _send(out, file.getvalue())


def _alarm(seconds: int) -> None:
    """End the process after some seconds, in case nobody is left who would."""
    alarm: Callable[[int], int] | None = getattr(signal, "alarm", None)
    if alarm:
        alarm(seconds)


def _send(out: Any, data: bytes) -> None:
    out.write(len(data).to_bytes(8, "little") + data)
    out.flush()


def _bound_memory() -> None:
    """Let the process have no more than its room, where the system can see to it."""
    try:
        import resource
    except ImportError:  # Windows has no such bound
        return
    resource.setrlimit(resource.RLIMIT_AS, (ROOM, ROOM))


if __name__ == "__main__":
    answers = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)  # what MuJoCo prints is no answer
    import mujoco  # pyright: ignore[reportMissingTypeStubs]

    _bound_memory()
    _serve(mujoco, answers)
