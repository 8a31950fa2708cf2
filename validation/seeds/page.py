"""The page of ten seeds, in Markdown."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any

from validation.seeds.evolving import FALL, LIVES, SECONDS, SETTLED, default_settings

PAGE = Path(__file__).parents[2] / "docs" / "validation" / "seeds.md"

MAX_SECONDS = 240.0
"""Two minutes on two cores [s]."""

SHARE = 2.0 / 3.0
"""The fraction of the measures that is to be in the range of animals."""

SLOWEST = 0.25
"""The speed below which a creature is said not to walk [body lengths/s]."""

HEAD = """# Ten seeds of each animal

Made by `python -m validation.seeds`: runs of `gambol evolve natural --body BODY --seed SEED`, with {population}
creatures in each of {generations} generations. The best creature of each run lives {lives} perturbed lives of
{duration:g} s on level ground, whose initial joint positions differ by up to 0.02 rad and whose friction differs by up
to a tenth; they are other lives than those of evolution. It falls if its trunk is lower than {fall:g} of its height at
rest. Its speed is that of an undisturbed life after {settled:g} s. Then its undisturbed walk of {seconds:g} s is
compared with [animals of its mass](../use/natural.md), without the fore-aft balance, which needs forces along the
ground.
Bodies on two legs have [four trials with larger errors](../theory/rollouts.md#trials), all others two.

Seconds are processor time of all threads, with compiling where a program was not in the cache, on a machine which
other programs used too. {budget:g} s are two minutes on two cores.

"""


def verdict(run: Mapping[str, Any]) -> bool:
    """Return True for a run whose creature walks, never falls, and has two thirds of its measures in the range."""
    return run["speed"] >= SLOWEST and run["fallen"] == 0 and run["within"] >= SHARE * run["applicable"] > 0


def is_default(body: str, seed: str, run: Mapping[str, Any]) -> bool:
    """Return True for a run with the present default settings."""
    return run["settings"] == json.loads(json.dumps(default_settings(body, int(seed)).plain()))


def page(results: Mapping[str, Mapping[str, Any]], wanted: int) -> str:
    """Return the page. results: of each body, its runs by seed. wanted: number of seeds of each body."""
    runs = [run for found in results.values() for run in found.values()]
    if not runs:
        return HEAD_WITHOUT_RUNS
    one = runs[0]["settings"]
    head = HEAD.format(
        population=one["population"],
        generations=one["generations"],
        duration=one["seconds"],
        lives=LIVES,
        fall=FALL,
        settled=SETTLED,
        seconds=SECONDS,
        budget=MAX_SECONDS,
    )
    return "\n".join([head + _summary(results, wanted), "", *_table(results), "", *_outside(runs)]) + "\n"


HEAD_WITHOUT_RUNS = "# Ten seeds of each animal\n\nNo run is kept.\n"


def _summary(results: Mapping[str, Mapping[str, Any]], wanted: int) -> str:
    runs = [run for found in results.values() for run in found.values()]
    total = wanted * len(results)
    return (
        f"**{len(runs)} of {total} runs are finished"
        + ("**. " if len(runs) == total else "**; the others were not run. ")
        + f"Of these, {sum(run['seconds'] <= MAX_SECONDS for run in runs)} took at most {MAX_SECONDS:g} s, "
        f"{sum(run['speed'] >= SLOWEST for run in runs)} walk at {SLOWEST:g} body lengths per second or more, "
        f"{sum(run['fallen'] == 0 for run in runs)} fall in no life, "
        f"{sum(run['within'] >= SHARE * run['applicable'] > 0 for run in runs)} have two thirds of their measures in "
        f"the range, and {sum(map(verdict, runs))} are good: they walk, fall in no life, and have two "
        "thirds in the range."
    )


def _table(results: Mapping[str, Mapping[str, Any]]) -> list[str]:
    titles = ["body", "seeds", "seconds", "fitness", "body lengths/s", "measures in range", "lives with falls", "good"]
    lines = [f"| {' | '.join(titles)} |", "| --- " * len(titles) + "|"]
    former = False
    for body, found in results.items():
        present = [run for seed, run in found.items() if is_default(body, seed, run)]
        before = [run for seed, run in found.items() if not is_default(body, seed, run)]
        if present or not before:
            lines.append(_row(body, present, len(titles)))
        if before:
            lines.append(_row(f"{body}, before", before, len(titles)))
            former = True
    note = "Numbers are medians, with the least and the greatest in brackets."
    return [*lines, "", note + (' Runs in rows named "before" had two trials, the default then.' if former else "")]


def _row(label: str, runs: Sequence[Mapping[str, Any]], columns: int) -> str:
    if not runs:
        return f"| {label} | 0 |" + " |" * (columns - 2)
    cells = [
        str(len(runs)),
        spread([run["seconds"] for run in runs], 0),
        spread([run["fitness"] for run in runs], 1),
        spread([run["speed"] for run in runs], 2),
        f"{spread([run['within'] for run in runs], 0)} of {max(run['applicable'] for run in runs)}",
        f"{sum(run['fallen'] for run in runs)} of {LIVES * len(runs)}",
        f"{sum(map(verdict, runs))} of {len(runs)}",
    ]
    return f"| {label} | {' | '.join(cells)} |"


def spread(values: Sequence[float], digits: int) -> str:
    """Return the median of values, with the least and the greatest."""
    least, middle, most = (f"{x:.{digits}f}" for x in (min(values), median(values), max(values)))
    return middle if least == most else f"{middle} ({least} to {most})"


def _outside(runs: Sequence[Mapping[str, Any]]) -> list[str]:
    counts = Counter(name for run in runs for name in run["outside"]).most_common(8)
    each = ", ".join(f"{name} in {n}" for name, n in counts)
    return [f"Measures most often outside the range, of {len(runs)} runs: {each}."]
