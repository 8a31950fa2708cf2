"""Features of MuJoCo that gambol does not simulate: each raises an error, unless it is in leave_out."""

from collections.abc import Callable, Collection
from typing import Any, Final

from gambol.errors import GambolError, did_you_mean
from gambol.formats.mjcf.compiler import CompiledMjcf


def _any_nonzero(model: Any, *names: str) -> bool:
    """Return True if a model has a nonzero entry in any of these arrays; missing arrays are skipped."""
    arrays = (getattr(model, name, None) for name in names)
    return any(bool(numbers.any()) for numbers in arrays if numbers is not None)


def _has_tendon_forces(model: Any) -> bool:
    fields = ("frictionloss", "armature", "stiffnesspoly", "dampingpoly", "springyield", "actfrclimited")
    return _any_nonzero(model, *(f"tendon_{name}" for name in fields))


def _has_free_joint_armature(model: Any) -> bool:
    free = [k for k in range(model.njnt) if model.jnt_type[k] == 0]
    return any(model.dof_armature[model.jnt_dofadr[k] : model.jnt_dofadr[k] + 6].any() for k in free)


def _has_free_joint_springs(model: Any) -> bool:
    return any(model.jnt_type[k] == 0 and model.jnt_stiffness[k] != 0.0 for k in range(model.njnt))


def medium_of(model: Any) -> tuple[float, float]:
    """Return density [kg/m3] and viscosity [Pa s] of the medium of a model."""
    return float(model.opt.density), float(model.opt.viscosity)


def _has_unsupported_fluid(model: Any) -> bool:
    return any(medium_of(model)) and (bool(model.opt.wind.any()) or bool(model.geom_fluid[:, 0].any()))


UNSUPPORTED: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "fluid": (_has_unsupported_fluid, "moves through a fluid with wind, or with the forces on ellipsoids (fluidshape)"),
    "tendons": (
        _has_tendon_forces,
        "has tendons with friction, inertia, nonlinear springs, or limits of forces on them",
    ),
    "actuator delays": (lambda m: _any_nonzero(m, "actuator_delay"), "has actuators with a delay"),
    "gravity compensation": (lambda m: m.ngravcomp > 0, "compensates the weight of bodies (gravcomp)"),
    "flexes": (lambda m: m.nflex > 0, "has deformable bodies (flex)"),
    "plugins": (lambda m: m.nplugin > 0, "uses plugins"),
    "nonlinear springs": (
        lambda m: _any_nonzero(m, "jnt_stiffnesspoly", "dof_dampingpoly", "jnt_springyield"),
        "has joints with springs or dampers that are not linear, or that yield",
    ),
    "adhesion": (lambda m: _any_nonzero(m, "geom_adhesion", "pair_adhesion"), "has shapes that stick (adhesion)"),
    "surface velocity": (lambda m: _any_nonzero(m, "geom_surfacevel"), "has shapes whose surface moves (surfacevel)"),
    "actuator damping": (
        lambda m: _any_nonzero(m, "actuator_armature", "actuator_damping", "actuator_dampingpoly"),
        "has actuators with inertia or damping",
    ),
    "free joint armature": (_has_free_joint_armature, "has free joints with a rotor (armature)"),
    "free joint springs": (_has_free_joint_springs, "has free joints with springs"),
}
"""The unsupported features by name: the function that finds the feature in a model, and a description of it."""


def check_supported(mjcf: CompiledMjcf, leave_out: Collection[str]) -> tuple[str, ...]:
    """Return notes on omitted and changed features.

    leave_out: names in UNSUPPORTED of the features to leave out. Raises GambolError for other unsupported features of
    the model, and for an unknown name in leave_out.
    """
    for name in leave_out:
        if name not in UNSUPPORTED:
            raise GambolError(f'"{name}" cannot be left out of a file; {did_you_mean(name, UNSUPPORTED)}')
    notes: list[str] = []
    for name, (is_used, description) in UNSUPPORTED.items():
        if not is_used(mjcf.model):
            continue
        if name not in leave_out:
            raise GambolError(
                f"{mjcf.file} {description}; gambol does not simulate this; "
                f"leave_out=['{name}'] reads the file without it"
            )
        notes.append(f"Left out: {name}. The file {description}.")
    if "fluid" in leave_out and any(medium_of(mjcf.model)) and not _has_unsupported_fluid(mjcf.model):
        notes.append("Left out: fluid. The file has a medium (density or viscosity).")
    if mjcf.model.nmocap:
        notes.append("Bodies that are moved from outside (mocap) stay where they are.")
    if mjcf.model.nskin:
        notes.append("Left out: skins, which are only drawn.")
    return tuple(notes)
