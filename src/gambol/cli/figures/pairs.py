"""The collision pairs shown by `gambol inspect`: pairs of links that collide, and why the others do not."""

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
    """Return the links that collide in a run, and those that do not with the reasons; None if there are no pairs."""
    figure, reasons = model.figure, collision_exclusions(model)
    without_contact = [
        link.name for link in figure.links if link.parts and not any(part.colliding for part in link.parts)
    ]
    if not reasons and not without_contact:
        return None
    lines: list[RenderableType] = [Text("parts that touch each other", style="bold")]
    for why, pairs in _by_reason(reasons).items():
        lines.append(Text("  none" if not why and not pairs else f"  not, because {why}" if why else "  these"))
        lines += [Padding(Text(line), (0, 0, 0, 4), expand=False) for line in _by_link(figure, pairs, reasons)]
    if without_contact:
        lines += [
            Text("  not, because none of their parts collides"),
            Padding(Text(", ".join(without_contact)), (0, 0, 0, 4), expand=False),
        ]
    return Group(*lines)


def _by_reason(reasons: Mapping[Pair, str]) -> dict[str, list[Pair]]:
    """Return the pairs by the reason why they do not collide; colliding pairs come first, with the reason ""."""
    by_reason: dict[str, list[Pair]] = {"": []}
    for pair, why in reasons.items():
        by_reason.setdefault(why, []).append(pair)
    return by_reason


def _by_link(figure: Figure, pairs: list[Pair], reasons: Mapping[Pair, str]) -> Iterator[str]:
    """Yield a line for each link that is first in a pair, with the other links; with a count if not all pairs apply."""
    names, counts, totals = (
        [link.name for link in figure.links],
        defaultdict[tuple[int, int], int](int),
        _totals(reasons),
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


def _totals(reasons: Mapping[Pair, str]) -> dict[tuple[int, int], int]:
    """Return the number of pairs of colliding parts for each pair of links."""
    totals = defaultdict[tuple[int, int], int](int)
    for pair in reasons:
        totals[pair.link, pair.other] += 1
    return totals
