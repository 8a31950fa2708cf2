"""A cloth of springs beside MuJoCo's flex, and a rod beside PyElastica's: the same scene, compared first.

MuJoCo's cloth is a flex of edges: points with three slides each, and springs without dampers. PyElastica's rod is a
Cosserat rod, held as a cantilever, that falls under its weight: gambol's has neither shear nor rotational inertia.
"""

from importlib import import_module
from importlib.util import find_spec
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.rows import Result, Row
from benchmarks.timing import median_and_spread, ratio, time_interleaved
from gambol.matter.mesh import ClothMaterial, cloth, rope
from gambol.matter.motion import MeshStepper, StepRule

Array = NDArray[Any]

STEPS, REPEATS = 50, 9
SIDE, SPACING, STIFFNESS, MASS = 41, 0.025, 50.0, 2e-4  # of the cloth
CLOTH_STEP = 1e-3
MOVED = 2e-3  # m: standard deviation of the initial displacements

ELEMENTS, LENGTH, RADIUS, DENSITY, YOUNG = 40, 1.0, 0.01, 1000.0, 1e8  # of the rod, in SI units
ROD_STEP, FALL = 2e-5, 0.2  # s
ROD_AGREEMENT = 2e-3  # of the fall of the tip: shear and rotational inertia are of the size (radius/length)^2 E/G


def cloth_of_edges(row: Row) -> Result:
    """Time a step of a free cloth beside MuJoCo's, from the same displaced positions."""
    mujoco: Any = import_module("mujoco")
    shape = cloth(SIDE, SIDE, SPACING, ClothMaterial(1.0, STIFFNESS, STIFFNESS, STIFFNESS, 0.0, damping=0.0))
    model = mujoco.MjModel.from_xml_string(flex_xml(shape.points, shape.springs.ends))
    data = mujoco.MjData(model)
    masses = model.body_mass[model.flex_vertbodyid]
    springs = shape.springs
    mesh = type(shape)(
        shape.points, masses, type(springs)(springs.ends, springs.rest, *map(np.array, (STIFFNESS, 0.0)))
    )
    stepper = MeshStepper(mesh, rule=StepRule("semi-implicit euler", CLOTH_STEP))
    moved = MOVED * np.random.default_rng(0).standard_normal(mesh.points.shape)
    data.qpos[:] = moved.ravel()
    state = stepper.start(mesh.points + moved)

    def theirs() -> None:
        for _ in range(STEPS):
            mujoco.mj_step(model, data)

    theirs()
    mujoco.mj_kinematics(model, data)
    mujoco.mj_flex(model, data)
    after = stepper.advance(state, STEPS)
    far = float(np.abs(data.flexvert_xpos - after.position).max())
    way = float(np.abs(after.position - state.position).max())
    assert far < 1e-12, f"positions differ from MuJoCo's by {far:.1e} m"
    times = time_interleaved(lambda: stepper.advance(state, STEPS), theirs, repeats=REPEATS)
    check = f"positions within {far:.0e} m of MuJoCo's after {STEPS} steps, and a way of {way:.0e} m"
    return _result(3 * len(mesh.points), check, CLOTH_STEP, "MuJoCo", times)


def flex_xml(points: Array, ends: Array) -> str:
    """Return a MuJoCo model of points and springs along edges, without contacts and constraints."""
    places, edges = (" ".join(map(repr, array.ravel().tolist())) for array in (points, ends))
    return f"""<mujoco><option timestep="{CLOTH_STEP}" integrator="Euler" gravity="0 0 -9.81">
    <flag contact="disable" constraint="disable"/></option><worldbody>
    <flexcomp name="cloth" type="direct" point="{places}" element="{edges}" dim="1" mass="{MASS * len(points)}"
    radius="0.001"><edge stiffness="{STIFFNESS}" damping="0"/>
    <contact contype="0" conaffinity="0" selfcollide="none"/></flexcomp></worldbody></mujoco>"""


def rod(row: Row) -> Result:
    """Time a step of a cantilever beside PyElastica's, and compare the fall of the tip."""
    section, second = np.pi * RADIUS**2, np.pi * RADIUS**4 / 4.0
    x = np.linspace(0.0, LENGTH, ELEMENTS + 1)
    points = np.stack([x, np.zeros_like(x), np.zeros_like(x)], axis=1)
    mesh = rope(points, density=DENSITY * section, stretch=YOUNG * section, bend=YOUNG * second, pins=[0, 1])
    stepper = MeshStepper(mesh, rule=StepRule("velocity verlet", ROD_STEP))
    begin = stepper.start()
    fall = -float(stepper.advance(begin, round(FALL / ROD_STEP)).position[-1, 2])
    if not find_spec("elastica"):
        return Result(3 * ELEMENTS, f"the tip falls {fall:.4f} m; PyElastica is not installed", ROD_STEP)
    advance, tip = elastica_rod()
    advance(round(FALL / ROD_STEP))
    far = abs(fall + tip()) / fall
    assert far < ROD_AGREEMENT, f"the tip falls {fall:.4f} m, with PyElastica {-tip():.4f} m"
    times = time_interleaved(lambda: stepper.advance(begin, STEPS), lambda: advance(STEPS), repeats=REPEATS)
    check = f"the tip falls {fall:.4f} m in {FALL} s, within {far:.0e} of PyElastica's"
    return _result(3 * ELEMENTS, check, ROD_STEP, "PyElastica", times)


def elastica_rod() -> tuple[Any, Any]:
    """Return functions that take steps of PyElastica's cantilever, and that return the height of its tip [m]."""
    ea: Any = import_module("elastica")
    simulator = type("Rods", (ea.BaseSystemCollection, ea.Constraints, ea.Forcing), {})()
    axis, up = np.array([1.0, 0.0, 0.0]), np.array([0.0, 0.0, 1.0])
    moduli = {"youngs_modulus": YOUNG, "shear_modulus": YOUNG / 3.0}
    beam = ea.CosseratRod.straight_rod(ELEMENTS, np.zeros(3), axis, up, LENGTH, RADIUS, DENSITY, **moduli)
    simulator.append(beam)
    ends = {"constrained_position_idx": (0,), "constrained_director_idx": (0,)}
    simulator.constrain(beam).using(ea.OneEndFixedBC, **ends)
    simulator.add_forcing_to(beam).using(ea.GravityForces, acc_gravity=-9.81 * up)
    simulator.finalize()
    method, clock = ea.PositionVerlet(), [np.float64(0.0)]

    def advance(steps: int) -> None:
        for _ in range(steps):
            clock[0] = method.step(simulator, clock[0], np.float64(ROD_STEP))

    return advance, lambda: float(beam.position_collection[2, -1])


def _result(dof: int, check: str, step: float, peer: str, times: list[list[float]]) -> Result:
    (ours, spread), (theirs, _) = map(median_and_spread, times)
    ns, peer_ns = 1e9 * ours / STEPS, 1e9 * theirs / STEPS
    return Result(dof, check, step, "no", ns, spread, peer, peer_ns, ratio(*times))


FLEXIBLE = {"cloth of edges": cloth_of_edges, "rod": rod}
