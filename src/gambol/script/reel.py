"""The film of a script, spliced from the pieces between one change of the world and the next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.world import Film

RUNNING_SUMS = ("wall", "unaccounted")
"""Signals that every piece counts from its own beginning."""


def too_fast(film: Film, limits: Mapping[str, tuple[float, float]]) -> list[str]:
    """What is faster in a film than its limit, linear [m/s] or angular [rad/s], by link: a sentence for each."""
    said: list[str] = []
    for name, (linear, angular) in limits.items():
        link, dt = film.link_names.index(name), np.diff(film.time)
        speed = np.linalg.norm(np.diff(film.position[:, 0, link], axis=0), axis=-1) / dt
        q = film.quaternion[:, 0, link]
        turned = 2.0 * np.arccos(np.clip(np.abs(np.sum(q[1:] * q[:-1], axis=-1)), 0.0, 1.0)) / dt
        for what, values, limit in (("m/s", speed, linear), ("rad/s", turned, angular)):
            if len(above := np.flatnonzero(values > limit)):
                k = above[0]
                said.append(f'"{name}" moves at {values[k]:.3g} {what} at {film.time[k]:.4g} s; maxv is {limit:g}')
    return said


@dataclass(slots=True)
class Reel:
    """Pieces of film so far, and what the signals that are sums have come to."""

    pieces: list[Film] = field(default_factory=list[Film])
    sums: dict[str, NDArray[Any]] = field(default_factory=dict[str, NDArray[Any]])
    end: float = 0.0

    def add(self, film: Film, shown: Sequence[int]) -> None:
        """Splice in some frames of a piece; its first frame is the last moment of the piece before, changed or not."""
        if self.pieces and self.pieces[0].link_names != film.link_names:
            raise GambolError(f'"{film.name}" cannot enter the film of "{self.pieces[0].name}"; give it its own script')
        kept = [k for k in shown if k > 0 or not self.pieces]
        signals = dict(film.signals)
        for name in RUNNING_SUMS:
            signals[name] = signals[name] + self.sums.get(name, 0.0)
            self.sums[name] = signals[name][-1]
        time = film.time if not self.pieces else self.end + (film.time - film.time[0])
        self.end = float(time[-1])
        if kept:
            self.pieces.append(
                replace(
                    film,
                    time=time[kept],
                    position=film.position[kept],
                    quaternion=film.quaternion[kept],
                    signals={name: signal[kept] for name, signal in signals.items()},
                )
            )

    def film(self) -> Film:
        """The film. Signals that not all pieces have alike, as of feet that came or went, are left out."""
        first, last = self.pieces[0], self.pieces[-1]
        alike = [
            name
            for name, signal in first.signals.items()
            if all(p.signals[name].shape[1:] == signal.shape[1:] if name in p.signals else False for p in self.pieces)
        ]
        return replace(
            last,
            time=np.concatenate([p.time for p in self.pieces]),
            position=np.concatenate([p.position for p in self.pieces]),
            quaternion=np.concatenate([p.quaternion for p in self.pieces]),
            signals={name: np.concatenate([p.signals[name] for p in self.pieces]) for name in alike},
        )
