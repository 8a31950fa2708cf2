"""The film of a script, spliced from the films between changes of the world."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.script.built_world import BuiltWorld
from gambol.script.corpus import Corpus
from gambol.script.gait_spec import GaitSpec
from gambol.script.union_of_films import spliced_lines, with_all_links
from gambol.world import Film

RUNNING_SUMS = ("wall", "unaccounted")
"""Cumulative signals, which begin at 0 in every piece."""


def speed_violations(film: Film, limits: Mapping[str, tuple[float, float]]) -> list[str]:
    """Return a sentence for each link that exceeds its speed limit in a film.

    limits: linear [m/s] and angular [rad/s] speed, by link name.
    """
    sentences: list[str] = []
    for name, (linear_limit, angular_limit) in limits.items():
        link, dt = film.link_names.index(name), np.diff(film.time)
        speed = np.linalg.norm(np.diff(film.position[:, 0, link], axis=0), axis=-1) / dt
        q = film.quaternion[:, 0, link]
        angular_speed = 2.0 * np.arccos(np.clip(np.abs(np.sum(q[1:] * q[:-1], axis=-1)), 0.0, 1.0)) / dt
        for unit, values, limit in (("m/s", speed, linear_limit), ("rad/s", angular_speed, angular_limit)):
            if len(exceeded := np.flatnonzero(values > limit)):
                k = exceeded[0]
                sentences.append(f'"{name}" moves at {values[k]:.3g} {unit} at {film.time[k]:.4g} s; maxv is {limit:g}')
    return sentences


def broken_attachments(film: Film, built: BuiltWorld) -> list[tuple[float, str]]:
    """Return a text for each attachment that broke in a film, with the time of the first frame after it [s]."""
    outputs = list[tuple[float, str]]()
    for k, attachment in enumerate(built.attachments):
        intact = film.signals["intact"][:, 0, k] > 0.5
        if intact[0] and not intact[-1]:
            outputs.append((float(film.time[int(np.argmin(intact))]), f"{attachment} breaks"))
    return outputs


def program_messages(film: Film, built: BuiltWorld, gaits: Mapping[str, GaitSpec]) -> list[tuple[float, str]]:
    """Return the outputs of the motor programs that begin in a film, each with its time [s]; gaits: by corpus."""
    if "stepping" not in film.signals:
        return []
    driven = [gaits[name] for name in built.driven if name in gaits and gaits[name].has_programs]
    legs = [(gait, leg) for gait in driven for leg in range(len(gait.leg_numbers))]
    steps = film.signals["stepping"][:, 0] > 0.5
    outputs: list[tuple[float, str]] = []
    for frame, k in np.argwhere(steps[1:] != steps[:-1]):
        (gait, leg), time = legs[int(k)], float(film.time[frame + 1])
        outputs += gait.messages(leg, bool(steps[frame + 1, k]), time)
    return sorted(outputs)


def report_lines(
    film: Film, built: BuiltWorld, gaits: Mapping[str, GaitSpec], corpora: Mapping[str, Corpus]
) -> list[str]:
    """Return the lines about the events of a film: echoes of motor programs, broken attachments, too large speeds.

    gaits, corpora: by name of the corpus.
    """
    lines = sorted([*program_messages(film, built, gaits), *broken_attachments(film, built)])
    limits = {
        links[body]: limit for name, links in built.links.items() for body, limit in corpora[name].max_speeds.items()
    }
    return [*(f"{time:.6g} s: {line}" for time, line in lines), *speed_violations(film, limits)]


@dataclass(slots=True)
class SplicedFilm:
    """A film under construction.

    pieces: films. starts: the first frame of each, also if it is not part of the result. sums: last values of
    cumulative signals. end: time of the last frame [s].
    """

    pieces: list[Film] = field(default_factory=list[Film])
    starts: list[Film] = field(default_factory=list[Film])
    sums: dict[str, NDArray[Any]] = field(default_factory=dict[str, NDArray[Any]])
    end: float = 0.0

    def add(self, film: Film, shown_frames: Sequence[int]) -> None:
        """Append a piece. Its first frame gets the time of the previous piece's last frame.

        film: the piece. shown_frames: indices of the frames that are part of the result.
        """
        frames = [k for k in shown_frames if k > 0 or not self.pieces]
        signals = dict(film.signals)
        for name in RUNNING_SUMS:
            signals[name] = signals[name] + self.sums.get(name, 0.0)
            self.sums[name] = signals[name][-1]
        time = film.time if not self.pieces else self.end + (film.time - film.time[0])
        self.end = float(time[-1])
        if frames:
            piece = replace(film, time=time, signals=signals)
            self.starts.append(_of_frames(piece, [0]))
            self.pieces.append(_of_frames(piece, frames))

    def film(self) -> Film:
        """Return the spliced film, without signals that differ in shape between pieces, such as signals of feet.

        Bodies that were added or left out between pieces stand still where they are not simulated.
        """
        pieces = with_all_links(self.pieces, self.starts)
        first, last = pieces[0], pieces[-1]
        common = [
            name
            for name, signal in first.signals.items()
            if all(p.signals[name].shape[1:] == signal.shape[1:] if name in p.signals else False for p in pieces)
        ]
        return replace(
            last,
            time=np.concatenate([p.time for p in pieces]),
            position=np.concatenate([p.position for p in pieces]),
            quaternion=np.concatenate([p.quaternion for p in pieces]),
            signals={name: np.concatenate([p.signals[name] for p in pieces]) for name in common},
            matter=spliced_lines(pieces),
        )


def _of_frames(film: Film, frames: Sequence[int]) -> Film:
    """Return some frames of a film."""
    chosen = np.array(frames)
    return replace(
        film,
        time=film.time[chosen],
        position=film.position[chosen],
        quaternion=film.quaternion[chosen],
        signals={name: signal[chosen] for name, signal in film.signals.items()},
        matter=tuple(each.of_frames(chosen) for each in film.matter),
    )
