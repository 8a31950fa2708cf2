"""Tables of a comparison: CSV with a row for each run, LaTeX for a paper, JSON with everything."""

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path

import orjson

from gambol.evolve.compare.curves import SearchRun
from gambol.evolve.compare.statistics import pair_tests, summaries
from gambol.evolve.runs import Settings
from gambol.formats import atomic_write


def write_table(runs: Sequence[SearchRun], settings: Settings, path: str | Path) -> Path:
    """Write a table of a comparison and return its path.

    runs: all runs. settings: settings of one of the runs. path: path that ends with a key of TABLES. Raises GambolError
    for a folder that cannot be written to.
    """
    target = Path(path)
    with atomic_write(target) as temporary:
        temporary.write_text(TABLES[target.suffix](runs, settings), encoding="utf-8")
    return target


def _csv(runs: Sequence[SearchRun], settings: Settings) -> str:
    """Return a line for each run: search, seed, run, evaluations, best fitness, seconds."""
    lines = ["search,seed,run,evaluations,best,seconds"]
    for run in runs:
        lines.append(f"{run.search},{run.seed},{run.run},{run.evaluations[-1]},{_number(run.final)},{run.seconds:.6g}")
    return "\n".join(lines) + "\n"


def _number(value: float) -> str:
    return repr(value) if math.isfinite(value) else ""


def _json(runs: Sequence[SearchRun], settings: Settings) -> str:
    """Return settings, summaries, rank tests and the curves of all runs; null for fitnesses that are not finite."""
    plain = settings.plain()
    shared = {name: value for name, value in plain.items() if name not in ("search", "seed")}
    curves = [
        {
            "search": run.search,
            "seed": run.seed,
            "run": run.run,
            "seconds": run.seconds,
            "evaluations": run.evaluations.tolist(),
            "best": run.best.tolist(),
        }
        for run in runs
    ]
    content = {
        "settings": shared,
        "searches": [asdict(summary) for summary in summaries(runs)],
        "pairs": [asdict(test) for test in pair_tests(runs)],
        "runs": curves,
    }
    return orjson.dumps(content, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE).decode()


def _latex(runs: Sequence[SearchRun], settings: Settings) -> str:
    """Return two tables in the style of the package booktabs: searches, and pairs of them."""
    lines = [r"\begin{tabular}{lrrrrr}", r"\toprule"]
    lines += [r"search & runs & median & quartiles & best & time [s] \\", r"\midrule"]
    for row in summaries(runs):
        quartiles = f"{_tex(row.lower)} to {_tex(row.upper)}"
        cells = (_escaped(row.search), row.runs, _tex(row.median), quartiles, _tex(row.best), f"{row.seconds:.1f}")
        lines.append(" & ".join(map(str, cells)) + r" \\")
    lines += [r"\bottomrule", r"\end{tabular}"]
    if tests := pair_tests(runs):
        lines += ["", r"\begin{tabular}{llrrrr}", r"\toprule"]
        lines += [r"first & second & $U$ & $p$ & $p$ (Holm) & $P(X > Y)$ \\", r"\midrule"]
        for test in tests:
            numbers = (f"{test.u:g}", f"{test.p:.2g}", f"{test.p_holm:.2g}", f"{test.superiority:.2f}")
            lines.append(" & ".join((_escaped(test.first), _escaped(test.second), *numbers)) + r" \\")
        lines += [r"\bottomrule", r"\end{tabular}"]
    return "\n".join(lines) + "\n"


def _tex(value: float) -> str:
    return f"{value:.3f}" if math.isfinite(value) else "none"


def _escaped(name: str) -> str:
    """Return a name with LaTeX's special characters escaped.

    Names of references contain underscores, and no other special characters.
    """
    return name.replace("_", r"\_")


TABLES: Mapping[str, Callable[[Sequence[SearchRun], Settings], str]] = {".csv": _csv, ".tex": _latex, ".json": _json}
"""The content of each kind of table, by the ending of its file."""
