"""The collision pairs that `gambol inspect` shows: which links collide, and why others do not."""

from collections import defaultdict
from collections.abc import Iterator, Mapping

from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.text import Text

from gambol.collide.broad import Pair
from gambol.creatures.models import collision_exclusions
from gambol.figure import Figure
from gambol.formats import Model


def describe_pairs(model: Model) -> RenderableType | None:
    """Return the links that collide in a run, and those that do not, with reasons; None for a model without pairs."""
    figure, reasons = model.figure, collision_exclusions(model)
    without_contact = [
        link.name for link in figure.links if link.parts and not any(part.colliding for part in link.parts)
    ]
    if not reasons and not without_contact:
        return None
    lines: list[RenderableType] = [Text("collisions between parts", style="bold")]
    for reason, pairs in _group_by_reason(reasons).items():
        lines.append(
            Text(
                "  none"
                if not reason and not pairs
                else f"  not colliding, because {reason}"
                if reason
                else "  colliding"
            )
        )
        lines += [Padding(Text(line), (0, 0, 0, 4), expand=False) for line in _lines_by_link(figure, pairs, reasons)]
    if without_contact:
        lines += [
            Text("  not colliding, because none of their parts may collide"),
            Padding(Text(", ".join(without_contact)), (0, 0, 0, 4), expand=False),
        ]
    return Group(*lines)


def _group_by_reason(reasons: Mapping[Pair, str]) -> dict[str, list[Pair]]:
    """Return pairs by the reason why they do not collide. Colliding pairs come first; their reason is ""."""
    by_reason: dict[str, list[Pair]] = {"": []}
    for pair, reason in reasons.items():
        by_reason.setdefault(reason, []).append(pair)
    return by_reason


def _lines_by_link(figure: Figure, pairs: list[Pair], reasons: Mapping[Pair, str]) -> Iterator[str]:
    """Yield a line for each link that is first in some pairs, with the other links of these pairs.

    If only some pairs of parts of two links are in pairs, their number is added. reasons: reasons of all pairs.
    """
    names, counts, totals = (
        [link.name for link in figure.links],
        defaultdict[tuple[int, int], int](int),
        _pair_counts(reasons),
    )
    for pair in pairs:
        counts[pair.link, pair.other] += 1
    for link in dict.fromkeys(link for link, _ in counts):
        others = [(other, count) for (first, other), count in counts.items() if first == link]
        others_text = [
            names[other - 1] + (f" ({count} of {totals[link, other]} pairs)" if count < totals[link, other] else "")
            for other, count in others
        ]
        yield f"{names[link - 1]}: {', '.join(others_text)}"


def _pair_counts(reasons: Mapping[Pair, str]) -> dict[tuple[int, int], int]:
    """Return the number of pairs of colliding parts for each pair of links."""
    totals = defaultdict[tuple[int, int], int](int)
    for pair in reasons:
        totals[pair.link, pair.other] += 1
    return totals
