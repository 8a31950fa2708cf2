"""Reading MJCF: MuJoCo compiles the file, and the figure is built from what it made."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from gambol.errors import GambolError
from gambol.figure import Figure, Triple, transposed, turned
from gambol.formats.blame import blamed
from gambol.formats.mjcf.compiled import Compiled, compiled
from gambol.formats.mjcf.forces import motors_of, springs_of
from gambol.formats.mjcf.geoms import ground_of, parts_of
from gambol.formats.mjcf.pairs import apart_of, paired_of
from gambol.formats.mjcf.refusals import medium_of, refuse
from gambol.formats.mjcf.ties import constraints_of
from gambol.formats.mjcf.tree import BALL, FREE, links_of, names_of, rotation_of
from gambol.formats.specimen import Specimen, check_size

START = "home"
"""The keyframe in which a figure starts, if its file has one of this name."""


def read_mjcf(path: str | Path, *, leave_out: Collection[str] = ()) -> Specimen:
    """The specimen that a MJCF file describes, by way of the mujoco package.

    leave_out: what the file has and gambol does not, such as "plugins", to read it without; any "fluid", too.
    Coordinates count as MuJoCo's do, references included. Each body is a link; where several joints carry one, links
    without mass lie between, named after the joints. Limits come without stiffness (with_stops gives them some),
    actuators as data; the specimen's notes say what was left out or approximated. Raises GambolError, with file and
    line where known, for what cannot be compiled and for what gambol cannot simulate.
    """
    given = compiled(path)
    check_size(given.model.nbody, given.file)
    notes = {*refuse(given, leave_out), *given.notes}
    names = names_of(given)
    with blamed(given.file, {name: given.where(name) for name in given.lines}):
        if not (links := links_of(given, names, parts_of(given, names, notes))):
            raise GambolError(f"{given.file} has no body, and no obstacle; give it one inside <worldbody>")
        ties, pairs = constraints_of(given, names, notes), (apart_of(given, names), paired_of(given, names, notes))
        figure = Figure(Path(path).stem, links, False, ties, *pairs)
        springs, motors, ground = springs_of(given, names), motors_of(given, names, notes), ground_of(given, notes)
        q, v = _start(given)
        medium = (0.0, 0.0) if "fluid" in leave_out else medium_of(given.model)
        return Specimen(figure, springs, motors, q, v, _gravity(given), ground, tuple(sorted(notes)), *medium)


def _gravity(given: Compiled) -> Triple:
    """Free fall in world axes [m/s2]."""
    x, y, z = (0.0 if given.off("GRAVITY") else float(g) for g in given.model.opt.gravity)
    return (x, y, z)


def _start(given: Compiled) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Coordinates and velocities of the keyframe "home", or of the reference position at rest, in our order."""
    model, keys = given.model, {given.name("key", k): k for k in range(given.model.nkey)}
    qpos = model.key_qpos[keys[START]] if START in keys else model.qpos0
    qvel = model.key_qvel[keys[START]] if START in keys else np.zeros(model.nv)
    return figure_state(model, qpos, qvel)


def figure_state(model: Any, qpos: Any, qvel: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """A figure's coordinates and velocities from those of the MuJoCo model that it was read from.

    MuJoCo's free joints have their position and linear velocity first, the latter along the world's axes.
    """
    q: list[float] = []
    v: list[float] = []
    for joint in range(model.njnt):
        kind, a, b = int(model.jnt_type[joint]), int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        if kind == FREE:
            turn, place = _unit(qpos[a + 3 : a + 7]), qpos[a : a + 3].tolist()
            q.extend((*turn, *place))
            along = turned(transposed(rotation_of(turn)), qvel[b : b + 3].tolist())
            v.extend((*qvel[b + 3 : b + 6].tolist(), *along))
        elif kind == BALL:
            q.extend(_unit(qpos[a : a + 4]))
            v.extend(qvel[b : b + 3].tolist())
        else:
            q.append(float(qpos[a]))
            v.append(float(qvel[b]))
    return tuple(q), tuple(v)


def _unit(quaternion: Any) -> list[float]:
    q = np.array(quaternion, float)
    return (q / np.linalg.norm(q)).tolist()
