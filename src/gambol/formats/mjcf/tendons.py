"""The tendons of a compiled MJCF model."""

import math
from typing import Any

from gambol.figure.rotation import triple
from gambol.figure.springs import STOP_HERTZ
from gambol.formats.mjcf.compiler import CompiledMjcf
from gambol.formats.mjcf.forces import limits_of
from gambol.formats.mjcf.tree import Names, rotation_of
from gambol.formats.tendon import Tendon, TendonElement, TendonPulley, TendonSite, TendonWrap

JOINT, PULLEY, SITE, SPHERE, CYLINDER = 1, 2, 3, 4, 5  # mjtWrap


def tendons_of(mjcf: CompiledMjcf, names: Names, notes: set[str]) -> dict[int, Tendon]:
    """Return the tendons of a model by number.

    names: names of the links. notes: receives sentences on approximations.
    """
    tendons: dict[int, Tendon] = {}
    used: set[str] = set()
    for number in range(mjcf.model.ntendon):
        name = mjcf.name("tendon", number) or f"tendon{number + 1}"
        while name in used:
            name += "'"
        used.add(name)
        tendons[number] = _tendon(mjcf, names, number, name)
        if tendons[number].limit_stiffness:
            notes.add(f"Limits of tendons are critically damped stops of {STOP_HERTZ:g} Hz.")
    return tendons


def _tendon(mjcf: CompiledMjcf, names: Names, number: int, name: str) -> Tendon:
    model = mjcf.model
    first, count = int(model.tendon_adr[number]), int(model.tendon_num[number])
    objects = range(first, first + count)
    is_fixed = all(int(model.wrap_type[k]) == JOINT for k in objects)
    joints = [(names.joints[int(model.wrap_objid[k])], float(model.wrap_prm[k])) for k in objects] if is_fixed else []
    path = [] if is_fixed else [_element(model, names, k) for k in objects]
    stiffness = 0.0 if mjcf.is_disabled("SPRING") else float(model.tendon_stiffness[number])
    damping = 0.0 if mjcf.is_disabled("DAMPER") else float(model.tendon_damping[number])
    shortest, longest = (float(x) for x in model.tendon_lengthspring[number])
    has_limits = bool(model.tendon_limited[number]) and not (
        mjcf.is_disabled("LIMIT") or mjcf.is_disabled("CONSTRAINT")
    )
    lower, upper = limits_of(has_limits, model.tendon_range[number])
    w, mass = 2.0 * math.pi * STOP_HERTZ, 1.0 / max(float(model.tendon_invweight0[number]), 1e-15)
    stop = (mass * w * w, 2.0 * mass * w) if has_limits else (0.0, 0.0)
    return Tendon(name, tuple(path), tuple(joints), stiffness, damping, shortest, longest, lower, upper, *stop)


def _element(model: Any, names: Names, k: int) -> TendonElement:
    """Return entry k of the paths of a model. names: names of the links."""
    kind, index = int(model.wrap_type[k]), int(model.wrap_objid[k])
    if kind == PULLEY:
        return TendonPulley(float(model.wrap_prm[k]))
    if kind == SITE:
        return _site(model, names, index)
    body, side = int(model.geom_bodyid[index]), round(float(model.wrap_prm[k]))
    return TendonWrap(
        "sphere" if kind == SPHERE else "cylinder",
        names.bodies.get(body),
        names.position_in_link(body, model.geom_pos[index]),
        rotation_of(model.geom_quat[index]),
        float(model.geom_size[index][0]),
        _site(model, names, side) if side >= 0 else None,
    )


def _site(model: Any, names: Names, site: int) -> TendonSite:
    body = int(model.site_bodyid[site])
    return TendonSite(names.bodies.get(body), triple(names.position_in_link(body, model.site_pos[site])))
