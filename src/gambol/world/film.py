"""A film: what was recorded of a run, at a frame rate, as plain data for viewers, plots and exporters."""

import json
import zipfile
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gambol.errors import GambolError
from gambol.formats import moved_into_place
from gambol.world.events.watch import Happening

FORMAT = "gambol film 1"  # opens the metadata of a file; a reader refuses what it does not know
SIGNAL = "signal:"  # prefix of a signal's array in the file, so that no name can collide with the film's own arrays


@dataclass(frozen=True)
class FilmShape:
    """A drawable shape fixed to a link: kind, as in the table of shapes, or a slab, and its sizes [m].

    size: box (x, y, z edge lengths); sphere (r,); ellipsoid (radii along x, y, z); capsule (r, length between centres
    along z); cylinder (r, length along z); frustum (r at -z end, r at +z end, length along z); hull (x, y, z of each
    vertex in turn); slab, the hull of four balls (x and y between their centres, which lie at z = 0, and their r).
    quaternion (w, x, y, z), position: pose in the link.
    """

    link: int
    kind: str
    size: tuple[float, ...]
    position: tuple[float, float, float]
    quaternion: tuple[float, float, float, float]


@dataclass(frozen=True)
class FilmGround:
    """The ground of a film: heights [m] at x0 + i spacing, y0 + j spacing (rows are x), or heights None for z = 0."""

    heights: NDArray[np.float64] | None = None
    x0: float = 0.0
    y0: float = 0.0
    spacing: float = 1.0


@dataclass(frozen=True)
class Film:
    """What was recorded: F frames of W worlds of one figure with L links.

    time (F,) [s]; position (F, W, L, 3) [m] and quaternion (F, W, L, 4) (w, x, y, z): link to world.
    signals: named arrays (F, W, ...), e.g. "stepping" (F, W, legs) 1 while a leg steps.
    events: what was watched for and happened, in the order of time.
    Arrays whose shapes do not fit together raise GambolError.
    """

    name: str
    time: NDArray[np.float64]
    position: NDArray[np.float64]
    quaternion: NDArray[np.float64]
    link_names: tuple[str, ...]
    shapes: tuple[FilmShape, ...]
    leg_names: tuple[str, ...] = ()
    ground: FilmGround = FilmGround()
    signals: dict[str, NDArray[np.float64]] = field(default_factory=dict[str, NDArray[np.float64]])
    events: tuple[Happening, ...] = ()

    def __post_init__(self) -> None:
        F, W, L = len(self.time), self.worlds, len(self.link_names)
        _expect(self.name, "position", self.position, (F, W, L, 3))
        _expect(self.name, "quaternion", self.quaternion, (F, W, L, 4))
        for name, signal in self.signals.items():
            _expect(self.name, f'signal "{name}"', signal, (F, W, *np.shape(signal)[2:]))
        for shape in self.shapes:
            if not 0 <= shape.link < L:
                raise GambolError(f'film "{self.name}" fixes a {shape.kind} to link {shape.link}; it has 0 to {L - 1}')

    def __repr__(self) -> str:
        return (
            f'<Film "{self.name}": {len(self.time)} frames, {self.duration:.3g} s, worlds: {self.worlds}, '
            f"links: {len(self.link_names)}, signals: {', '.join(self.signals)}>"
        )

    @property
    def worlds(self) -> int:
        """How many worlds were filmed at once."""
        return int(np.shape(self.position)[1]) if np.ndim(self.position) == 4 else 0

    @property
    def duration(self) -> float:
        """Time from the first frame to the last [s]; 0 for a film of one frame or none."""
        return float(self.time[-1] - self.time[0]) if len(self.time) else 0.0

    def of_worlds(self, worlds: Sequence[int]) -> "Film":
        """The same film with only these worlds (indices from 0), in this order. An index out of range: GambolError."""
        for w in worlds:
            if not 0 <= w < self.worlds:
                raise GambolError(f'film "{self.name}" has no world {w}; its worlds are 0 to {self.worlds - 1}')
        chosen = list(worlds)
        signals = {name: signal[:, chosen] for name, signal in self.signals.items()}
        events = [replace(one, lane=k) for k, w in enumerate(chosen) for one in self.events if one.lane == w]
        return replace(
            self,
            position=self.position[:, chosen],
            quaternion=self.quaternion[:, chosen],
            signals=signals,
            events=tuple(sorted(events, key=lambda one: (one.time, one.lane))),
        )

    def between(self, start: float, end: float) -> "Film":
        """The frames recorded from start to end [s], both included."""
        kept = (self.time >= start) & (self.time <= end)
        signals = {name: signal[kept] for name, signal in self.signals.items()}
        return replace(
            self,
            time=self.time[kept],
            position=self.position[kept],
            quaternion=self.quaternion[kept],
            signals=signals,
            events=tuple(one for one in self.events if start <= one.time <= end),
        )

    def at_rate(self, rate: float) -> "Film":
        """The film resampled to a steady rate [frames/s] from its first instant on; see at_times."""
        if not rate > 0.0:
            raise GambolError(f"a film cannot be resampled to {rate} frames/s; give a positive rate")
        if not len(self.time):
            return self
        frames = int(np.floor(self.duration * rate * (1.0 + 1e-12) + 1e-9)) + 1  # the last instant survives rounding
        return self.at_times(self.time[0] + np.arange(frames) / rate)

    def at_times(self, times: ArrayLike) -> "Film":
        """The film seen at these instants [s], held at its ends.

        Positions are interpolated linearly and rotations along the shorter arc (normalised linear interpolation);
        signals keep the last recorded value, since many of them are switches.
        """
        t = np.asarray(times, dtype=np.float64)
        if not len(self.time):
            raise GambolError(f'film "{self.name}" has no frames to look between')
        after = np.clip(np.searchsorted(self.time, t, side="right"), 1, max(len(self.time) - 1, 1))
        before, after = after - 1, np.minimum(after, len(self.time) - 1)
        gap = self.time[after] - self.time[before]
        share = np.clip((t - self.time[before]) / np.where(gap > 0.0, gap, 1.0), 0.0, 1.0)
        held = np.where(share >= 1.0, after, before)
        s = share[:, None, None, None]
        return replace(
            self,
            time=t,
            position=(1.0 - s) * self.position[before] + s * self.position[after],
            quaternion=_between_rotations(self.quaternion[before], self.quaternion[after], s),
            signals={name: signal[held] for name, signal in self.signals.items()},
        )

    def save(self, path: str | Path) -> Path:
        """Write the film to path (.npz, no pickles): first beside it, then moved into place. Returns the path.

        A folder that cannot be written raises GambolError, and a film that is already there stays whole.
        """
        arrays: dict[str, NDArray[Any]] = {"time": self.time, "position": self.position, "quaternion": self.quaternion}
        if self.ground.heights is not None:
            arrays["heights"] = self.ground.heights
        arrays |= {SIGNAL + name: signal for name, signal in self.signals.items()}
        arrays["about"] = np.frombuffer(json.dumps(_about(self)).encode(), dtype=np.uint8)
        with moved_into_place(path) as beside, beside.open("wb") as file:
            np.savez(file, allow_pickle=False, **arrays)  # pyright: ignore[reportArgumentType]  # numpy's stub of **kwds
        return Path(path)

    @staticmethod
    def load(path: str | Path) -> "Film":
        """Read a film that save wrote. What is missing, or is no film, raises GambolError. Pickles are never opened."""
        path = Path(path)
        if not path.is_file():
            near = get_close_matches(path.name, [p.name for p in path.parent.glob("*.npz")], n=1)
            raise GambolError(f"there is no film {path}" + (f'; did you mean "{near[0]}"?' if near else ""))
        try:
            if not zipfile.is_zipfile(path):
                raise ValueError("it is no .npz archive")
            with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
                arrays = {name: file[name] for name in file.files}
            about = json.loads(arrays["about"].tobytes())
            if about["format"] != FORMAT:
                raise GambolError(f'{path} is written as "{about["format"]}"; this version of gambol reads "{FORMAT}"')
            return _film(about, arrays)
        except GambolError:
            raise
        except (OSError, EOFError, ValueError, KeyError, TypeError, AttributeError, zipfile.BadZipFile) as error:
            raise GambolError(f"{path} is not a film written by Film.save ({error})") from error


def _expect(film: str, what: str, array: NDArray[Any], shape: tuple[int, ...]) -> None:
    if np.shape(array) != shape:
        raise GambolError(
            f'film "{film}": {what} has shape {np.shape(array)}; its times and link names ask for {shape}'
        )


def _between_rotations(a: NDArray[Any], b: NDArray[Any], s: NDArray[Any]) -> NDArray[np.float64]:
    near = np.where(np.sum(a * b, axis=-1, keepdims=True) < 0.0, -b, b)  # q and -q are one rotation
    q = (1.0 - s) * a + s * near
    return q / np.linalg.norm(q, axis=-1, keepdims=True)


def _about(film: Film) -> dict[str, Any]:
    return {
        "format": FORMAT,
        "name": film.name,
        "link_names": film.link_names,
        "leg_names": film.leg_names,
        "shapes": [asdict(shape) for shape in film.shapes],
        "ground": {"x0": film.ground.x0, "y0": film.ground.y0, "spacing": film.ground.spacing},
        "events": [asdict(one) for one in film.events],
    }


def _happening(one: Mapping[str, Any]) -> Happening:
    return Happening(one["name"], one["lane"], one["time"], (*one["q"],), (*one["v"],))


def _film(about: Mapping[str, Any], arrays: Mapping[str, NDArray[Any]]) -> Film:
    shapes = tuple(
        FilmShape(s["link"], s["kind"], tuple(s["size"]), (*s["position"],), (*s["quaternion"],))
        for s in about["shapes"]
    )
    return Film(
        name=about["name"],
        time=arrays["time"],
        position=arrays["position"],
        quaternion=arrays["quaternion"],
        link_names=tuple(about["link_names"]),
        shapes=shapes,
        leg_names=tuple(about["leg_names"]),
        ground=FilmGround(arrays.get("heights"), **about["ground"]),
        signals={name.removeprefix(SIGNAL): a for name, a in arrays.items() if name.startswith(SIGNAL)},
        events=tuple(_happening(one) for one in about.get("events", ())),
    )
