"""What a notebook shows of a film: its name, and a table of its signals."""

from collections.abc import Mapping
from html import escape

import numpy as np
from numpy.typing import NDArray

from gambol.world.film.signals import signal_kind

MOST_ROWS = 40
"""Most signals that are shown: creatures with muscles have hundreds."""


def film_html(title: str, signals: Mapping[str, NDArray[np.float64]]) -> str:
    """Return HTML: a title above a table with shape, unit and meaning of each signal. title: plain text."""
    rows = ["<tr><th>signal</th><th>shape</th><th>unit</th><th>meaning</th></tr>"]
    for name in list(signals)[:MOST_ROWS]:
        kind = signal_kind(name, signals)
        cells = (name, str(np.shape(signals[name])), kind.unit if kind else "", kind.meaning if kind else "")
        rows.append(f"<tr>{''.join(f'<td>{escape(cell)}</td>' for cell in cells)}</tr>")
    left = len(signals) - MOST_ROWS
    more = f"<p>and {left} more</p>" if left > 0 else ""
    return f"<p>{escape(title)}</p><table>{''.join(rows)}</table>{more}"
