"""SimBenchmark's scenes of rigid bodies at its step of 1 ms, and larger ones: errors and processor times of a pile.

Errors are means over all samples, one before each step, of: the squared error of the velocities of the board and of one
ball against the closed form (rolling); the squared change of the energy of all balls (bouncing, elastic 666); the sum
of squared penetration depths (666, rough balls). The two best errors published by SimBenchmark are shown with them.
MuJoCo's time and error are measured on the same scene if it supports such contacts.
"""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray
from scipy.spatial import cKDTree

from benchmarks.rows import Result, Row
from gambol.figure.shapes import Box, Sphere
from gambol.rigid import Body, Pile, PileState, PileStepper, SurfaceMaterial, initial_state

Array = NDArray[np.float64]

G = 9.81
BALL = 0.1  # m

MAX_LOST = {"float64": 1e-9, "float32": 1e-4}
"""Largest energy that is not in the ledger, as a fraction of the energy."""


@dataclass(frozen=True)
class Scene:
    """A scene: pile, initial state, pushes, duration [s], error of a sample, and published errors."""

    pile: Pile
    start: PileState
    push: Array | None
    seconds: float
    error: Callable[[float, Array, Array], float]
    unit: str
    published: dict[str, float]
    peer: bool = False


def rolling(degrees: float) -> Scene:
    """Return the scene of a board pushed over rough ground under 25 balls, which roll on it."""
    grid = np.arange(5) * 2.0 - 4.0
    bodies = [Body(Box((20.0, 20.0, 1.0)), 10.0, "board"), *[Body(Sphere(0.5), 1.0, "ball")] * 25]
    pile = Pile(
        bodies, surface_pairs={("board", "ground"): SurfaceMaterial(0.4), ("board", "ball"): SurfaceMaterial(0.8)}
    )
    way = np.array([np.cos(np.radians(degrees)), np.sin(np.radians(degrees)), 0.0])
    push = np.zeros((26, 6))
    push[0, 3:] = 150.0 * way
    held = (150.0 - 0.4 * 35.0 * G) / 10.0 / (3.5 + 2.5)
    slid = (150.0 - 0.4 * 35.0 * G - 25.0 * held) / 10.0

    def error(t: float, position: Array, velocity: Array) -> float:
        board, ball = velocity[:, 0] - slid * t * way, velocity[:, 1] - held * t * way
        return float(board @ board + ball @ ball)

    places = [[0.0, 0.0, 0.5], *([x, y, 1.5] for x in grid for y in grid)]
    return Scene(pile, initial_state(pile, places), push, 4.0, error, "m2/s2", {}, True)


def _energy_error(mass: float, start: Array) -> Callable[[float, Array, Array], float]:
    whole = mass * G * start[2, 1:].sum()

    def error(t: float, position: Array, velocity: Array) -> float:
        return float((mass * (0.5 * (velocity**2).sum() + G * position[2].sum()) - whole) ** 2)

    return error


def bouncing() -> Scene:
    """Return the scene of 49 balls that fall from 5 m and bounce forever."""
    pile = Pile([Body(Sphere(BALL), 10.0)] * 49, surface=SurfaceMaterial(0.0, 1.0))
    start = initial_state(pile, [[x, y, 5.0] for x in range(7) for y in range(7)])
    known = {"RaiSim": 0.019, "ODE": 185.0}
    return Scene(pile, start, None, 20.0, _energy_error(10.0, start.position), "J2", known)


def cube(restitution: float, height: float) -> Scene:
    """Return the scene of 216 balls in a cube that collapses."""
    grid = np.stack(np.meshgrid(*[np.arange(6)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    jitter = np.random.default_rng(42).uniform(0.0, 1e-3, grid.shape)
    pile = Pile([Body(Sphere(BALL), 10.0)] * 216, surface=SurfaceMaterial(0.0, restitution))
    start = initial_state(pile, 0.21 * grid + [0.0, 0.0, height] + jitter)
    if restitution:
        return Scene(pile, start, None, 10.0, _energy_error(10.0, start.position), "J2", {"RaiSim": 8.4, "ODE": 112.0})
    return Scene(pile, start, None, 10.0, _depths, "m2", {"RaiSim": 1.35e-4, "ODE": 1.55e-4}, True)


def heap(count: int, seconds: float, peer: bool) -> Scene:
    """Return the scene of a cube of rough balls, `count` along each edge, that collapses."""
    grid = np.stack(np.meshgrid(*[np.arange(count)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
    jitter = np.random.default_rng(42).uniform(0.0, 1e-3, grid.shape)
    pile = Pile([Body(Sphere(BALL), 10.0)] * count**3, surface=SurfaceMaterial(0.5))
    start = initial_state(pile, 0.2012 * grid + [0.0, 0.0, 0.101] + jitter)
    return Scene(pile, start, None, seconds, _depths, "m2", {}, peer)


def _depths(t: float, position: Array, velocity: Array) -> float:
    one, other = cKDTree(position.T).query_pairs(2.0 * BALL, output_type="ndarray").T
    apart = np.sqrt(((position[:, one] - position[:, other]) ** 2).sum(axis=0))
    deep = np.maximum(2.0 * BALL - apart, 0.0), np.maximum(BALL - position[2], 0.0)
    return float(sum((d * d).sum() for d in deep))


SCENES: dict[str, Callable[[], Scene]] = {
    "rolling at 60 degrees": lambda: rolling(60.0),
    "rolling along x": lambda: rolling(0.0),
    "bouncing": bouncing,
    "666": lambda: cube(0.0, 0.101),
    "elastic 666": lambda: cube(1.0, 1.101),
    "1000 rough balls": lambda: heap(10, 0.3, peer=True),
    "10648 rough balls": lambda: heap(22, 0.05, peer=False),
}


def simbenchmark(row: Row) -> Result:
    """Measure a whole scene."""
    scene = SCENES[row.model]()
    steps = round(scene.seconds / scene.pile.step)
    mover = PileStepper(scene.pile, precision=row.precision)
    mover.advance(scene.start, 20, scene.push)  # compiles the programs
    whole, state, spent, errors = mover.energy(scene.start), scene.start, 0.0, 0.0
    for _ in range(steps):
        errors += scene.error(state.time, state.position[:, 1:].astype(float), state.velocity[3:, 1:].astype(float))
        began = time.process_time()
        state = mover.advance(state, 1, scene.push)
        spent += time.process_time() - began
    lost = abs(mover.energy(state) - whole - state.ledger.total) / max(abs(whole), abs(state.ledger.push))
    assert lost < MAX_LOST[row.precision], f"{row.name}: {lost:.1e} of the energy is not in the ledger"
    beside = ", ".join(f"{name} {error:g}" for name, error in scene.published.items())
    check = f"error {errors / steps:.2g} {scene.unit}" + (f" ({beside})" if beside else "")
    result = Result(6 * len(scene.pile.bodies), check, scene.pile.step, f"{len(state.cache.keys)} at the end")
    result.ns_per_step, result.energy_drift = spent / steps * 1e9, lost
    result.more = {"error": errors / steps}
    if scene.peer:
        error, seconds = _of_mujoco(scene, steps)
        result.peer, result.peer_ns_per_step = "MuJoCo", seconds / steps * 1e9
        result.ratio, result.more["peer_error"] = seconds / spent, error
    return result


def _of_mujoco(scene: Scene, steps: int) -> tuple[float, float]:
    """Return MuJoCo's error and computing time [s], with elliptic cones and Newton's method."""
    model = mujoco.MjModel.from_xml_string("\n".join(_mjcf(scene)))
    data = mujoco.MjData(model)
    if scene.push is not None:
        data.xfrc_applied[1:, :3] = scene.push[:, 3:]
    errors, spent = 0.0, 0.0
    for _ in range(steps):
        velocity = data.qvel.reshape(-1, 6)[:, :3].T
        errors += scene.error(data.time, data.qpos.reshape(-1, 7)[:, :3].T, velocity)
        began = time.process_time()
        mujoco.mj_step(model, data)
        spent += time.process_time() - began
    return errors / steps, spent


def _mjcf(scene: Scene) -> Iterator[str]:
    """Yield the scene as MJCF. MuJoCo takes the larger friction of a pair, so the board has none."""
    pile = scene.pile
    rough = dict.fromkeys(pile.materials, pile.surface.friction)
    if pile.surface_pairs:
        rough = {"board": 0.0, "ground": 0.4, "ball": 0.8}
    kind = f'condim="{3 if any(rough.values()) else 1}"'
    yield f'<mujoco><option timestep="{pile.step}" gravity="0 0 -{G}" cone="elliptic"/><worldbody>'
    yield f'<geom type="plane" size="100 100 1" {kind} friction="{rough["ground"]} 0 0"/>'
    for body, place in zip(pile.bodies, scene.start.position[:, 1:].T, strict=True):
        size = [0.5 * x for x in body.shape.sizes] if body.shape.kind == "box" else body.shape.sizes
        yield f'<body pos="{" ".join(map(repr, place.tolist()))}"><freejoint/><geom type="{body.shape.kind}" '
        yield f'size="{" ".join(map(str, size))}" mass="{body.mass}" '
        yield f'{kind} friction="{rough[body.material]} 0 0"/></body>'
    yield "</worldbody></mujoco>"


SIMBENCHMARK: dict[str, Callable[[Row], Result]] = {"simbenchmark": simbenchmark}
