"""Run the rows whose name matches a pattern, print a table, write out/bench.json: `python -m benchmarks [PATTERN]`."""

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
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from benchmarks.adaptive import ADAPTIVE
from benchmarks.contact.landing import CONTACT
from benchmarks.dynamics import DYNAMICS
from benchmarks.evolving.runs import EVOLVING
from benchmarks.flexible_peers import FLEXIBLE
from benchmarks.learners import LEARNERS
from benchmarks.links import LINKS
from benchmarks.loops import LOOPS
from benchmarks.meshes import MESHES
from benchmarks.own_control import OWN_CONTROL
from benchmarks.particles import PARTICLES
from benchmarks.plans import PLANS
from benchmarks.poses import POSES
from benchmarks.reflex_walker import REFLEX_WALKER
from benchmarks.rows import ROWS, Result, Row
from benchmarks.simbenchmark import SIMBENCHMARK
from benchmarks.walking import WALKING
from gambol.formats import atomic_write

OUT = Path("out") / "bench.json"
INTERRUPTED = 130  # exit code after Ctrl-C, as in a shell
RUN = (
    ADAPTIVE
    | DYNAMICS
    | CONTACT
    | WALKING
    | SIMBENCHMARK
    | EVOLVING
    | LEARNERS
    | PLANS
    | POSES
    | MESHES
    | FLEXIBLE
    | PARTICLES
    | REFLEX_WALKER
    | OWN_CONTROL
    | LOOPS
    | LINKS
)
SHOW_MORE = (
    ADAPTIVE
    | CONTACT
    | LOOPS
    | LINKS
    | WALKING
    | EVOLVING
    | LEARNERS
    | PLANS
    | POSES
    | MESHES
    | PARTICLES
    | REFLEX_WALKER
    | OWN_CONTROL
)
"""Benchmarks whose other measures are shown too."""


def main(pattern: str = "") -> int:
    """Run, print and write rows; return 1 if a row fails, 2 if no name matches, 130 after Ctrl-C.

    The file is written after every row. A failed row is reported, and the others are still run.
    """
    rows = [row for row in ROWS if re.search(pattern, row.name)]
    console = Console(width=None if sys.stdout.isatty() else 180)
    if not rows:
        console.print(f"no row matches {pattern!r}; the rows are:", *(row.name for row in ROWS), sep="\n")
        return 2
    written: list[dict[str, Any]] = []
    interrupted = False
    try:
        for row in rows:
            console.print(f"[dim]{row.name}", highlight=False)
            written.append(run_row(row))
            if not written[-1]["checked"]:
                console.print(Text(f"{row.name} failed: {written[-1]['check']}", style="red"))
            write(written)
    except KeyboardInterrupt:
        interrupted = True
    console.print(table_of(written))
    failed = [row.name for row, e in zip(rows, written, strict=False) if not e["checked"]]
    if failed:
        console.print(Text(f"{len(failed)} of {len(rows)} rows failed: {', '.join(failed)}", style="red"))
    if interrupted:
        console.print(f"interrupted after {len(written)} of {len(rows)} rows")
    if written:
        console.print(f"written to {OUT}")
    return INTERRUPTED if interrupted else 1 if failed else 0


def run_row(row: Row) -> dict[str, Any]:
    """Run a row; return its entry of bench.json, which for a failed row contains the reason."""
    try:
        return entry(row, RUN[row.benchmark](row))
    except AssertionError as error:
        why = f"{error}"
    except Exception as error:  # such as a missing package or file: other rows can still be run
        why = f"{type(error).__name__}: {error}"
    return entry(row, Result(0, why)) | {"checked": False}


def write(entries: list[dict[str, Any]]) -> None:
    """Write bench.json atomically."""
    OUT.parent.mkdir(exist_ok=True)
    with atomic_write(OUT) as beside:
        beside.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def table_of(entries: list[dict[str, Any]]) -> Table:
    """Return the table of results to print."""
    title = f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    table = Table(*COLUMNS, show_lines=True, title=title)
    for one in entries:
        table.add_row(*(cell(one) for cell in COLUMNS.values()))
    return table


def entry(row: Row, result: Result) -> dict[str, Any]:
    """Return the entry of a row in bench.json."""
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
    more = [f"{name} {_short(x)}" for name, x in e["more"].items()] if e["benchmark"] in SHOW_MORE else []
    return "\n".join([e["check"] if e["checked"] else f"[red]wrong: {escape(e['check'])}", *more])


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
    """Return the name of the processor."""
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.processor() or platform.machine()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as cache:
        os.environ["GAMBOL_CACHE"] = cache  # an empty cache, so that compile times are measured
        sys.exit(main(*sys.argv[1:2]))
