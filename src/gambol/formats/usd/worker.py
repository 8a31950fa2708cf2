"""The worker of OpenUSD, a script that returns the content of a file.

The script does not import gambol; it imports OpenUSD when it starts. It opens a stage and returns the bodies, shapes,
joints and materials on it as plain data, in the units and axes of the file. Lengths are only multiplied by the scales
of the prims. All files that a stage is composed of are listed before it is opened: they must be regular files below the
folder of the first one.
"""

import json
import os
import re
import runpy
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

MODULES = ("Ar", "Gf", "Sdf", "Tf", "Usd", "UsdGeom", "UsdPhysics", "UsdShade")
SUFFIXES = (".usd", ".usda", ".usdc", ".usdz")
MAX_FILES = 1000  # of a stage
MAX_BYTES = 500_000_000  # of all files of a stage
PRIMS = runpy.run_path(str(Path(__file__).with_name("prims.py")))  # this script imports nothing of its package

Data = dict[str, Any]


class Refused(Exception):
    """A file that is not opened; the message gives the reason."""


def load() -> Any:
    """Import OpenUSD, without plugins and search paths of the environment."""
    for name in [name for name in os.environ if name.startswith("PXR_")]:
        del os.environ[name]
    os.environ["PXR_WORK_THREAD_LIMIT"] = "1"  # each thread would reserve address space
    return SimpleNamespace(**{name: import_module(f"pxr.{name}") for name in MODULES})


def answer(pxr: Any, request: Data) -> dict[str, Any]:
    """Return the content of a file, or the reason why it cannot be read: JSON as "about", and arrays of meshes.

    request: its path, and "visuals", False to leave out how its shapes look.
    """
    arrays: list[Any] = []
    try:
        path = Path(request["path"])
        missing, folder = check_files(pxr, path), path.parent.resolve() if request["visuals"] else None
        content = PRIMS["stage_content"](pxr, pxr.Usd.Stage.Open(str(path)), arrays, folder) | {"missing": missing}
    except (Refused, pxr.Tf.ErrorException, RuntimeError, ValueError, TypeError, LookupError, OSError) as error:
        content = {"error": _plain_message(error, Path(request["path"]))}
    about = np.frombuffer(json.dumps(content).encode(), np.uint8)
    return {"about": about} | {f"array{k}": array for k, array in enumerate(arrays)}


def _plain_message(error: Exception, path: Path) -> str:
    """Return the message of an error without source locations of OpenUSD and the folder of the file."""
    try:
        message = " ".join(str(error).split())
    except UnicodeDecodeError:  # of the file's bytes that OpenUSD quotes
        return "its text is not UTF-8"
    match = re.match(r"Error in '.*?' at line \d+ in file \S+ : '(.*)'$", message)
    return (match.group(1) if match else message).replace(f"{path.parent}{os.sep}", "")[:400]


def check_files(pxr: Any, path: Path) -> list[str]:
    """Return the names of files that a stage refers to and that do not exist, before the stage is opened.

    Raises Refused for files outside the folder of the first file, for files that are not regular, and for too many
    files.
    """
    folder, missing, size = path.parent.resolve(), list[str](), 0
    waiting, done = [str(path)], set[str]()
    while waiting:
        name = waiting.pop()
        if name in done:
            continue
        done.add(name)
        outer = Path(name.partition("[")[0]).resolve()
        size += outer.stat().st_size if "[" not in name else 0
        if len(done) > MAX_FILES or size > MAX_BYTES:
            raise Refused(f"it refers to more than {MAX_FILES} files or {MAX_BYTES // 1_000_000} MB")
        layer = pxr.Sdf.Layer.FindOrOpen(name)
        if layer is None:
            raise Refused(f'"{outer.name}" is not a USD file that OpenUSD can read')
        _check_clips(layer, outer.name)
        for reference in filter(None, layer.GetCompositionAssetDependencies()):  # "" is the layer itself
            target = _resolved(pxr, layer, reference)
            if target is None:
                missing.append(reference)
            else:
                _check_below(target, reference, folder)
                waiting.append(target)
    return sorted(set(missing))


def _resolved(pxr: Any, layer: Any, reference: str) -> str | None:
    """Return the path of a file that a layer refers to, or None if it does not exist."""
    if "`" in reference:
        raise Refused(f'the reference "{reference[:80]}" has variables; write the path of a file')
    name = pxr.Sdf.Layer.SplitIdentifier(reference)[0]
    target = str(pxr.Ar.GetResolver().Resolve(layer.ComputeAbsolutePath(name)))
    return target or None


def _check_below(target: str, reference: str, folder: Path) -> None:
    outer = Path(target.partition("[")[0]).resolve()
    if not outer.is_relative_to(folder):
        raise Refused(f'it refers to "{reference[:200]}", outside its folder; copy this file below the folder')
    if not outer.is_file() or outer.suffix.lower() not in SUFFIXES:
        raise Refused(f'it refers to "{reference[:200]}", which is not a USD file')


def _check_clips(layer: Any, name: str) -> None:
    """Raise Refused for value clips, since their files are named by patterns; and for too many prims."""
    count = 0

    def check(path: Any) -> None:
        nonlocal count
        count += bool(path.IsPrimPath())
        if count > PRIMS["MAX_PRIMS"]:
            raise Refused(f'"{name}" has more than {PRIMS["MAX_PRIMS"]} prims')
        spec = layer.GetPrimAtPath(path) if path.IsPrimPath() else None
        if spec is not None and (spec.HasInfo("clips") or spec.HasInfo("clipSets")):
            raise Refused(f'"{name}" has value clips, which are not read; write its motion without them')

    layer.Traverse(layer.pseudoRoot.path, check)
