"""Mass matrix, inverse and forward dynamics against Pinocchio and MuJoCo, on random figures with rotors.

Errors are relative to the largest entry. All three programs work with 53 bits; what is left is rounding, which forward
dynamics multiplies by the condition of the mass matrix, below 1e5 for eight links here.
"""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from figures import random_sample, state_of

from benchmarks.mjcf import MUJOCO_JOINTS
from benchmarks.peers import MujocoFigure, PinocchioFigure
from gambol.dynamics import forward_dynamics, mass_matrix, rnea
from gambol.figure import JOINTS, Figure, random_figure

KINDS = tuple(
    kind for kind in JOINTS if kind not in ("fixed", "axial", "rolling")
)  # axial is as helical; Pinocchio has no rolling
INSIDE = tuple(kind for kind in MUJOCO_JOINTS if kind != "free")  # MuJoCo has free joints only at the root
DRIFTING = ("free", "planar")
"""Joints with linear velocities along axes that turn with the link: MuJoCo's do not, and so its rotors there differ."""


def close(found: Any, expected: Any) -> None:
    expected = np.array(expected)
    np.testing.assert_allclose(found, expected, atol=1e-9 * np.abs(expected).max(initial=0.0), rtol=0.0)


def agree(figure: Figure, seed: int, peer: MujocoFigure | PinocchioFigure) -> None:
    sample = random_sample(figure, seed)
    state, q, v, rates = state_of(figure, sample), *map(np.array, (sample.q, sample.v, sample.rates))
    still = np.zeros_like(v)
    close(peer.mass_matrix(q), mass_matrix(state))
    close(peer.inverse(q, v, rates), rnea(state, sample.rates)[0])
    close(peer.inverse(q, v, still), rnea(state, still.tolist())[0])
    accelerations = np.array(forward_dynamics(state, sample.tau))
    if isinstance(peer, MujocoFigure):
        close(peer.forward(q, v, np.array(sample.tau)), peer.acceleration(q, v, accelerations))
    else:
        close(peer.forward(q[:, None], v[:, None], np.array(sample.tau)[:, None])[:, 0], accelerations)


def without_rotors(figure: Figure, kinds: tuple[str, ...]) -> Figure:
    given = [replace(x, joint=replace(x.joint, rotor=0.0)) if x.joint.kind in kinds else x for x in figure.given_links]
    return replace(figure, given_links=tuple(given))


@pytest.mark.parametrize("kind", KINDS)
def test_each_kind_agrees_with_pinocchio(kind: str):
    figure = random_figure(2, 3, kinds=(kind,), rotors=0.7)
    agree(figure, 2, PinocchioFigure(figure))


@pytest.mark.parametrize("seed", range(30))
def test_figures_of_all_kinds_agree_with_pinocchio(seed: int):
    figure = random_figure(seed, 1 + seed % 8, branching=(seed % 3) / 2, rotors=0.5, root=KINDS[seed % len(KINDS)])
    agree(figure, seed, PinocchioFigure(figure))


@pytest.mark.parametrize("kind", INSIDE)
def test_each_kind_agrees_with_mujoco(kind: str):
    figure = without_rotors(random_figure(2, 3, kinds=(kind,), root="free", rotors=0.7), DRIFTING)
    agree(figure, 2, MujocoFigure(figure))


@pytest.mark.parametrize("seed", range(30))
def test_figures_of_many_kinds_agree_with_mujoco(seed: int):
    root = ("free", None)[seed % 2]
    made = random_figure(seed, 1 + seed % 8, kinds=INSIDE, root=root, branching=(seed % 3) / 2, rotors=0.5)
    figure = without_rotors(made, DRIFTING)
    agree(figure, seed, MujocoFigure(figure))
