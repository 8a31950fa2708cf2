"""Policies from ONNX files: equal to their formula, and refused in clear words where they do not fit."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import gambol
from gambol.env import BatchedEnv
from gambol.env.policy import film_of_policy, read_policy
from gambol.errors import EvolveError, GambolError

onnx: Any = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

OBSERVATIONS, ACTIONS = 30, 8  # of the quadruped


def write_policy(path: Path, weights: Any, bias: Any, inputs: int = 1, kind: int = 1) -> Path:
    """Write tanh(x W + b); kind: number type of ONNX, 1 for float, 7 for int64."""
    helper, numpy_helper = onnx.helper, onnx.numpy_helper
    dtype = np.float32 if kind == 1 else np.int64
    nodes = [helper.make_node("MatMul", ["observation0", "W"], ["y"]), helper.make_node("Add", ["y", "b"], ["z"])]
    nodes.append(
        helper.make_node("Tanh", ["z"], ["action"]) if kind == 1 else helper.make_node("Neg", ["z"], ["action"])
    )
    shape = ["batch", len(weights)]
    graph = helper.make_graph(
        nodes,
        "policy",
        [helper.make_tensor_value_info(f"observation{k}", kind, shape) for k in range(inputs)],
        [helper.make_tensor_value_info("action", kind, ["batch", len(bias)])],
        [numpy_helper.from_array(np.asarray(x, dtype), name) for x, name in ((weights, "W"), (bias, "b"))],
    )
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    path.write_bytes(model.SerializeToString())
    return path


def random_policy(path: Path, observations: int = OBSERVATIONS, actions: int = ACTIONS) -> tuple[Path, Any, Any]:
    rng = np.random.default_rng(1)
    weights, bias = rng.normal(0.0, 0.1, (observations, actions)), rng.normal(0.0, 0.1, actions)
    return write_policy(path, weights, bias), weights, bias


def test_actions_are_the_formula_and_the_film_is_the_environments(tmp_path: Path) -> None:
    """The same start, and the same formula in NumPy: actions equal to rounding, the film that of the environment."""
    path, weights, bias = random_policy(tmp_path / "p.onnx")
    policy, batch = read_policy(path), BatchedEnv("quadruped", 2)
    batch.reset([0, 1], [np.random.default_rng(k) for k in (4, 5)])
    obs = batch.observe()
    assert policy.actions(obs, ACTIONS) == pytest.approx(np.tanh(obs @ weights + bias), abs=1e-5)
    assert np.array_equal(policy.actions(obs, ACTIONS)[1], policy.actions(obs[1:], ACTIONS)[0])
    film = film_of_policy(batch, policy, 1.0, seed=4)
    assert film.time == pytest.approx(np.arange(31) / 30.0)
    batch.reset([0, 1], [np.random.default_rng(k) for k in (4, 5)])
    for _ in range(30):
        batch.step(np.clip(policy.actions(batch.observe(), ACTIONS), -1.0, 1.0).astype(np.float32))
    ends = gambol.kinematics(batch.engine.world.figure, batch.state.q.astype(float)).position
    assert film.position[-1] == pytest.approx(ends, abs=1e-5)


def test_policies_that_do_not_fit_are_refused_with_the_sizes(tmp_path: Path) -> None:
    batch = BatchedEnv("quadruped", 1)
    few, *_ = random_policy(tmp_path / "few.onnx", observations=12)
    with pytest.raises(GambolError, match=r'takes 12 observations .* and "quadruped" has 30'):
        read_policy(few).check(batch)
    wide, *_ = random_policy(tmp_path / "wide.onnx", actions=9)
    with pytest.raises(GambolError, match=r'gives 9 actions .* and "quadruped" has 8'):
        read_policy(wide).check(batch)


def test_files_that_are_no_policies_are_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(GambolError, match="there is no policy"):
        read_policy(tmp_path / "none.onnx")
    (tmp_path / "text.onnx").write_text("no model")
    with pytest.raises(GambolError, match="is not an ONNX model"):
        read_policy(tmp_path / "text.onnx")
    two = write_policy(tmp_path / "two.onnx", np.ones((3, 2)), np.ones(2), inputs=2)
    with pytest.raises(GambolError, match="one input, the observations; this model has observation0, observation1"):
        read_policy(two)
    whole = write_policy(tmp_path / "whole.onnx", np.ones((3, 2)), np.ones(2), kind=7)
    with pytest.raises(GambolError, match=r'"observation0" is tensor\(int64\)'):
        read_policy(whole)
    monkeypatch.setattr("gambol.env.policy.find_spec", lambda name: None)
    with pytest.raises(GambolError, match=r"pip install gambol\[policy\]"):
        read_policy(two)


def test_the_error_of_non_finite_actions_names_time_and_creature(tmp_path: Path) -> None:
    path = write_policy(tmp_path / "nan.onnx", np.zeros((OBSERVATIONS, ACTIONS)), np.full(ACTIONS, np.nan))
    with pytest.raises(EvolveError, match=r"at 0 s: nan.onnx: the policy gave \[nan.* for creature 0"):
        film_of_policy(BatchedEnv("quadruped", 1), read_policy(path), 0.1)
