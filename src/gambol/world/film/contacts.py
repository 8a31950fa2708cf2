"""Contacts as arrays: where links touch the ground or each other, and with which forces; and as signals of a film."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gambol.errors import WorldError, did_you_mean


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
        index, own = self.link_names.index(link), self.lane == lane
        first, second = self.selected(own & (self.link == index)), self.selected(own & (self.other == index))
        turned = replace(second, link=second.other, other=second.link, normal=-second.normal, force=-second.force)
        return replace(first, **{k: np.concatenate([getattr(first, k), getattr(turned, k)]) for k in ARRAYS})

    def selected(self, mask: NDArray[Any]) -> Contacts:
        """Return some of the contacts; mask (n,): True for these contacts."""
        return replace(self, **{name: getattr(self, name)[mask] for name in ARRAYS})


ARRAYS = tuple(f.name for f in fields(Contacts) if f.name != "link_names")

SIGNALS = {"point": 3, "normal": 3, "gap": 0, "force": 3}
"""The arrays of contacts in a film, with the number of their components; their signals begin with "contact_"."""


def signals_of(frames: Sequence[Contacts], worlds: int) -> dict[str, NDArray[np.float64]]:
    """Return the contacts of F frames as signals of a film, (F, W, n, ...), for the most contacts n of any world.

    "contact_links" holds the indices of both links, (-1, -1) where there is no contact; other arrays are NaN there.
    "contact_duration" (F, W) is the length of the last step [s].
    """
    counts = [np.bincount(c.lane, minlength=worlds) for c in frames]
    most = max((int(count.max(initial=0)) for count in counts), default=0)
    shape = len(frames), worlds, most
    signals = {f"contact_{name}": np.full((*shape, size) if size else shape, np.nan) for name, size in SIGNALS.items()}
    signals |= {"contact_links": np.full((*shape, 2), -1.0), "contact_duration": np.zeros(shape[:2])}
    for frame, (here, count) in enumerate(zip(frames, counts, strict=True)):
        slot = np.arange(len(here)) - np.repeat(np.cumsum(count) - count, count)  # contacts are sorted by world
        for name in SIGNALS:
            signals[f"contact_{name}"][frame, here.lane, slot] = getattr(here, name)
        signals["contact_links"][frame, here.lane, slot] = np.column_stack([here.link, here.other])
        signals["contact_duration"][frame, here.lane] = here.duration
    return signals


def contacts_in(signals: Mapping[str, NDArray[np.float64]], frame: int, link_names: tuple[str, ...]) -> Contacts:
    """Return the contacts of a frame from the signals of signals_of(). Raises WorldError if they were not recorded."""
    if "contact_links" not in signals:
        raise WorldError("this film has no contacts; record it by run(..., contacts=True)")
    links = signals["contact_links"][frame]
    lane, slot = np.nonzero(links[..., 0] >= 0.0)
    arrays: dict[str, Any] = {name: signals[f"contact_{name}"][frame][lane, slot] for name in SIGNALS}
    link, other = links[lane, slot].astype(np.intp).T
    duration = signals["contact_duration"][frame][lane]
    return Contacts(lane=lane, link=link, other=other, duration=duration, link_names=link_names, **arrays)
