"""Hypothesis strategies for random figures and their states; a failing one shrinks to few links of simple kinds."""

from dataclasses import dataclass

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray

from gambol.figure import JOINTS, Figure, random_figure, random_state

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Case:
    """A figure in a state, with joint forces."""

    figure: Figure
    q: Array
    v: Array
    tau: Array


@st.composite
def figures(draw: st.DrawFn, most_links: int = 9, root: str | None = None) -> Figure:
    """Return any figure: number of links, kinds of joints, branching, taper, rotors."""
    kinds = draw(st.lists(st.sampled_from(list(JOINTS)), min_size=1, unique=True))
    return random_figure(
        draw(st.integers(0, 2**20)),
        draw(st.integers(1, most_links)),
        kinds=kinds,
        root=root,
        branching=draw(st.sampled_from([0.0, 0.5, 1.0])),
        taper=draw(st.sampled_from([1.0, 0.9, 0.7])),
        rotors=draw(st.sampled_from([0.0, 0.5, 1.0])),
    )


@st.composite
def cases(draw: st.DrawFn, most_links: int = 9, root: str | None = None) -> Case:
    """Return any figure in any state, under joint forces of the order of 1."""
    figure = draw(figures(most_links, root))
    seed = draw(st.integers(0, 2**20))
    q, v = random_state(figure, seed)
    return Case(figure, q, v, np.random.default_rng(seed).normal(size=figure.nv))
