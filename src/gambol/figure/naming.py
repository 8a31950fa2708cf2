"""Names that do not exist, and the ones that were probably meant."""

import difflib
from collections.abc import Iterable


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """The end of an error about an unknown name: the nearest known one, or all of them when none is near."""
    names = list(known)
    near = difflib.get_close_matches(name, names, n=1, cutoff=0.5)
    if near:
        return f'did you mean "{near[0]}"?'
    return "there are: " + ", ".join(f'"{other}"' for other in names) if names else "there are none"
