"""Compiling MJCF with the mujoco package, behind a guard that goes through the XML first."""

import re
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from gambol.errors import GambolError
from gambol.formats.markup import Element, read_markup

CURES = {
    "opening file": "; put the file beside the model, or correct its name (or meshdir in <compiler>)",
    "inertia must satisfy": ' (balanceinertia="true" in <compiler> makes it possible)',
    "moving bodies": "; give the body an <inertial> or a shape with mass",
}
"""What to do about some of MuJoCo's errors."""

FINITE = (
    "body_pos", "body_quat", "body_ipos", "body_iquat", "body_mass", "body_inertia", "jnt_pos", "jnt_axis",
    "jnt_stiffness", "qpos0", "qpos_spring", "dof_armature", "dof_damping", "dof_frictionloss", "geom_pos", "geom_size",
    "geom_quat", "eq_data",
)  # fmt: skip
KINDS = {"jnt": "joint", "dof": "joint", "qpos0": "joint", "qpos": "joint", "geom": "shape", "eq": "constraint"}


@dataclass(frozen=True)
class Compiled:
    """A compiled model: mujoco the package; spec and model its objects; file, root: for errors; notes: its warnings."""

    mujoco: Any
    spec: Any
    model: Any
    file: str
    lines: dict[str, int]
    notes: tuple[str, ...] = ()

    def where(self, name: str) -> str:
        """The file, and the line on which something of this name begins where that is known."""
        return f"{self.file}, line {self.lines[name]}" if name in self.lines else self.file

    def name(self, kind: str, number: int) -> str:
        """The name of an object by its kind ("body", "joint", ...) and number; empty where it has none."""
        found = self.mujoco.mj_id2name(self.model, getattr(self.mujoco.mjtObj, f"mjOBJ_{kind.upper()}"), number)
        return found or ""

    def off(self, part: str) -> bool:
        """Whether the model switches a part of the physics off: "GRAVITY", "SPRING", "EQUALITY" and so on."""
        return bool(self.model.opt.disableflags & int(getattr(self.mujoco.mjtDisableBit, f"mjDSBL_{part}")))


def compiled(path: str | Path) -> Compiled:
    """The model that a MJCF file describes, with what it includes.

    Raises GambolError, with file and line where they are known, for what cannot be compiled, and where the package is
    missing.
    """
    path = Path(path)
    documents = _documents(path)
    root = documents[0]
    if root.tag not in ("mujoco", "mujocoinclude"):
        cure = " (read_urdf reads URDF)" if root.tag == "robot" else ""
        raise GambolError(f"{root.where}: an MJCF file begins with <mujoco>, not with <{root.tag}>{cure}")
    mujoco = _package(path)
    lines = {
        element.attributes["name"]: element.line
        for element in root.walk()
        if element.tag in ("body", "joint", "freejoint", "geom", "mesh") and element.attributes.get("name")
    }
    told: list[str] = []
    mujoco.set_mju_user_warning(told.append)  # else it writes warnings to a file in the current folder
    try:
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            spec = _spec(mujoco, path, documents)
            model = spec.compile()
    except (ValueError, TypeError, RuntimeError, mujoco.FatalError) as error:
        places = {name: f"{path.name}, line {line}" for name, line in lines.items()} | _naming_files(documents)
        raise GambolError(_explained(str(error), path.name, places)) from error
    finally:
        mujoco.set_mju_user_warning(None)
    _check_finite(model, path.name)
    notes = tuple(f"MuJoCo: {' '.join(str(text).split())}." for text in (*told, *(w.message for w in caught)))
    return Compiled(mujoco, spec, model, path.name, lines, notes)


def _spec(mujoco: Any, path: Path, documents: list[Element]) -> Any:
    """What MuJoCo makes of a file before it compiles; it knows files by their ending, and others only as text."""
    if path.suffix == ".xml":
        return mujoco.MjSpec.from_file(str(path))
    names = {e.name("file") for document in documents for e in document.walk() if e.tag == "include"}
    included = {name: (path.parent / name).read_bytes() for name in names}
    spec = mujoco.MjSpec.from_string(path.read_text(encoding="utf-8"), include=included)
    spec.modelfiledir = str(path.parent)
    return spec


def _naming_files(documents: list[Element]) -> dict[str, str]:
    """Where each file is named, meshes and textures among them, by its name without folders."""
    naming = (element for document in documents for element in document.walk() if element.attributes.get("file"))
    return {Path(element.attributes["file"]).name: element.where for element in naming}


def _explained(message: str, file: str, places: Mapping[str, str]) -> str:
    """MuJoCo's error with the place and the cure: the lines that it tells itself are wrong once a file is read.

    places: of what has a name, and of what names a file, by that name.
    """
    named = re.search(r"(?:name|file) '(?:[^']*/)?([^'/]+)'", message)
    cures = (cure for pattern, cure in CURES.items() if pattern in message)
    place = places.get(named[1], file) if named else file
    return f"{place}: MuJoCo cannot compile it: {' '.join(message.split())}{next(cures, '')}"


def _package(path: Path) -> Any:
    """The mujoco package, imported when the first file needs it."""
    try:
        import mujoco  # pyright: ignore[reportMissingTypeStubs]
    except ImportError as error:
        raise GambolError(
            f"{path.name} is an MJCF file, which the mujoco package compiles; install it: pip install mujoco"
        ) from error
    return mujoco


def _documents(path: Path) -> list[Element]:
    """The file and those it includes, each found to be well-formed and free of entities; no cycle among them."""
    documents = [read_markup(path)]
    _check_numbers(documents[0])
    waiting: list[tuple[Element, tuple[Path, ...]]] = [(documents[0], (path.resolve(),))]
    while waiting:
        document, trail = waiting.pop()
        for include in (element for element in document.walk() if element.tag == "include"):
            file = (path.parent / include.name("file")).resolve()  # MuJoCo looks beside the first file
            if file in trail:
                chain = " -> ".join(step.name for step in (*trail, file))
                raise GambolError(f"{include.where}: files include each other in a circle: {chain}")
            try:
                found = read_markup(file)
            except GambolError as error:
                raise error if file.is_file() else GambolError(f"{include.where}: {error}") from error
            _check_numbers(found)
            documents.append(found)
            waiting.append((found, (*trail, file)))
    return documents


def _check_finite(model: Any, file: str) -> None:
    """Raise GambolError for places, masses and the like that are not finite in a compiled model."""
    for name in FINITE:
        if not np.isfinite(getattr(model, name)).all():
            what, _, part = name.partition("_")
            raise GambolError(f"{file}: a {KINDS.get(what, what)} has a number ({part or what}) that is not finite")


def _check_numbers(document: Element) -> None:
    """Raise GambolError for an attribute with a NaN, of which MuJoCo only warns."""
    for element in document.walk():
        for name, value in element.attributes.items():
            if name not in ("name", "class", "file") and "nan" in value.lower().split():
                raise GambolError(f'{element.where}: <{element.tag} {name}="{value}"> has a NaN; give a number')
