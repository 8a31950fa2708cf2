"""What MuJoCo can simulate and gambol cannot: each is refused by name, never dropped silently."""

from collections.abc import Callable, Collection
from typing import Any, Final

from gambol.errors import GambolError, did_you_mean
from gambol.formats.mjcf.compiled import Compiled


def _any(model: Any, *names: str) -> bool:
    """Whether any of these arrays of a model has a number other than 0; arrays that older releases lack have none."""
    found = (getattr(model, name, None) for name in names)
    return any(bool(numbers.any()) for numbers in found if numbers is not None)


def _driven_tendons(model: Any) -> bool:
    linear = ("stiffness", "damping", "frictionloss", "limited", "armature")
    return _any(model, *(f"tendon_{name}" for name in (*linear, "stiffnesspoly", "dampingpoly", "springyield")))


def _heavy_free_joints(model: Any) -> bool:
    free = [k for k in range(model.njnt) if model.jnt_type[k] == 0]
    return any(model.dof_armature[model.jnt_dofadr[k] : model.jnt_dofadr[k] + 6].any() for k in free)


def _sprung_free_joints(model: Any) -> bool:
    return any(model.jnt_type[k] == 0 and model.jnt_stiffness[k] != 0.0 for k in range(model.njnt))


def medium_of(model: Any) -> tuple[float, float]:
    """Density [kg/m3] and viscosity [Pa s] of what a model's bodies move through."""
    return float(model.opt.density), float(model.opt.viscosity)


def _strange_fluid(model: Any) -> bool:
    return any(medium_of(model)) and (bool(model.opt.wind.any()) or bool(model.geom_fluid[:, 0].any()))


UNKNOWN: Final[dict[str, tuple[Callable[[Any], bool], str]]] = {
    "fluid": (_strange_fluid, "moves through a fluid with wind, or with the forces on ellipsoids (fluidshape)"),
    "tendons": (_driven_tendons, "has tendons that pull by themselves (stiffness, damping, friction, limits)"),
    "gravity compensation": (lambda m: m.ngravcomp > 0, "takes the weight off bodies (gravcomp)"),
    "flexes": (lambda m: m.nflex > 0, "has bodies that bend (flex)"),
    "plugins": (lambda m: m.nplugin > 0, "uses plugins"),
    "nonlinear springs": (
        lambda m: _any(m, "jnt_stiffnesspoly", "dof_dampingpoly", "jnt_springyield"),
        "has joints with springs or dampers that are not linear, or that yield",
    ),
    "adhesion": (lambda m: _any(m, "geom_adhesion", "pair_adhesion"), "has shapes that stick (adhesion)"),
    "surface velocity": (lambda m: _any(m, "geom_surfacevel"), "has shapes whose surface moves (surfacevel)"),
    "actuator damping": (
        lambda m: _any(m, "actuator_armature", "actuator_damping", "actuator_dampingpoly"),
        "has actuators with inertia or damping of their own",
    ),
    "free joint armature": (_heavy_free_joints, "has free joints with a rotor (armature)"),
    "free joint springs": (_sprung_free_joints, "has free joints with springs"),
}
"""What is refused: how it is found in a model, and what it is."""


def refuse(given: Compiled, leave_out: Collection[str]) -> tuple[str, ...]:
    """Notes on what is left out at the user's wish; GambolError for the first thing that is not.

    leave_out: names in the table above.
    """
    for name in leave_out:
        if name not in UNKNOWN:
            raise GambolError(f'"{name}" cannot be left out of a file; {did_you_mean(name, UNKNOWN)}')
    notes: list[str] = []
    for name, (found, what) in UNKNOWN.items():
        if not found(given.model):
            continue
        if name not in leave_out:
            raise GambolError(f"{given.file} {what}, which gambol does not; leave_out=['{name}'] reads it without")
        notes.append(f"Left out: {name}. The file {what}.")
    if "fluid" in leave_out and any(medium_of(given.model)) and not _strange_fluid(given.model):
        notes.append("Left out: fluid. The file has a medium (density or viscosity).")
    if given.model.nmocap:
        notes.append("Bodies that are moved from outside (mocap) stay where they are.")
    if given.model.nskin:
        notes.append("Left out: skins, which are only drawn.")
    return tuple(notes)
