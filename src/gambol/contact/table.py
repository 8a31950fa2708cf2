"""The table of contact methods, by name; a method from another package is one more row."""

from dataclasses import fields, is_dataclass
from typing import Any, cast

from gambol.contact.complementarity.method import Constraint
from gambol.contact.impulse.method import Impulse
from gambol.contact.method import EVENT_DRIVEN, SMOOTH, TIME_STEPPING, ContactMethod, Scheme
from gambol.contact.penalty.method import Penalty
from gambol.contact.stepping.method import Stepping
from gambol.errors import WorldError, did_you_mean

CONTACT_METHODS: dict[str, type[ContactMethod]] = {
    method.name: method for method in (Penalty, Stepping, Impulse, Constraint)
}
"""The contact methods by name: classes whose fields are the options of a method."""

DEFAULT_METHOD = Penalty.name
"""Name of the contact method of a world that names none."""

NEEDED = ("name", "scheme", "figure_parameters", "check", "capacity", "memory", "numbers", "structure")
"""Attributes that a contact method's class must have, see ContactMethod; for those of its scheme see Scheme.needs."""


def add_contact_method(method: type[Any]) -> None:
    """Add a contact method: a frozen dataclass whose fields are its options, see ContactMethod.

    Worlds and their builders then find it by its name. Raises WorldError for a class that lacks an attribute, and for a
    name that is taken.
    """
    check_method_class(method)
    if CONTACT_METHODS.get(method.name, method) is not method:
        raise WorldError(f'there is a contact method "{method.name}" already; give yours another name')
    CONTACT_METHODS[method.name] = method


def check_method_class(method: type[Any]) -> None:
    """Raise WorldError for the class of a contact method that lacks an attribute."""
    subject, scheme = method.__name__, getattr(method, "scheme", None)
    known_scheme = isinstance(scheme, Scheme) and (scheme.step or scheme in (SMOOTH, TIME_STEPPING, EVENT_DRIVEN))
    options = {option.name for option in fields(method)} if is_dataclass(method) else set[str]()
    needed = (*NEEDED, *(scheme.needs if scheme is not None and known_scheme else ()))
    missing = [name for name in needed if not hasattr(method, name) and name not in options]
    if missing := dict.fromkeys((*missing, *sorted(getattr(method, "__abstractmethods__", ())))):
        raise WorldError(
            f'the contact method "{subject}" lacks {", ".join(missing)}; see docs/extend/contact-method.md'
        )
    if not known_scheme:
        raise WorldError(
            f'the scheme of the contact method "{subject}" is not SMOOTH, TIME_STEPPING or EVENT_DRIVEN, nor a Scheme '
            "with a step function of its own"
        )
    if not is_dataclass(method) or not cast("Any", method).__dataclass_params__.frozen:
        raise WorldError(f'the contact method "{subject}" must be a frozen dataclass whose fields are its options')


def contact_method(method: ContactMethod | str, **options: Any) -> ContactMethod:
    """Return a contact method from a method or its name.

    options: values of options for a method given by name; options that this method does not have are ignored. Raises
    WorldError for an unknown name, for options of no method, and for an object that is not a contact method.
    """
    if not isinstance(method, str):
        if isinstance(method, type):
            raise WorldError(f"{method.__name__} is the class of a contact method; give an object: {method.__name__}()")
        if type(method) not in CONTACT_METHODS.values():
            check_method_class(type(method))
        return method
    if method not in CONTACT_METHODS:
        raise WorldError(f'there is no contact method "{method}"; {did_you_mean(method, CONTACT_METHODS)}')
    known = {name: _options(kind) for name, kind in CONTACT_METHODS.items()}
    every = set[str]().union(*known.values())
    for name in options:
        if name not in every:
            raise WorldError(f'no contact method has the option "{name}"; {did_you_mean(name, every)}')
    kind: Any = CONTACT_METHODS[method]
    return kind(**{name: value for name, value in options.items() if name in known[method]})


def _options(method: Any) -> set[str]:
    """Return the names of the options of a class of contact methods."""
    return {option.name for option in fields(method)}
