"""The film of a script, spliced from the pieces between one change of the world and the next."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.world import Film

RUNNING_SUMS = ("wall", "unaccounted")
"""Signals that every piece counts from its own beginning."""


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
        if not self.pieces:
            raise GambolError("the script simulates nothing, so there is no film; give a go command")
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
