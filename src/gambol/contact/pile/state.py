"""The state of a pile: where its bodies are, how they move, and what its contacts remember."""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from gambol.contact.pile.body import Pile
from gambol.errors import WorldError

Array = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Books:
    """Energy that a pile has been given, in all [J]: what friction, impacts and repairs took of it is negative.

    push: by outside forces. friction: along the tangents of contacts; impact: along their normals. repair: by moving
    apart what had gone into each other.
    """

    push: float = 0.0
    friction: float = 0.0
    impact: float = 0.0
    repair: float = 0.0

    @property
    def total(self) -> float:
        """All of it: by so much energy() has grown [J]."""
        return self.push + self.friction + self.impact + self.repair


@dataclass(frozen=True)
class Memory:
    """What contacts remember from one step to the next: who they are, and their impulses (3, contacts) [N s]."""

    keys: NDArray[np.int64] = field(default_factory=lambda: np.zeros(0, np.int64))
    impulses: Array = field(default_factory=lambda: np.zeros((3, 0)))

    def recalled(self, keys: NDArray[np.int64]) -> Array:
        """The impulses of contacts (3, contacts), 0 of those that are new."""
        out = np.zeros((3, len(keys)))
        if len(self.keys) and len(keys):
            at = np.minimum(np.searchsorted(self.keys, keys), len(self.keys) - 1)
            known = self.keys[at] == keys
            out[:, known] = self.impulses[:, at[known]]
        return out


@dataclass(frozen=True)
class PileState:
    """All that a step changes. Column 0 is the world, which stays; column k is body k.

    position: of the centres of mass (3, bodies + 1) [m]. turn: body to world (4, bodies + 1), unit quaternions.
    velocity: in world axes (6, bodies + 1), angular first [rad/s, m/s]. time [s]. residual: the largest of the last
    step's, see Solution [m/s]. sweeps: how many the last step took.
    """

    position: Array
    turn: Array
    velocity: Array
    time: float = 0.0
    memory: Memory = field(default_factory=Memory)
    books: Books = field(default_factory=Books)
    residual: float = 0.0
    sweeps: int = 0


def laid(
    pile: Pile,
    positions: Sequence[Sequence[float]] | Array,
    turns: Sequence[Sequence[float]] | Array | None = None,
    velocities: Sequence[Sequence[float]] | Array | None = None,
) -> PileState:
    """A pile as it begins.

    positions: of the centres of mass (bodies, 3) [m]. turns: quaternions (bodies, 4); None: upright. velocities: in
    world axes, angular first (bodies, 6) [rad/s, m/s]; None: at rest.
    Raises WorldError for other shapes, numbers that are not finite, and quaternions that are not unit.
    """
    n = len(pile.bodies)
    q = np.tile([1.0, 0.0, 0.0, 0.0], (n, 1)) if turns is None else np.asarray(turns, float)
    v = np.zeros((n, 6)) if velocities is None else np.asarray(velocities, float)
    x = np.asarray(positions, float)
    for name, array, columns in (("positions", x, 3), ("turns", q, 4), ("velocities", v, 6)):
        if array.shape != (n, columns):
            raise WorldError(f"{name} of {n} bodies have the shape {(n, columns)}, not {array.shape}")
        if not np.isfinite(array).all():
            raise WorldError(f"the {name} of body {int(np.argwhere(~np.isfinite(array))[0, 0]) + 1} are not finite")
    lengths = np.linalg.norm(q, axis=1)
    if np.abs(lengths - 1.0).max() > 1e-6:  # what is written with seven digits is let through
        raise WorldError(f"the quaternion of body {int(np.abs(lengths - 1.0).argmax()) + 1} is not of length 1")
    world = np.array([[1.0, 0.0, 0.0, 0.0]])
    return PileState(
        np.concatenate([np.zeros((1, 3)), x]).T.copy(),
        np.concatenate([world, q / lengths[:, None]]).T.copy(),
        np.concatenate([np.zeros((1, 6)), v]).T.copy(),
    )
