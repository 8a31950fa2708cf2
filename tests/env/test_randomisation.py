"""Random masses and friction in environments: each creature moves by its own numbers, the same for the same seed."""

import gymnasium
import numpy as np
import pytest

import gambol
from gambol.env import Environment, VectorEnvironment
from gambol.errors import WorldError
from gambol.figure import Box, Figure, Joint, Link, Part, Sphere
from gambol.sensing import ContactForce

COUNT = 4
FACTORS = {"mass.block": (0.5, 2.0), "touch.friction": (0.2, 1.0)}
FLAG = Link("flag", "block", Joint("revolute", (0.0, 0.0, 1.0), position=(0.0, 0.0, 0.2)), (Part(Sphere(0.02)),))
FIGURE = Figure("block", (Link("block", None, Joint("free"), (Part(Box((0.4, 0.3, 0.2)), density=500.0),)), FLAG))


@pytest.fixture(scope="module")
def blocks() -> VectorEnvironment:
    env = gambol.make_env(
        FIGURE, COUNT, task="stand", pairs=(), sensors={"push": ContactForce("block")}, randomise=FACTORS
    )
    assert isinstance(env, VectorEnvironment)
    return env


def _masses(env: VectorEnvironment | Environment) -> np.ndarray:
    """Return the masses of the blocks of all creatures (W,)."""
    batch = env.batched_env
    return batch.numbers[batch.engine.number_rows["parameters"]["block.mass"]]


def test_the_ground_carries_the_mass_of_each_creature(blocks: VectorEnvironment):
    obs, _ = blocks.reset(seed=3)
    for _ in range(30):
        obs, *_ = blocks.step(np.zeros((COUNT, 1)))
    masses = _masses(blocks)
    assert len(set(masses)) == COUNT
    total = masses + FIGURE.link("flag").mass_properties.mass
    np.testing.assert_allclose(obs[:, -1], total * 9.81, rtol=1e-3)  # at rest; single precision in an impulse of a step


def test_mass_and_inertia_have_one_factor(blocks: VectorEnvironment):
    blocks.reset(seed=5)
    rows, numbers = blocks.batched_env.engine.number_rows["parameters"], blocks.batched_env.numbers
    block = FIGURE.link("block").mass_properties
    factor = numbers[rows["block.mass"]] / block.mass
    for name, k in (("xx", 0), ("yy", 1), ("zz", 2)):
        np.testing.assert_allclose(numbers[rows[f"block.inertia.{name}"]] / block.inertia[k][k], factor, rtol=1e-6)
    assert ((factor >= 0.5) & (factor <= 2.0)).all()


def test_a_reset_draws_new_numbers_from_the_seed_of_the_creature(blocks: VectorEnvironment):
    blocks.reset(seed=7)
    first = _masses(blocks).copy()
    blocks.reset()
    assert (_masses(blocks) != first).all()
    blocks.reset(seed=7)
    np.testing.assert_array_equal(_masses(blocks), first)
    mask = np.array([True, False, False, True])
    blocks.reset(options={"reset_mask": mask})
    np.testing.assert_array_equal(_masses(blocks) != first, mask)
    one = gambol.make_env(FIGURE, task="stand", pairs=(), sensors={"push": ContactForce("block")}, randomise=FACTORS)
    one.reset(seed=7 + 2)
    blocks.reset(seed=7)
    np.testing.assert_array_equal(_masses(one), first[2:3])  # pyright: ignore[reportArgumentType]


def test_tasks_of_gymnasium_and_body_plans_take_factors():
    pytest.importorskip("mujoco")
    hopper = gymnasium.make(
        "gambol.env:gambol/Hopper-v5", randomise={"friction.foot": (0.5, 0.5), "mass.*": (2.0, 2.0)}
    )
    hopper.reset(seed=1)
    batch = hopper.unwrapped.batched_env  # type: ignore[attr-defined]
    world, rows = batch.engine.world, batch.engine.number_rows["parameters"]
    assert batch.numbers[rows["foot.part 0.friction"], 0] == 0.5 * world.figure.link("foot").parts[0].friction
    for name in ("torso", "thigh", "leg", "foot"):
        assert batch.numbers[rows[f"{name}.mass"], 0] == np.float32(2.0 * world.figure.link(name).mass_properties.mass)
    walker = gambol.make_env("quadruped", 2, randomise={"touch.friction": (0.5, 0.9)})
    walker.reset(seed=1)
    friction = walker.batched_env.numbers[walker.batched_env.engine.number_rows["touch"].friction]
    assert len(set(friction)) == 2


@pytest.mark.parametrize(
    ("factors", "text"),
    [
        ({"mass.blok": (0.5, 2.0)}, 'no input for "mass.blok": no link has this name and a mass'),
        ({"friction.block": (0.5, 2.0)}, 'no input for "friction.block"'),
        ({"touch.frictoin": (0.5, 1.0)}, 'did you mean "touch.friction"'),
        ({"touch.friction": (1.0, 0.5)}, "give two finite numbers in order"),
    ],
)
def test_unknown_inputs_are_refused_when_the_environment_is_made(factors: dict[str, tuple[float, float]], text: str):
    with pytest.raises(WorldError, match=text):
        gambol.make_env(FIGURE, task="stand", pairs=(), randomise=factors)
