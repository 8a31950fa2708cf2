"""States in files of earlier versions, whose energy ledger has fewer entries."""

from collections.abc import Mapping
from typing import Any, cast

from gambol.world.context import LEDGER_SIGNS, StepState, ledger_entries

FORMER_LEDGER = ("motors", "outside", "damping", "impact", "sliding", "stabilisation")
"""The entries of the ledger in files that do not name them."""


def added_leaves(step_state: StepState, about: Mapping[str, Any]) -> list[Any]:
    """Return the leaves of a state that a file does not have, since it is of an earlier version; they begin at 0.

    step_state: the state, with anything for leaves. about: metadata of the file; "ledger": the names of the ledger's
    entries. An integrator that stores data of earlier steps has a number for each entry, too, before its last number.
    """
    names: Any = about.get("ledger")
    stored_entries = cast("list[Any]", names) if isinstance(names, list) else FORMER_LEDGER
    history = step_state.integrator_state[-1 - len(LEDGER_SIGNS) : -1]
    return [
        leaf
        for leaves in (ledger_entries(step_state.ledger), history)
        for name, leaf in zip(LEDGER_SIGNS, leaves, strict=False)  # most integrators have no history
        if name not in stored_entries
    ]
