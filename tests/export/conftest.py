"""Films to export: a figure with joints of several kinds that moves along given curves, without a simulation."""

from dataclasses import replace

import numpy as np
import pytest
from beast import FIGURE

from gambol.matter.forces import Air, Surroundings
from gambol.matter.mesh import ClothMaterial, cloth, rope
from gambol.matter.motion import MeshStepper, StepRule
from gambol.matter.scene import meshes_film
from gambol.plan.pose.film import pose_film
from gambol.world import Film
from gambol.world.film import FilmMuscle, FilmParticles

H, FRAMES = 1.0 / 240.0, 7  # of the gale


def coordinates(t: np.ndarray) -> np.ndarray:
    """Return q (F, nq): it walks in a curve, rolls over several times, and everything moves."""
    roll, swing = 4.0 * t, 0.6 * np.sin(7.0 * t)
    root = [np.cos(roll / 2), np.sin(roll / 2), 0.0 * t, 0.0 * t, np.sin(t), 0.3 * t, 0.5 + 0.1 * np.cos(3.0 * t)]
    nod = 0.5 * np.sin(5.0 * t)
    head = [np.cos(nod / 2), 0.0 * t, np.sin(nod / 2), 0.0 * t]
    return np.stack([*root, swing, 0.02 * np.sin(9.0 * t), *head], axis=-1)


@pytest.fixture(scope="session")
def film() -> Film:
    """A film of 2 s at 50 frames/s, with one limb."""
    t = np.arange(101) / 50.0
    stepping = (np.sin(2.0 * np.pi * t / 0.5) > 0.0).astype(float)[:, None, None]
    made = pose_film(FIGURE, t, coordinates(t), signals={"stepping": stepping, "kinetic": np.ones((101, 1))})
    return replace(made, limb_names=("left foot",))


@pytest.fixture(scope="session")
def gale() -> Film:
    """A cloth that tears in the wind, a rope that swings, particles that are born and die, and a muscle."""
    weak = ClothMaterial(density=0.2, warp=50.0, weft=50.0, shear=10.0, tears_at=1.05)
    sheet = cloth(5, 5, 0.1, weak, axes=((0.0, 0.0, -1.0), (1.0, 0.0, 0.0)), pins=[(0, 0), (0, 4)])
    line = rope(np.linspace([0.0, 0.0, 1.0], [1.0, 0.0, 1.0], 6), density=0.1, stretch=100.0, pins=[0])
    wind = Surroundings(air=Air(velocity=(0.0, 15.0, 0.0)))
    steppers = {"sheet": MeshStepper(sheet, wind, StepRule("implicit euler", H)), "rope": MeshStepper(line)}
    states = {name: [stepper.start()] for name, stepper in steppers.items()}
    for name, stepper in steppers.items():
        for _ in range(FRAMES - 1):
            states[name].append(stepper.advance(states[name][-1], 10))
    times = np.array([state.time for state in states["sheet"]])
    rope_states = [replace(state, time=t) for state, t in zip(states["rope"], times, strict=True)]
    made = meshes_film("gale", {"sheet": (sheet, states["sheet"]), "rope": (line, rope_states)})
    rng = np.random.default_rng(1)
    counts = [0, 3, 5, 4, 0, 1, 2]
    total = sum(counts)
    sparks = FilmParticles(
        "sparks", np.concatenate([[0], np.cumsum(counts)]), rng.normal(size=(total, 3)).astype(np.float32),
        rng.normal(size=(total, 3)).astype(np.float32), rng.integers(0, 256, (total, 4)).astype(np.uint8),
        rng.uniform(0.01, 0.02, total).astype(np.float32), np.arange(total, dtype=np.int64),
    )  # fmt: skip
    points = np.cumsum(rng.normal(size=(FRAMES, 4, 3)), axis=1).astype(np.float32)
    levels = np.linspace(0.0, 1.0, FRAMES, dtype=np.float32)
    return replace(made, matter=(*made.matter, sparks, FilmMuscle("biceps", points, levels, levels, 0.03)))
