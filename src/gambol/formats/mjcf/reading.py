"""Reading MJCF: MuJoCo compiles the file, and the figure is built from the compiled model."""

from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from gambol.errors import GambolError, did_you_mean
from gambol.figure import Figure, Triple, rotated, transposed
from gambol.formats.error_location import located_errors
from gambol.formats.mjcf.compiler import CompiledMjcf, compile_mjcf
from gambol.formats.mjcf.equalities import constraints_of
from gambol.formats.mjcf.forces import springs_of
from gambol.formats.mjcf.geoms import ground_of, parts_of
from gambol.formats.mjcf.motors import motors_of
from gambol.formats.mjcf.pairs import excluded_pairs, explicit_pairs
from gambol.formats.mjcf.sensors import sensors_of
from gambol.formats.mjcf.tendons import tendons_of
from gambol.formats.mjcf.tree import BALL, FREE, links_of, names_of, rotation_of
from gambol.formats.mjcf.unsupported import check_supported, medium_of
from gambol.formats.mjcf.visuals import VISUAL_LIMITS, visuals_of
from gambol.formats.model import Model, check_size

KEYFRAME = "home"
"""The name of the keyframe that gives the initial state by default, if the file has this keyframe."""


def read_mjcf(
    path: str | Path, *, leave_out: Collection[str] = (), visuals: bool = True, pose: str | None = None
) -> Model:
    """Return the model that an MJCF file describes, compiled by the mujoco package.

    path: path of the file. leave_out: names of unsupported features, such as "plugins", to ignore; "fluid" ignores any
    medium. visuals: False draws the parts of all links, not their visual geoms. pose: name of the keyframe that gives
    the initial state; None: "home", if the file has it. Positions of hinges and slides equal MuJoCo's qpos, also where
    its reference positions are not 0. Each body becomes a link. A body with several joints gets massless links between
    them, named after the joints. Joint limits have no stiffness (with_stops adds it). Actuators become motors; tendons
    and sensors are stored as data. The notes of the model list what was left out or approximated. Raises GambolError,
    with file and line if known, if the file cannot be compiled or gambol cannot simulate a feature.
    """
    mjcf = compile_mjcf(path, VISUAL_LIMITS if visuals else None)
    check_size(mjcf.model.nbody, mjcf.file)
    notes = {*check_supported(mjcf, leave_out), *mjcf.notes}
    names = names_of(mjcf)
    with located_errors(mjcf.file, {name: mjcf.where(name) for name in mjcf.lines}):
        parts = parts_of(mjcf, names, notes)
        body_visuals = visuals_of(mjcf, names, parts, notes) if visuals else {}
        if not (links := links_of(mjcf, names, parts, body_visuals)):
            raise GambolError(f"{mjcf.file} has no body, and no obstacle; give it one inside <worldbody>")
        constraints, pairs = (
            constraints_of(mjcf, names, notes),
            (excluded_pairs(mjcf, names), explicit_pairs(mjcf, names, notes)),
        )
        if 0 in body_visuals and body_visuals[0] != links[0].visuals:
            notes.add("Not drawn: shapes that are fixed to the world and touch nothing.")
        figure = Figure(Path(path).stem, links, False, constraints, *pairs)
        springs, ground, tendons = springs_of(mjcf, names), ground_of(mjcf, notes), tendons_of(mjcf, names, notes)
        motors = motors_of(mjcf, names, {number: tendon.name for number, tendon in tendons.items()}, notes)
        q, v, sensors = *_initial_state(mjcf, pose), sensors_of(mjcf, names, figure, tendons, notes)
        medium = (0.0, 0.0) if "fluid" in leave_out else medium_of(mjcf.model)
        given = (springs, motors, q, v, _gravity(mjcf), ground, tuple(sorted(notes)), *medium)
        return Model(figure, *given, tuple(tendons.values()), sensors)


def _gravity(mjcf: CompiledMjcf) -> Triple:
    """Return gravity in world axes [m/s2]."""
    x, y, z = (0.0 if mjcf.is_disabled("GRAVITY") else float(g) for g in mjcf.model.opt.gravity)
    return (x, y, z)


def _initial_state(mjcf: CompiledMjcf, pose: str | None) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return coordinates and velocities of a keyframe.

    pose: its name. None: "home"; if the file lacks it, the reference position at rest. Raises GambolError for an
    unknown name.
    """
    model, keyframes = mjcf.model, {mjcf.name("key", k): k for k in range(mjcf.model.nkey)}
    if pose is not None and pose not in keyframes:
        known = did_you_mean(pose, keyframes) if keyframes else "it has none"
        raise GambolError(f'{mjcf.file} has no keyframe "{pose}"; {known}')
    k = keyframes.get(KEYFRAME if pose is None else pose)
    if k is None:
        return figure_state(model, model.qpos0, np.zeros(model.nv))
    return figure_state(model, model.key_qpos[k], model.key_qvel[k])


def figure_state(model: Any, qpos: Any, qvel: Any) -> tuple[tuple[float, ...], tuple[float, ...]]:
    """Return a figure's coordinates and velocities from those of the MuJoCo model that it was read from.

    model: an MjModel. qpos (nq), qvel (nv): coordinates and velocities in MuJoCo; of a free joint, the position
    precedes the quaternion, and the linear velocity, in world axes, precedes the angular velocity. Returns q and v in
    gambol's order.
    """
    q: list[float] = []
    v: list[float] = []
    for joint in range(model.njnt):
        kind, iq, iv = int(model.jnt_type[joint]), int(model.jnt_qposadr[joint]), int(model.jnt_dofadr[joint])
        if kind == FREE:
            quaternion, position = _normalised(qpos[iq + 3 : iq + 7]), qpos[iq : iq + 3].tolist()
            q.extend((*quaternion, *position))
            v_L = rotated(transposed(rotation_of(quaternion)), qvel[iv : iv + 3].tolist())
            v.extend((*qvel[iv + 3 : iv + 6].tolist(), *v_L))
        elif kind == BALL:
            q.extend(_normalised(qpos[iq : iq + 4]))
            v.extend(qvel[iv : iv + 3].tolist())
        else:
            q.append(float(qpos[iq]))
            v.append(float(qvel[iv]))
    return tuple(q), tuple(v)


def _normalised(quaternion: Any) -> list[float]:
    q = np.array(quaternion, float)
    return (q / np.linalg.norm(q)).tolist()
