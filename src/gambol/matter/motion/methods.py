"""The table of methods that move spring meshes, by name."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Any, Protocol

from gambol.errors import WorldError, did_you_mean
from gambol.matter.forces.field import ForceField
from gambol.matter.motion.explicit import EXPLICIT, ExplicitMethod
from gambol.matter.motion.implicit import ImplicitMethod, ImplicitOptions
from gambol.matter.motion.position_based import PositionBasedMethod, SubstepOptions
from gambol.matter.motion.projective import ProjectiveMethod, ProjectiveOptions
from gambol.matter.motion.step_frame import Frame


class Stepping(Protocol):
    """The protocol of a method: it returns the frame one step later."""

    def step(self, frame: Frame, h: float) -> Frame:
        """Return the frame one step of h [s] later."""
        ...


def _explicit(name: str, field: ForceField, options: Any) -> ExplicitMethod:
    return ExplicitMethod(name, field)


def _implicit(field: ForceField, options: Any) -> ImplicitMethod:
    return ImplicitMethod(field, options)


def _newton(field: ForceField, options: Any) -> ImplicitMethod:
    return ImplicitMethod(field, options or ImplicitOptions(iterations=100, tolerance=1e-4))


def _position_based(field: ForceField, options: Any) -> PositionBasedMethod:
    return PositionBasedMethod(field, options)


def _projective(field: ForceField, options: Any) -> ProjectiveMethod:
    return ProjectiveMethod(field, options)


@dataclass(frozen=True, slots=True)
class Method:
    """A row of the table METHODS.

    make: function of the forces of a mesh and of options (or None) that returns the method. options: class of the
    options, or None. explicit: True if a step may be too long to be stable. same_bits: False if the last bits may
    depend on versions of other libraries. point_friction: True if points that touch each other as balls have friction.
    """

    make: Callable[[ForceField, Any], Stepping]
    options: type[Any] | None = None
    explicit: bool = False
    same_bits: bool = True
    point_friction: bool = False


METHODS: dict[str, Method] = {
    **{name: Method(partial(_explicit, name), explicit=True) for name in EXPLICIT},
    "implicit euler": Method(_implicit, ImplicitOptions, point_friction=True),
    "newton": Method(_newton, ImplicitOptions, point_friction=True),
    "position based": Method(_position_based, SubstepOptions),
    "projective": Method(_projective, ProjectiveOptions, same_bits=False),
}
"""The methods by name. "newton" is implicit Euler, iterated until it converges."""


def method(name: str, field: ForceField, options: Any = None) -> Stepping:
    """Return the method of a name for a mesh.

    options: options of the method's class, or None. Raises WorldError for an unknown name, for options of another
    class, and for friction that the method does not have.
    """
    if name not in METHODS:
        raise WorldError(f'the method "{name}" is unknown; {did_you_mean(name, METHODS)}')
    row = METHODS[name]
    if options is not None and (row.options is None or not isinstance(options, row.options)):
        expected = "none" if row.options is None else row.options.__name__
        raise WorldError(f'the method "{name}" takes options of the class {expected}, not {type(options).__name__}')
    touching = field.surroundings.self_touch
    if touching is not None and touching.friction > 0.0 and not touching.surfaces and not row.point_friction:
        raise WorldError(
            f'the method "{name}" has no friction of points that touch each other; give SelfTouch(friction=0) or '
            'SelfTouch(surfaces=True), or take "implicit euler"'
        )
    return row.make(field, options)
