"""Recordings of formulas that later plans of the same figure share."""

from dataclasses import replace

import pytest

from gambol.figure import JointSpring
from gambol.lanes.tape import record_tape
from gambol.plan import Cost, Cycle, Mesh, Phase, Plan, PointTarget, Pose
from gambol.plan.motion.guesses.from_poses import first_guess
from gambol.plan.motion.mesh_refinement.fractions import first_knots, nodes_of
from gambol.plan.motion.transcription.elements import scaled
from gambol.plan.motion.transcription.program import transcribe
from gambol.plan.motion.transcription.schemes import SCHEMES
from gambol.plan.problems import cart_pole, hopper_leap, lamp_jump, quadruped_trot, single_rigid_body_trot
from gambol.plan.program import Element
from gambol.plan.solver.evaluation import tape_of

trot, leap, pole = single_rigid_body_trot(), hopper_leap(), cart_pole()
BACKWARD = Mesh("backward euler", intervals=4)
VARIANTS: dict[str, Plan] = {
    "trot": trot,
    "faster": single_rigid_body_trot(1.2, 0.4),
    "slippery": replace(trot, friction=0.3),
    "pyramid": replace(trot, cone="pyramid"),
    "moon": replace(trot, gravity=1.62),
    "other goal": replace(trot, targets=(PointTarget("foot front right", (None, None, 0.1), 0.1, relation="above"),)),
    "other feet": replace(trot, phases=(Phase("stance", 0.25, ("foot front right", "foot hind left")),)),
    "whole stride": replace(trot, cycle=Cycle(0.2)),
    "power": replace(trot, costs=(Cost("power"), Cost("acceleration"))),
    "whole body": quadruped_trot(),
    "leap": leap,
    "softer": replace(leap, springs={"foot": JointSpring(stiffness=900.0)}),
    "found": replace(leap, phases=(Phase(may_touch=("sole",)),), mesh=BACKWARD),
    "lamp": lamp_jump(),
    "further lamp": lamp_jump(0.2),
    "pole": pole,
    "forward": replace(pole, mesh=Mesh(dynamics="forward")),
    "at": replace(pole, poses=(Pose(1.0, {"pole": 1.0}),), targets=(PointTarget("pole", (0.5, None, None), 1.0),)),
    "elsewhere": replace(pole, targets=(PointTarget("pole", (0.4, None, None), 1.0),)),
    "near": replace(pole, targets=(PointTarget("pole", (0.4, None, None), 1.0, relation="within", radius=0.1),)),
}


def elements_of(plan: Plan) -> tuple[Element, ...]:
    guesses = first_guess(plan, [nodes_of(SCHEMES[plan.mesh.method], knots) for knots in first_knots(plan)])
    program = transcribe(plan, guesses).program
    return (*program.costs, *program.constraints)


@pytest.fixture(scope="module")
def shared() -> dict[str, list[str]]:
    """The digests of all tapes, where each plan may share those of all before it."""
    scaled.cache_clear()
    return {name: [tape_of(element).digest() for element in elements_of(plan)] for name, plan in VARIANTS.items()}


@pytest.mark.parametrize("name", VARIANTS)
def test_a_shared_recording_is_that_of_the_plan_itself(name: str, shared: dict[str, list[str]]):
    """Plans that differ in one thing follow each other; each tape is compared with one that is recorded anew."""
    scaled.cache_clear()
    elements = elements_of(VARIANTS[name])
    tapes = [record_tape(e.function, e.unknowns.shape[1], e.constants.shape[1]) for e in elements]
    assert shared[name] == [tape.digest() for tape in tapes]


def test_a_plan_from_another_start_records_no_formula_of_motion_again():
    first, second = (single_rigid_body_trot(speed) for speed in (0.8, 0.7))
    functions = [{e.name: e.function for e in elements_of(plan)} for plan in (first, second)]
    for name in ('equation of motion in "stance"', 'standing points of "stance"', 'friction in "stance"', "effort"):
        assert functions[0][name] is functions[1][name]
