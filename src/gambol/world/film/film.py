"""A film: the recording of a run at a frame rate, as plain data for viewers, plots and exporters."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, fields, replace
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import GambolError
from gambol.notebook import notebook_html
from gambol.world.events.zero_crossing import EventRecord
from gambol.world.film.columns import pose_columns, signal_columns
from gambol.world.film.contacts import Contacts, contacts_in
from gambol.world.film.dataset import film_dataset
from gambol.world.film.file import read_film, write_film
from gambol.world.film.large import indices_as_slice, large_array, pieces
from gambol.world.film.matter import FilmMatter
from gambol.world.film.shapes import FilmGround, FilmShape

SHOTS = {"camera": 6, "light": 3}
"""Signals that pictures and videos follow, with their sizes: (F, W, size); see film.shots."""

MAX_NAMES = 24
"""Maximum number of signals that the repr of a film names."""


@dataclass(frozen=True)
class Film:
    """The recording of a run: F frames of W worlds of one figure with L links.

    time (F,) [s]. position (F, W, L, 3) [m], quaternion (F, W, L, 4) (w, x, y, z): pose of each link in the world.
    link_names, limb_names: in the order of the arrays. shapes: shapes of the links; visuals: meshes or shapes that are
    drawn instead of the shapes of a link, see drawn. signals: named arrays (F, W, ...), e.g. "stepping" (F, W, legs), 1
    while a leg steps. events: events in order of time. matter: meshes, particles and muscles, with the frames of the
    film. parents: index of each link's parent, which is less than the link's own index, or -1 for a root; empty if not
    known. axes: names of the numbers along axes of signals, such as "feet", see signals.SignalKind; coordinates of
    joints with their unit, see axes.film_axes(). Raises GambolError for arrays whose shapes do not fit together, times
    that decrease, and worlds or links that do not exist.
    """

    name: str
    time: NDArray[np.float64]
    position: NDArray[np.float64]
    quaternion: NDArray[np.float64]
    link_names: tuple[str, ...]
    shapes: tuple[FilmShape, ...]
    limb_names: tuple[str, ...] = ()
    ground: FilmGround = field(default_factory=FilmGround)
    signals: dict[str, NDArray[np.float64]] = field(default_factory=dict[str, NDArray[np.float64]])
    events: tuple[EventRecord, ...] = ()
    matter: tuple[FilmMatter, ...] = ()
    parents: tuple[int, ...] = ()
    axes: dict[str, tuple[str, ...]] = field(default_factory=dict[str, tuple[str, ...]])
    visuals: tuple[FilmShape, ...] = ()

    def __post_init__(self) -> None:
        if np.ndim(self.time) != 1 or np.any(np.diff(self.time) < 0.0):
            raise GambolError(f'film "{self.name}": its times are not a one-dimensional array in ascending order')
        F, W, L = len(self.time), self.worlds, len(self.link_names)
        _check_shape(self.name, "position", self.position, (F, W, L, 3))
        _check_shape(self.name, "quaternion", self.quaternion, (F, W, L, 4))
        for name, signal in self.signals.items():
            _check_shape(self.name, f'signal "{name}"', signal, (F, W, *np.shape(signal)[2:]))
        for shape in (*self.shapes, *self.visuals):
            if not 0 <= shape.link < L:
                raise GambolError(
                    f'film "{self.name}" has a {shape.kind} on link {shape.link}; its links are 0 to {L - 1}'
                )
        _check_parents(self.name, self.parents, L)
        for each in self.matter:
            if each.frames != F or not 0 <= each.world < W:
                raise GambolError(
                    f'film "{self.name}" has {F} frames and {W} worlds; "{each.name}" has {each.frames} frames and is '
                    f"in world {each.world}"
                )
        for event in self.events:
            if not 0 <= event.lane < W:
                raise GambolError(
                    f'film "{self.name}": event "{event.name}" is in world {event.lane}; the worlds are 0 to {W - 1}'
                )

    def __repr__(self) -> str:
        names, more = list(self.signals)[:MAX_NAMES], len(self.signals) - MAX_NAMES
        signals = ", ".join(names) + (f" and {more} more" if more > 0 else "")
        return (
            f'<Film "{self.name}": {len(self.time)} frames, {self.duration:.3g} s, worlds: {self.worlds}, '
            f"links: {len(self.link_names)}\n signals: {signals}>"
        )

    def _repr_html_(self) -> str:
        """Return the display in a notebook: a page that plays the film, and a table of its signals."""
        return notebook_html("film", self)

    @property
    def drawn(self) -> tuple[FilmShape, ...]:
        """The shapes that are drawn: the visuals, and the shapes of links without visuals."""
        visible = {visual.link for visual in self.visuals}
        return (*self.visuals, *(shape for shape in self.shapes if shape.link not in visible))

    @property
    def worlds(self) -> int:
        """Number of worlds in the film."""
        return int(np.shape(self.position)[1]) if np.ndim(self.position) == 4 else 0

    @property
    def duration(self) -> float:
        """Time from the first frame to the last [s]; 0 for a film of fewer than two frames."""
        return float(self.time[-1] - self.time[0]) if len(self.time) else 0.0

    def contacts(self, frame: int) -> Contacts:
        """Return the contacts of all worlds in a frame, of a film that run(..., contacts=True) recorded.

        frame: index of the frame. Raises WorldError for a film without contacts.
        """
        return contacts_in(self.signals, frame, self.link_names)

    def of_worlds(self, worlds: Sequence[int]) -> "Film":
        """Return the film of some worlds.

        worlds: indices of the worlds, in order. Raises GambolError for unknown indices.
        """
        for w in worlds:
            if not 0 <= w < self.worlds:
                raise GambolError(f'film "{self.name}" has no world {w}; its worlds are 0 to {self.worlds - 1}')
        chosen = indices_as_slice(worlds)
        signals = {name: signal[:, chosen] for name, signal in self.signals.items()}
        events = [replace(event, lane=k) for k, w in enumerate(worlds) for event in self.events if event.lane == w]
        return replace(
            self,
            position=self.position[:, chosen],
            quaternion=self.quaternion[:, chosen],
            signals=signals,
            events=tuple(sorted(events, key=lambda event: (event.time, event.lane))),
            matter=tuple(replace(m, world=k) for k, w in enumerate(worlds) for m in self.matter if m.world == w),
        )

    def between(self, start: float, end: float) -> "Film":
        """Return the film of the frames from time start to time end [s], both included."""
        first, last = np.searchsorted(self.time, start), np.searchsorted(self.time, end, side="right")
        selected = slice(int(first), max(int(first), int(last)))
        signals = {name: signal[selected] for name, signal in self.signals.items()}
        return replace(
            self,
            time=self.time[selected],
            position=self.position[selected],
            quaternion=self.quaternion[selected],
            signals=signals,
            events=tuple(event for event in self.events if start <= event.time <= end),
            matter=tuple(each.of_frames(np.arange(selected.start, selected.stop)) for each in self.matter),
        )

    def at_rate(self, rate: float) -> "Film":
        """Return the film resampled at a constant rate [frames/s], from its first frame on; see at_times."""
        if not rate > 0.0:
            raise GambolError(f"a film cannot be resampled to {rate} frames/s; give a positive rate")
        if not len(self.time):
            return self
        frames = (
            int(np.floor(self.duration * rate * (1.0 + 1e-12) + 1e-9)) + 1
        )  # includes the last time despite rounding
        return self.at_times(self.time[0] + np.arange(frames) / rate)

    def at_times(self, times: ArrayLike) -> "Film":
        """Return the film at these times [s].

        Before the first frame the film shows the first frame, and after the last frame the last. Positions are
        interpolated linearly and rotations along the shorter arc (normalised linear interpolation); signals keep the
        last recorded value, since many of them are switches; only signals of SHOTS are interpolated. Particles continue
        at their velocities.
        """
        t = np.asarray(times, dtype=np.float64)
        if not len(self.time):
            raise GambolError(f'film "{self.name}" has no frames to interpolate')
        after = np.clip(np.searchsorted(self.time, t, side="right"), 1, max(len(self.time) - 1, 1))
        before, after = after - 1, np.minimum(after, len(self.time) - 1)
        gap = self.time[after] - self.time[before]
        fraction = np.clip((t - self.time[before]) / np.where(gap > 0.0, gap, 1.0), 0.0, 1.0)
        last_recorded = np.where(fraction >= 1.0, after, before)
        between = before, after, fraction
        return replace(
            self,
            time=t,
            position=_resampled(self.position, between, _interpolated),
            quaternion=_resampled(self.quaternion, between, _interpolated_rotations),
            signals={
                name: _resampled(signal, between, _interpolated)
                if name in SHOTS
                else _resampled(signal, (last_recorded, last_recorded, fraction), _first)
                for name, signal in self.signals.items()
            },
            matter=tuple(each.at(before, after, fraction, gap) for each in self.matter),
        )

    def columns(self, *, rate: float | None = None) -> dict[str, NDArray[np.float64]]:
        """Return the numbers of the first world as columns (F,) by name: time, poses of links, and all signals.

        Names end with the unit in brackets, such as "centre.x [m]"; docs/use/signals.md lists them. rate: frames per
        second; None: all frames unchanged. Raises GambolError for a film without frames.
        """
        if not len(self.time):
            raise GambolError(f'film "{self.name}" has no frames, so it has no numbers')
        film = self if rate is None else self.at_rate(rate)
        columns = {"time [s]": film.time}
        if film.worlds:
            columns |= pose_columns(film.link_names, film.position[:, 0], film.quaternion[:, 0])
            axes = film.axes | {"legs": tuple(limb.replace(" ", "_") for limb in film.limb_names)}
            for name, signal in film.signals.items():
                columns |= signal_columns(name, signal[:, 0], axes, film.signals)
        return columns

    def to_pandas(self, *, rate: float | None = None, world: int = 0) -> Any:
        """Return a pandas.DataFrame with a row for each frame and the columns of columns().

        rate: frames per second; None: all frames unchanged. world: index of the world. Raises GambolError for a film
        without frames, an unknown world, and without pandas.
        """
        columns = self.of_worlds([world]).columns(rate=rate)
        try:
            pandas: Any = import_module("pandas")
        except ImportError as error:
            raise GambolError("to_pandas() needs pandas; install it by: pip install 'gambol[tables]'") from error
        return pandas.DataFrame(columns)

    def to_xarray(self) -> Any:
        """Return an xarray.Dataset of all worlds: "position", "quaternion" and the signals, with named axes.

        The axes are "time" [s], "world", "link", "xyz" and axes of signals, such as "leg" and "foot", with the names of
        their parts. Units, frames and meanings are attributes of the variables. Nothing is copied. Raises GambolError
        without xarray.
        """
        axes = {"link": self.link_names, "legs": self.limb_names, "xyz": ("x", "y", "z"), "wxyz": ("w", "x", "y", "z")}
        poses = {"position": self.position, "quaternion": self.quaternion}
        return film_dataset(self.time, poses, self.signals, axes | self.axes)

    def save(self, path: str | Path) -> Path:
        """Write the film to a file (.npz, without pickles) by an atomic replacement, and return its path.

        Raises GambolError if the folder cannot be written; an existing file is then unchanged.
        """
        write_film(path, **{item.name: getattr(self, item.name) for item in fields(self)})
        return Path(path)

    @staticmethod
    def load(path: str | Path) -> "Film":
        """Return the film in a file that save() wrote. Raises GambolError for missing or invalid files and pickles."""
        return read_film(Path(path), Film)


def _resampled(
    array: NDArray[Any], between: tuple[NDArray[Any], NDArray[Any], NDArray[Any]], value: Callable[..., NDArray[Any]]
) -> NDArray[Any]:
    """Return value(a, b, s), computed in pieces.

    a, b: frames before and after each time; s: fraction of the time between them.
    """
    result = large_array((len(between[0]), *array.shape[1:]), array.dtype)
    for piece in pieces(len(result), int(np.prod(array.shape[1:]))):
        before, after, fraction = (part[piece] for part in between)
        result[piece] = value(array[before], array[after], fraction.reshape(-1, *(1,) * (array.ndim - 1)))
    return result


def _first(a: NDArray[Any], _: NDArray[Any], __: NDArray[Any]) -> NDArray[Any]:
    return a


def _interpolated(a: NDArray[Any], b: NDArray[Any], s: NDArray[Any]) -> NDArray[Any]:
    return (1.0 - s) * a + s * b


def _check_shape(film: str, name: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    if np.shape(array) != shape:
        raise GambolError(
            f'film "{film}": {name} has shape {np.shape(array)}; the times and link names require {shape}'
        )


def _check_parents(film: str, parents: Sequence[int], links: int) -> None:
    if len(parents) not in (0, links) or any(not -1 <= parent < k for k, parent in enumerate(parents)):
        raise GambolError(
            f'film "{film}" has parents {tuple(parents)}; give none, or -1 or an earlier link for each of {links}'
        )


def _interpolated_rotations(a: NDArray[Any], b: NDArray[Any], s: NDArray[Any]) -> NDArray[np.float64]:
    b_near_a = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -b, b)  # q and -q are one rotation
    q = (1.0 - s) * a + s * b_near_a
    return q / np.linalg.norm(q, axis=-1, keepdims=True)
