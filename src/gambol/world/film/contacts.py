"""Contacts as arrays: where links touch the ground or each other, and with which forces; and as signals of a film."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError, did_you_mean
from gambol.world.film.large import large_array, pieces


@dataclass(frozen=True)
class Contacts:
    """The contacts of some worlds: n of them, each with a force or a penetration.

    lane (n,): index of the world. link (n,): index of the first link, as in Film.link_names; other (n,): index of the
    second link, -1 for the ground. point (n, 3): point of contact, in world axes [m]. normal (n, 3): unit vector
    towards the first link. gap (n,): negative in penetration [m]. force (n, 3): force on the first link, in world axes
    [N]; the force on the second link is opposite. With the contact method "penalty" it is the present force, and
    `duration` (n,) is 0; with other methods it is the mean over the last step, and `duration` is the length of this
    step [s]. link_names: names of all links.
    """

    lane: NDArray[np.intp]
    link: NDArray[np.intp]
    other: NDArray[np.intp]
    point: NDArray[np.float64]
    normal: NDArray[np.float64]
    gap: NDArray[np.float64]
    force: NDArray[np.float64]
    duration: NDArray[np.float64]
    link_names: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.lane)

    @property
    def impulse(self) -> NDArray[np.float64]:
        """The impulses of the last step on the first links (n, 3) [N s]; 0 for "penalty", which has forces only."""
        return self.force * self.duration[:, None]

    @property
    def normal_force(self) -> NDArray[np.float64]:
        """The parts of the forces along the normals (n,) [N]."""
        return np.sum(self.force * self.normal, axis=1)

    def names(self) -> tuple[tuple[str, str | None], ...]:
        """Return the names of both links of each contact; None for the ground."""
        names: tuple[str | None, ...] = (*self.link_names, None)  # -1 is the ground
        pairs: list[tuple[int, int]] = np.column_stack([self.link, self.other]).tolist()
        return tuple((self.link_names[a], names[b]) for a, b in pairs)

    def of(self, link: str, lane: int = 0) -> Contacts:
        """Return the contacts of a link of one world, with this link always first. Raises WorldError if unknown."""
        if link not in self.link_names:
            raise WorldError(f'there is no link "{link}"; {did_you_mean(link, self.link_names)}')
        index, in_lane = self.link_names.index(link), self.lane == lane
        first, second = self.selected(in_lane & (self.link == index)), self.selected(in_lane & (self.other == index))
        swapped = replace(second, link=second.other, other=second.link, normal=-second.normal, force=-second.force)
        return replace(first, **{k: np.concatenate([getattr(first, k), getattr(swapped, k)]) for k in ARRAYS})

    def selected(self, mask: NDArray[Any]) -> Contacts:
        """Return some of the contacts; mask (n,): True for these contacts."""
        return replace(self, **{name: getattr(self, name)[mask] for name in ARRAYS})


ARRAYS = tuple(f.name for f in fields(Contacts) if f.name != "link_names")

SIGNALS = {"point": (3,), "normal": (3,), "gap": (), "force": (3,)}
"""The arrays of contacts in a film, with the shape of one contact; their signals begin with "contact_"."""

_SIZES = {**SIGNALS, "links": (2,)}

EMPTY = {"links": -1.0}
"""The value of a signal where there is no contact; NaN for others."""


class ContactSignals:
    """Collects the contacts of up to F frames of W worlds as signals of a film, in arrays that may exceed memory.

    The signals are (F, W, n, ...), for the most contacts n of any world in any frame so far. "contact_links" holds the
    indices of both links, (-1, -1) where there is no contact; other arrays are NaN there. "contact_duration" (F, W) is
    the length of the last step [s].
    """

    def __init__(self, frames: int, worlds: int) -> None:
        self._shape = (frames, worlds)
        self._signals = {name: large_array((frames, worlds, 0, *size)) for name, size in _SIZES.items()}
        self._duration = large_array((frames, worlds))

    def add(self, contacts: Contacts, first: int, count: int) -> None:
        """Add `count` frames after the first ones.

        contacts: contacts of these frames, sorted by lane. Here the lane of world w in the f-th of these frames is f *
        W + w, with f from 0.
        """
        frames, worlds = slice(first, first + count), self._shape[1]
        counts = np.bincount(contacts.lane, minlength=count * worlds)
        self._widen(int(counts.max(initial=0)), first)
        frame, world = np.divmod(contacts.lane, worlds)
        slot = np.arange(len(contacts)) - np.repeat(np.cumsum(counts) - counts, counts)
        values = {name: getattr(contacts, name) for name in SIGNALS}
        values["links"] = np.column_stack([contacts.link, contacts.other])
        for name, signal in self._signals.items():
            signal[frames] = EMPTY.get(name, np.nan)
            signal[frames][frame, world, slot] = values[name]
        self._duration[frames] = 0.0
        self._duration[frames][frame, world] = contacts.duration

    def _widen(self, most: int, filled: int) -> None:
        """Replace the arrays by wider ones if they hold fewer than `most` contacts of a world.

        filled: number of frames whose contacts are copied.
        """
        before = self._signals["gap"].shape[2]
        if most <= before:
            return
        wider = {name: large_array((*self._shape, most, *size)) for name, size in _SIZES.items()}
        for name, signal in wider.items():
            for piece in pieces(filled, math.prod(signal.shape[1:])):
                signal[piece] = EMPTY.get(name, np.nan)
                signal[piece, :, :before] = self._signals[name][piece]
        self._signals = wider

    def signals(self, frames: int) -> dict[str, NDArray[np.float64]]:
        """Return the signals of the first frames, by their names in a film."""
        arrays = self._signals | {"duration": self._duration}
        return {f"contact_{name}": array[:frames] for name, array in arrays.items()}


def contacts_in(signals: Mapping[str, NDArray[np.float64]], frame: int, link_names: tuple[str, ...]) -> Contacts:
    """Return the contacts of a frame, from the signals of ContactSignals. Raises WorldError if a film has none."""
    if "contact_links" not in signals:
        raise WorldError("this film has no contacts; record it by run(..., contacts=True)")
    links = signals["contact_links"][frame]
    lane, slot = np.nonzero(links[..., 0] >= 0.0)
    arrays: dict[str, Any] = {name: signals[f"contact_{name}"][frame][lane, slot] for name in SIGNALS}
    link, other = links[lane, slot].astype(np.intp).T
    duration = signals["contact_duration"][frame][lane]
    return Contacts(lane=lane, link=link, other=other, duration=duration, link_names=link_names, **arrays)
