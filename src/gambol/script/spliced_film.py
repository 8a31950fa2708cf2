"""The film of a script, spliced from the films between changes of the world."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import GambolError
from gambol.figure import Triple
from gambol.script.built_world import SavedState
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


def broken_attachments(film: Film, saved: SavedState, intact: Sequence[bool]) -> list[tuple[float, str]]:
    """Return a text for each attachment that broke in a film, with the time of the frame after it [s].

    saved: the state at the end of the film. intact: True for each attachment that was intact at the beginning.
    """
    world, outputs = saved.built.world, list[tuple[float, str]]()
    rows = saved.state.step_state.memory.intact
    for k, (attachment, placed) in enumerate(zip(saved.built.attachments, world.external.attachments, strict=True)):
        if intact[k] and float(rows[k][0]) < 0.5:
            ends = [_path(film, placed.link, placed.point), _path(film, placed.other, placed.other_point)]
            length = np.linalg.norm(ends[0] - ends[1], axis=1)
            beyond = np.flatnonzero(length > placed.breaks_at)
            frame = int(beyond[0]) if len(beyond) else int(np.argmax(length))
            outputs.append((float(film.time[frame]), f"{attachment} breaks"))
    return outputs


def _path(film: Film, link: str | None, point: Triple) -> NDArray[np.float64]:
    """Return the positions of a point of a link, or of the world, in each frame (F, 3) [m]."""
    if link is None:
        return np.broadcast_to(np.array(point), (len(film.time), 3))
    k = film.link_names.index(link)
    w, xyz, p = film.quaternion[:, 0, k, :1], film.quaternion[:, 0, k, 1:], np.array(point)
    t = 2.0 * np.cross(xyz, p)
    return film.position[:, 0, k] + p + w * t + np.cross(xyz, t)


@dataclass(slots=True)
class SplicedFilm:
    """A film under construction.

    pieces: films. sums: last values of cumulative signals. end: time of the last frame [s].
    """

    pieces: list[Film] = field(default_factory=list[Film])
    sums: dict[str, NDArray[Any]] = field(default_factory=dict[str, NDArray[Any]])
    end: float = 0.0

    def add(self, film: Film, shown_frames: Sequence[int]) -> None:
        """Append a piece. Its first frame gets the time of the previous piece's last frame.

        film: the piece. shown_frames: indices of the frames that are part of the result.
        """
        if self.pieces and self.pieces[0].link_names != film.link_names:
            raise GambolError(
                f'"{film.name}" cannot be added to the film of "{self.pieces[0].name}"; write another script for it'
            )
        frames = [k for k in shown_frames if k > 0 or not self.pieces]
        signals = dict(film.signals)
        for name in RUNNING_SUMS:
            signals[name] = signals[name] + self.sums.get(name, 0.0)
            self.sums[name] = signals[name][-1]
        time = film.time if not self.pieces else self.end + (film.time - film.time[0])
        self.end = float(time[-1])
        if frames:
            self.pieces.append(
                replace(
                    film,
                    time=time[frames],
                    position=film.position[frames],
                    quaternion=film.quaternion[frames],
                    signals={name: signal[frames] for name, signal in signals.items()},
                )
            )

    def film(self) -> Film:
        """Return the spliced film, without signals that differ in shape between pieces, such as signals of feet."""
        first, last = self.pieces[0], self.pieces[-1]
        common = [
            name
            for name, signal in first.signals.items()
            if all(p.signals[name].shape[1:] == signal.shape[1:] if name in p.signals else False for p in self.pieces)
        ]
        return replace(
            last,
            time=np.concatenate([p.time for p in self.pieces]),
            position=np.concatenate([p.position for p in self.pieces]),
            quaternion=np.concatenate([p.quaternion for p in self.pieces]),
            signals={name: np.concatenate([p.signals[name] for p in self.pieces]) for name in common},
        )
