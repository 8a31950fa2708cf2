"""Single and vectorised gymnasium environments: gymnasium's own checks, and its own vector of single ones."""

import re
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from gambol.env import Environment, RewardTerms, VectorEnvironment, register
from gambol.env.locomotion import LOCOMOTION
from gambol.errors import EvolveError

SHORT = 12  # actions of a life
COUNT = 4


def test_gymnasium_finds_nothing_wrong() -> None:
    check_env(gymnasium.make("gambol/Quadruped-v0").unwrapped)  # warnings are errors here


def test_there_is_an_environment_for_every_plan() -> None:
    names = register()
    small = ("Beetle", "Spider", "Crab")
    animals = (*small, "Dog", "Cat", "Horse", "Lizard", "Bird", "Dinosaur", "Monkey", "Centipede", "Oculus")
    plans = ("Quadruped", "Hexapod", "Biped", "Newt", "Snake", "Eel", *animals)
    assert names == (*(f"gambol/{plan}-v0" for plan in plans), *(f"gambol/{name}" for name in LOCOMOTION))
    assert all(name in gymnasium.registry for name in names)


def test_gymnasium_finds_them_by_the_name_of_the_module() -> None:
    many = gymnasium.make_vec("gambol.env:gambol/Quadruped-v0", COUNT, vectorization_mode="vector_entry_point")
    assert isinstance(many, VectorEnvironment)
    assert many.max_episode_steps == 300


def single() -> gymnasium.Env[Any, Any]:
    return gymnasium.make("gambol/Quadruped-v0", max_episode_steps=SHORT)


@pytest.mark.parametrize("mode", [AutoresetMode.NEXT_STEP, AutoresetMode.SAME_STEP])
def test_many_are_what_gymnasium_makes_of_single_ones(mode: AutoresetMode) -> None:
    """To the last bit: observations, rewards, ends and infos, over episodes that are truncated or terminated."""
    ours = VectorEnvironment(COUNT, max_episode_steps=SHORT, autoreset_mode=mode)
    theirs: Any = SyncVectorEnv([single] * COUNT, autoreset_mode=mode)
    assert np.array_equal(ours.reset(seed=3)[0], theirs.reset(seed=3)[0])
    rng, ended = np.random.default_rng(1), 0
    for _ in range(3 * SHORT):
        actions: Any = rng.uniform(-1.0, 1.0, (COUNT, 8)).astype(np.float32)
        *own, reported = ours.step(actions)
        *other, expected = theirs.step(actions)
        assert all(np.array_equal(a, b) for a, b in zip(own, other, strict=True))
        same(reported, expected)
        ended += int(own[2].sum() + own[3].sum())
    assert ended >= 2 * COUNT


def same(reported: dict[str, Any], expected: dict[str, Any]) -> None:
    for name, value in expected.items():
        if isinstance(value, dict):
            same(reported[name], value)
        elif name == "final_obs":
            for a, b in zip(reported[name], value, strict=True):
                assert a is b is None or np.array_equal(np.asarray(a), np.asarray(b))
        else:
            assert np.array_equal(reported[name], value), name


def test_without_autoreset_finished_worlds_wait_for_reset() -> None:
    many = VectorEnvironment(COUNT, max_episode_steps=2, autoreset_mode="Disabled")
    many.reset(seed=5)
    rest = np.zeros((COUNT, 8))
    many.step(rest)
    many.reset(seed=7, options={"reset_mask": np.array([True, False, False, False])})
    *_, cut, _ = many.step(rest)
    assert cut.tolist() == [False, True, True, True]
    with pytest.raises(EvolveError, match="3 episodes are over, the first is number 1"):
        many.step(rest)
    many.reset(options={"reset_mask": cut})
    *_, cut, _ = many.step(rest)
    assert cut.tolist() == [True, False, False, False]


def test_a_seed_determines_an_episode() -> None:
    def rewards(seed: int) -> list[float]:
        one = Environment()
        one.reset(seed=seed)
        return [one.step(np.full(8, 0.3))[1] for _ in range(5)]

    assert rewards(4) == rewards(4)
    assert rewards(4) != rewards(5)


def test_threads_change_nothing() -> None:
    runs: list[Any] = []
    for threads in (1, 2):
        many = VectorEnvironment(40, threads=threads)
        many.reset(seed=1)
        runs.append([many.step(np.full((40, 8), 0.5))[:2] for _ in range(3)])
    for one, other in zip(*runs, strict=True):
        assert all(np.array_equal(a, b) for a, b in zip(one, other, strict=True))


def test_custom_reward_terms() -> None:
    default, own = Environment(), Environment(reward_terms=RewardTerms(speed=0.0, effort=0.0, alive=3.0))
    for env in (default, own):
        env.reset(seed=1)
    assert own.step(np.zeros(8))[1] == 3.0
    assert default.step(np.zeros(8))[1] != 3.0


@pytest.mark.parametrize(
    ("actions", "words"),
    [(np.zeros((2, 8)), r"shape \(2, 8\); they must have \(4, 8\)"), (np.full((4, 8), np.nan), "not finite")],
)
def test_impossible_actions_are_errors(actions: Any, words: str) -> None:
    many = VectorEnvironment(COUNT)
    many.reset(seed=1)
    with pytest.raises(EvolveError, match=words):
        many.step(actions)


def test_impossible_resets_are_errors() -> None:
    many = VectorEnvironment(COUNT)
    with pytest.raises(EvolveError, match="there are 3 seeds for 4 creatures"):
        many.reset(seed=[1, 2, 3])
    with pytest.raises(EvolveError, match="a reset_mask must be 4 bools"):
        many.reset(options={"reset_mask": np.zeros(4, bool)})


def test_the_lesson_can_be_followed() -> None:
    page = (Path(__file__).parents[2] / "docs" / "use" / "learners.md").read_text()
    names: dict[str, Any] = {}
    for block in re.findall(r"^```python\n(.*?)^```", page.replace("1024", "8"), re.DOTALL | re.MULTILINE):
        exec(compile(block, "learners.md", "exec"), names)
    assert np.shape(names["obs"]) == (8, 30)


@pytest.mark.parametrize("name", ["num_envs", "max_episode_steps", "threads"])
@pytest.mark.parametrize("count", [0, -3, 1.5])
def test_counts_of_worlds_steps_and_threads_are_positive(name: str, count: Any) -> None:
    with pytest.raises(EvolveError, match=f"{name} is {count}; give a whole number, 1 or more"):
        VectorEnvironment(**{name: count})


@pytest.mark.parametrize("mode", ["human", "ansi"])
def test_a_render_mode_is_refused_in_words(mode):
    assert Environment(render_mode=None).render_mode is None
    for make in (Environment, VectorEnvironment):
        with pytest.raises(EvolveError, match=f'render_mode "{mode}" is not supported: give "rgb_array"'):
            make(render_mode=mode)
    with pytest.raises(EvolveError, match=r'render\(\) needs render_mode="rgb_array"'):
        Environment().render()


def test_pictures_show_the_motion_and_the_camera_follows() -> None:
    """Its pixels differ from those of another posture; a creature 50 m away looks as it did at the start."""
    env: Any = gymnasium.make("gambol/Quadruped-v0", render_mode="rgb_array")
    env.reset(seed=1)
    first = env.render()
    assert first.shape == (480, 640, 3)
    assert np.ptp(first) > 100
    state = env.unwrapped.batched_env.state
    state.q[0, 4] += 50.0
    assert np.abs(env.render().astype(float) - first).mean() < 1.0
    state.q[0, 7:] += 0.5
    assert np.abs(env.render().astype(float) - first).mean() > 0.1
    env.close()


def test_many_have_a_picture_each() -> None:
    many = VectorEnvironment(2, render_mode="rgb_array")
    many.reset(seed=1)
    one, other = many.render()
    assert one.shape == other.shape == (480, 640, 3)
    assert (one != other).any()
    many.close()
