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
from rich.markup import escape
from rich.table import Table
from rich.text import Text

from benchmarks.contact.race import CONTACT
from benchmarks.dynamics import DYNAMICS
from benchmarks.evolving.runs import EVOLVING
from benchmarks.learners import LEARNERS
from benchmarks.rows import ROWS, Result, Row
from benchmarks.simbenchmark import SIMBENCHMARK
from benchmarks.walking import WALKING
from gambol.formats import moved_into_place

OUT = Path("out") / "bench.json"
INTERRUPTED = 130  # exit code: a shell's for Ctrl-C
RUN = DYNAMICS | CONTACT | WALKING | SIMBENCHMARK | EVOLVING | LEARNERS
TELLING = WALKING | EVOLVING | LEARNERS  # benchmarks all of whose findings are shown


def main(pattern: str = "") -> int:
    """Run, show and write; 1 if a row fails, 2 if no row has such a name, 130 after Ctrl-C.

    What is done is in the file after every row. A row that fails, in whatever way, is told, and the others go on.
    """
    rows = [row for row in ROWS if re.search(pattern, row.name)]
    console = Console(width=None if sys.stdout.isatty() else 180)
    if not rows:
        console.print(f"no row is like {pattern!r}; there are:", *(row.name for row in ROWS), sep="\n")
        return 2
    written: list[dict[str, Any]] = []
    interrupted = False
    try:
        for row in rows:
            console.print(f"[dim]{row.name}", highlight=False)
            written.append(made(row))
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


def made(row: Row) -> dict[str, Any]:
    """A row of bench.json, measured; of one that fails, why it did."""
    try:
        return entry(row, RUN[row.benchmark](row))
    except AssertionError as error:
        why = f"{error}"
    except Exception as error:  # a package or a file that is missing, a peer that breaks: others can still be measured
        why = f"{type(error).__name__}: {error}"
    return entry(row, Result(0, why)) | {"checked": False}


def write(entries: list[dict[str, Any]]) -> None:
    """Write bench.json, beside its place and moved there once it is whole."""
    OUT.parent.mkdir(exist_ok=True)
    with moved_into_place(OUT) as beside:
        beside.write_text(json.dumps(entries, indent=1) + "\n", encoding="utf-8")


def table_of(entries: list[dict[str, Any]]) -> Table:
    """What was measured, to be read."""
    title = f"{_processor()}, {os.cpu_count()} cores, Python {platform.python_version()}"
    table = Table(*COLUMNS, show_lines=True, title=title)
    for one in entries:
        table.add_row(*(cell(one) for cell in COLUMNS.values()))
    return table


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
