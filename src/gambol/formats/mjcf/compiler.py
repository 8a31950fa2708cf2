"""Compiling MJCF with the mujoco package, after a check of the XML."""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from importlib.util import find_spec
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.formats.foreign_parser import Parser, ask_parser
from gambol.formats.mjcf.precheck import CheckedFile, check_file
from gambol.formats.xml_file import read_xml

MUJOCO = Parser("MuJoCo", Path(__file__).with_name("worker.py"), "import mujoco")

BASE_SECONDS = 6.0  # s: time limit of a small file; a thousand free bodies take 0.4 s, gymnasium's humanoid 0.01 s
OPTION_PREFIX = "option:"  # of the names of mjOption's fields in the worker's answer

HINTS = {
    "opening file": "; put the file beside the model, or correct its name (or meshdir in <compiler>)",
    "inertia must satisfy": ' (balanceinertia="true" in <compiler> makes it possible)',
    "moving bodies": "; give the body an <inertial> or a shape with mass",
}
"""Hints that are appended to errors of MuJoCo, by a phrase of the error; the first matching phrase is used."""

FINITE_ARRAYS = (
    "body_pos", "body_quat", "body_ipos", "body_iquat", "body_mass", "body_inertia", "jnt_pos", "jnt_axis",
    "jnt_stiffness", "qpos0", "qpos_spring", "dof_armature", "dof_damping", "dof_frictionloss", "geom_pos", "geom_size",
    "geom_quat", "eq_data",
)  # fmt: skip
"""The arrays of a model in which every number must be finite."""

KINDS_BY_PREFIX = {
    "jnt": "joint",
    "dof": "joint",
    "qpos0": "joint",
    "qpos": "joint",
    "geom": "shape",
    "eq": "constraint",
}
"""The word for an object in error messages, by the first part of an array's name."""


@dataclass(frozen=True)
class CompiledMjcf:
    """A compiled MJCF file.

    model: arrays, named as in mjModel. file: name of the file. lines: line numbers of named elements. names: names of
    objects, by kind and number. disabled: names of the flags of mjtDisableBit that are set. notes: MuJoCo's warnings.
    kinds: names of the kinds of sensors and of objects, by the decimal text of their number in this release of MuJoCo.
    """

    model: Any
    file: str
    lines: dict[str, int]
    names: Mapping[str, Sequence[str]]
    disabled: frozenset[str] = frozenset()
    notes: tuple[str, ...] = ()
    kinds: Mapping[str, Mapping[str, str]] = field(default_factory=dict[str, Mapping[str, str]])

    def where(self, name: str) -> str:
        """Return the location of a named element: the file, and the line if it is known."""
        return f"{self.file}, line {self.lines[name]}" if name in self.lines else self.file

    def name(self, kind: str, number: int) -> str:
        """Return the name of an object by its kind ("body", "joint", ...) and number; "" if it has none."""
        return self.names[kind][number] if 0 <= number < len(self.names[kind]) else ""

    def is_disabled(self, part: str) -> bool:
        """Return True if the model disables a part of the physics: "GRAVITY", "SPRING", "EQUALITY" and so on."""
        return part in self.disabled


def compile_mjcf(path: str | Path, visual_limits: Mapping[str, int] | None = None) -> CompiledMjcf:
    """Compile an MJCF file with everything that it includes.

    visual_limits: limits of triangles and textures, the arguments of the worker's visual_arrays(); None: these are not
    read. MuJoCo runs in a separate process, for at most 6 s plus 1 s per MB of the file and of all files that it names.
    Raises GambolError, with file and line if known, if the file cannot be compiled or the mujoco package is not
    installed.
    """
    path = Path(path)
    root = read_xml(path)
    if root.tag not in ("mujoco", "mujocoinclude"):
        hint = " (read_urdf reads URDF)" if root.tag == "robot" else ""
        raise GambolError(f"{root.where}: an MJCF file begins with <mujoco>, not with <{root.tag}>{hint}")
    checked = check_file(path, root)
    lines = {
        element.attributes["name"]: element.line
        for element in root.walk()
        if element.tag in ("body", "joint", "freejoint", "geom", "mesh") and element.attributes.get("name")
    }
    if find_spec("mujoco") is None:
        raise GambolError(
            f"{path.name} is an MJCF file, which the mujoco package compiles; install it: pip install mujoco"
        )
    request = {"path": str(path.absolute()), "included": list(checked.included), "visual_limits": visual_limits}
    answer = ask_parser(MUJOCO, request, path, BASE_SECONDS + checked.size / 1e6)
    info = json.loads(answer["about"].tobytes())
    if "error" in info:
        locations = {name: f"{path.name}, line {line}" for name, line in lines.items()} | _file_references(checked)
        raise GambolError(_error_message(info["error"], path.name, locations))
    model = model_namespace(answer)
    _check_finite(model, path.name)
    notes = tuple(f"MuJoCo: {' '.join(text.split())}." for text in info["notes"])
    metadata = json.loads(answer["names"].tobytes())
    disabled = frozenset(metadata["off"])
    return CompiledMjcf(model, path.name, lines, metadata["names"], disabled, notes, metadata["kinds"])


def model_namespace(answer: Mapping[str, NDArray[Any]]) -> Any:
    """Return the arrays of the worker's answer as a namespace: model.nbody, model.body_mass, model.opt.gravity, ..."""
    values = {name: array if array.ndim else array.item() for name, array in answer.items()}
    options = {
        name.removeprefix(OPTION_PREFIX): value for name, value in values.items() if name.startswith(OPTION_PREFIX)
    }
    return SimpleNamespace(**{name: v for name, v in values.items() if ":" not in name}, opt=SimpleNamespace(**options))


def _file_references(checked: CheckedFile) -> dict[str, str]:
    """Return file and line of every reference to a file, by the referenced file's name without folders."""
    elements = (element for element in checked.elements() if element.attributes.get("file"))
    return {Path(element.attributes["file"]).name: element.where for element in elements}


def _error_message(message: str, file: str, locations: Mapping[str, str]) -> str:
    """Return an error message of MuJoCo with location and hint.

    The location comes from the name that the message quotes, since MuJoCo's line numbers are wrong after includes.
    message: message of MuJoCo. file: the compiled file. locations: file and line of named elements and referenced
    files.
    """
    quoted_name = re.search(r"(?:name|file) '(?:[^']*/)?([^'/]+)'", message)
    hints = (hint for phrase, hint in HINTS.items() if phrase in message)
    location = locations.get(quoted_name[1], file) if quoted_name else file
    return f"{location}: MuJoCo cannot compile it: {' '.join(message.split())}{next(hints, '')}"


def _check_finite(model: Any, file: str) -> None:
    """Raise GambolError if positions, masses or other numbers of a compiled model are not finite."""
    for name in FINITE_ARRAYS:
        if not np.isfinite(getattr(model, name)).all():
            prefix, _, field = name.partition("_")
            raise GambolError(
                f"{file}: a {KINDS_BY_PREFIX.get(prefix, prefix)} has a number ({field or prefix}) that is not finite"
            )
