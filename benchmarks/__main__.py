"""Run the rows whose name holds a pattern, print a table and write out/bench.json: `python -m benchmarks [PATTERN]`."""

import json
import os
import platform
import re
import sys
import tempfile
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from benchmarks.contact.race import CONTACT
from benchmarks.dynamics import DYNAMICS
from benchmarks.evolving.runs import EVOLVING
from benchmarks.learners import LEARNERS
from benchmarks.rows import ROWS, Result, Row
from benchmarks.simbenchmark import SIMBENCHMARK
from benchmarks.walking import WALKING

OUT = Path("out") / "bench.json"
RUN = DYNAMICS | CONTACT | WALKING | SIMBENCHMARK | EVOLVING | LEARNERS
TELLING = WALKING | EVOLVING | LEARNERS  # benchmarks all of whose findings are shown


def main(pattern: str = "") -> int:
    """Run, show and write; 1 if a row fails its check, 2 if no row has such a name."""
    rows = [row for row in ROWS if re.search(pattern, row.name)]
    console = Console(width=None if sys.stdout.isatty() else 180)
    if not rows:
        console.print(f"no row is like {pattern!r}; there are:", *(row.name for row in ROWS), sep="\n")
        return 2
    title = f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    table = Table(*COLUMNS, show_lines=True, title=title)
    written: list[dict[str, Any]] = []
    for row in rows:
        console.print(f"[dim]{row.name}", highlight=False)
        try:
            written.append(entry(row, RUN[row.benchmark](row)))
        except AssertionError as error:
            written.append(entry(row, Result(0, f"{error}")) | {"checked": False})
        table.add_row(*(cell(written[-1]) for cell in COLUMNS.values()))
    console.print(table)
    OUT.parent.mkdir(exist_ok=True)
    OUT.write_text(json.dumps(written, indent=1) + "\n", encoding="utf-8")
    console.print(f"written to {OUT}")
    return 0 if all(e["checked"] for e in written) else 1


def entry(row: Row, result: Result) -> dict[str, Any]:
    """A row of bench.json."""
    found = result.measure(row.goal.measure) if row.goal else None
    return {
        "benchmark": row.benchmark,
        "model": row.model,
        "precision": row.precision,
        "worlds": row.worlds,
        "threads": row.threads,
        **asdict(result),
        "checked": True,
        "goal": str(row.goal or ""),
        "met": None if row.goal is None or found is None else row.goal.least <= found <= row.goal.most,
    }


def _figure(e: dict[str, Any]) -> str:
    return f"{e['model']}\n{e['dof']} dof, {e['contacts']} contacts"


def _work(e: dict[str, Any]) -> str:
    threads = "1 thread" if e["threads"] == 1 else f"{e['threads']} threads"
    return f"{e['precision']}\n{e['worlds']} worlds, {threads}"


def _own_time(e: dict[str, Any]) -> str:
    return "" if e["ns_per_step"] is None else f"{_short(e['ns_per_step'])}\n+- {_short(e['spread']) or '?'}"


def _goal(e: dict[str, Any]) -> str:
    return e["goal"] and f"{e['goal']}\n{'[green]met' if e['met'] else '[red]missed'}"


def _findings(e: dict[str, Any]) -> str:
    more = [f"{name} {_short(x)}" for name, x in e["more"].items()] if e["benchmark"] in TELLING else []
    return "\n".join([e["check"] if e["checked"] else f"[red]wrong: {e['check']}", *more])


COLUMNS: dict[str, Callable[[dict[str, Any]], str]] = {
    "benchmark": lambda e: e["benchmark"],
    "model": _figure,
    "step [s]": lambda e: _short(e["step_s"]),
    "work": _work,
    "ns/step": _own_time,
    "peer ns/step": lambda e: e["peer"] and f"{e['peer']}\n{_short(e['peer_ns_per_step'])}",
    "ratio": lambda e: _short(e["ratio"]),
    "compile [s]": lambda e: _short(e["compile_s"]),
    "energy drift": lambda e: _short(e["energy_drift"]),
    "goal": _goal,
    "checked and found": _findings,
}


def _short(x: float | None) -> str:
    if x is None:
        return ""
    return f"{x:.3g}" if abs(x) < 1000.0 else f"{x:.0f}" if x < 1e7 else f"{x:.2e}"


def _processor() -> str:
    """What the processor calls itself."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["GAMBOL_CACHE"] = cache  # so that compile times are those of a first time
        sys.exit(main(*sys.argv[1:2]))
