"""Compiling MJCF with the mujoco package, behind a guard that goes through the XML first."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.markup import read_markup
from gambol.formats.mjcf.guard import Guarded, guarded
from gambol.formats.mjcf.process import ask

SECONDS = 6.0  # a thousand free bodies take 0.4, gymnasium's humanoid 0.01
OPTION = "option:"

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
    """A compiled model: its arrays, named as in MuJoCo; file, lines: for errors; notes: its warnings.

    names: of objects, by their kind and number. switched_off: parts of the physics, as MuJoCo's flags call them.
    """

    model: Any
    file: str
    lines: dict[str, int]
    names: Mapping[str, Sequence[str]]
    switched_off: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()

    def where(self, name: str) -> str:
        """The file, and the line on which something of this name begins where that is known."""
        return f"{self.file}, line {self.lines[name]}" if name in self.lines else self.file

    def name(self, kind: str, number: int) -> str:
        """The name of an object by its kind ("body", "joint", ...) and number; empty where it has none."""
        return self.names[kind][number] if 0 <= number < len(self.names[kind]) else ""

    def off(self, part: str) -> bool:
        """Whether the model switches a part of the physics off: "GRAVITY", "SPRING", "EQUALITY" and so on."""
        return part in self.switched_off


def compiled(path: str | Path) -> Compiled:
    """The model that a MJCF file describes, with what it includes.

    MuJoCo compiles it in a process of its own, within 6 s, and 1 s more for each MB of the files that it names.
    Raises GambolError, with file and line where they are known, for what cannot be compiled, and where the package is
    missing.
    """
    path = Path(path)
    root = read_markup(path)
    if root.tag not in ("mujoco", "mujocoinclude"):
        cure = " (read_urdf reads URDF)" if root.tag == "robot" else ""
        raise GambolError(f"{root.where}: an MJCF file begins with <mujoco>, not with <{root.tag}>{cure}")
    found = guarded(path, root)
    lines = {
        element.attributes["name"]: element.line
        for element in root.walk()
        if element.tag in ("body", "joint", "freejoint", "geom", "mesh") and element.attributes.get("name")
    }
    if find_spec("mujoco") is None:
        raise GambolError(
            f"{path.name} is an MJCF file, which the mujoco package compiles; install it: pip install mujoco"
        )
    answer = ask(path, found.included, SECONDS + found.size / 1e6)
    about = json.loads(answer["about"].tobytes())
    if "error" in about:
        places = {name: f"{path.name}, line {line}" for name, line in lines.items()} | _naming_files(found)
        raise GambolError(_explained(about["error"], path.name, places))
    model = unpacked(answer)
    _check_finite(model, path.name)
    notes = tuple(f"MuJoCo: {' '.join(text.split())}." for text in about["notes"])
    told = json.loads(answer["names"].tobytes())
    return Compiled(model, path.name, lines, told["names"], frozenset(told["off"]), notes)


def unpacked(answer: Mapping[str, NDArray[Any]]) -> Any:
    """A model of the arrays that the process answers: model.nbody, model.body_mass, model.opt.gravity and so on."""
    values = {name: array if array.ndim else array.item() for name, array in answer.items()}
    options = {name.removeprefix(OPTION): value for name, value in values.items() if name.startswith(OPTION)}
    return SimpleNamespace(**{name: v for name, v in values.items() if ":" not in name}, opt=SimpleNamespace(**options))


def _naming_files(found: Guarded) -> dict[str, str]:
    """Where each file is named, meshes and textures among them, by its name without folders."""
    naming = (element for element in found.elements() if element.attributes.get("file"))
    return {Path(element.attributes["file"]).name: element.where for element in naming}


def _explained(message: str, file: str, places: Mapping[str, str]) -> str:
    """MuJoCo's error with the place and the cure: the lines that it tells itself are wrong once a file is read.

    places: of what has a name, and of what names a file, by that name.
    """
    named = re.search(r"(?:name|file) '(?:[^']*/)?([^'/]+)'", message)
    cures = (cure for pattern, cure in CURES.items() if pattern in message)
    place = places.get(named[1], file) if named else file
    return f"{place}: MuJoCo cannot compile it: {' '.join(message.split())}{next(cures, '')}"


def _check_finite(model: Any, file: str) -> None:
    """Raise GambolError for places, masses and the like that are not finite in a compiled model."""
    for name in FINITE:
        if not np.isfinite(getattr(model, name)).all():
            what, _, part = name.partition("_")
            raise GambolError(f"{file}: a {KINDS.get(what, what)} has a number ({part or what}) that is not finite")
