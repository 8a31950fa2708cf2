"""The table of reflex kinds, by name."""

from dataclasses import is_dataclass
from typing import Any

from gambol.control.reflexes.kinds import ClaspKnife, DelayedFeedback, StretchReflex, TendonOrgan, Withdrawal
from gambol.control.reflexes.reflex import Reflex
from gambol.errors import WorldError, did_you_mean

REFLEXES: dict[str, type[Reflex]] = {
    kind.kind: kind for kind in (DelayedFeedback, StretchReflex, TendonOrgan, ClaspKnife, Withdrawal)
}
"""The kinds of reflexes by name. McKenna's reflexes of a leg, which decide when it steps, are in gambol.gait."""


def add_reflex(kind: Any) -> None:
    """Add a kind of reflex: a frozen dataclass that is derived from Reflex.

    Raises WorldError for a class that lacks an attribute, and for a name that is taken.
    """
    name = getattr(kind, "__name__", repr(kind))
    if not (isinstance(kind, type) and issubclass(kind, Reflex)):
        raise WorldError(f'the reflex "{name}" must be a class derived from gambol.control.reflexes.Reflex')
    if missing := sorted(kind.__abstractmethods__):
        raise WorldError(f'the reflex "{name}" lacks {", ".join(missing)}')
    options: Any = getattr(kind, "__dataclass_params__", None)
    if not isinstance(getattr(kind, "kind", None), str) or not is_dataclass(kind) or not options.frozen:
        raise WorldError(f'the reflex "{name}" must be a frozen dataclass with a kind, its name in the table')
    if REFLEXES.get(kind.kind, kind) is not kind:
        raise WorldError(f'there is a reflex of kind "{kind.kind}" already; give yours another name')
    REFLEXES[kind.kind] = kind


def check_kind(name: str, reflex: Any) -> None:
    """Raise WorldError if the kind of a reflex is not in the table; name: name of the reflex."""
    kind = getattr(reflex, "kind", None)
    if not isinstance(kind, str) or REFLEXES.get(kind) is not type(reflex):
        known = did_you_mean(str(kind or type(reflex).__name__), REFLEXES)
        raise WorldError(f'the reflex "{name}" is of no known kind; add_reflex() adds one, or {known}')
