"""The option --policy of `gambol run`: files of a run, and refusals."""

import json

import numpy as np
import pytest
from invoked import invoke

onnx = pytest.importorskip("onnx")
pytest.importorskip("onnxruntime")

ARM = """<mujoco><worldbody><body><joint name="hinge" axis="0 1 0" range="-60 60"/>
<geom type="capsule" size="0.02" fromto="0 0 0 0 0 -0.3" contype="0" conaffinity="0"/></body></worldbody>
<actuator><motor joint="hinge" gear="5" ctrlrange="-1 1"/></actuator></mujoco>"""


@pytest.fixture
def arm(tmp_path, monkeypatch):
    """An arm with one joint, and a policy that holds its target at half of its range, whatever it observes."""
    monkeypatch.chdir(tmp_path)
    helper = onnx.helper
    constants = [
        onnx.numpy_helper.from_array(np.array(x, np.float32), n) for x, n in (([[0.0], [0.0]], "W"), ([0.5], "b"))
    ]
    nodes = [helper.make_node("MatMul", ["x", "W"], ["y"]), helper.make_node("Add", ["y", "b"], ["u"])]
    ends = [[helper.make_tensor_value_info(name, 1, ["n", size])] for name, size in (("x", 2), ("u", 1))]
    model = helper.make_model(
        helper.make_graph(nodes, "hold", *ends, constants), opset_imports=[helper.make_opsetid("", 17)], ir_version=9
    )
    (tmp_path / "hold.onnx").write_bytes(model.SerializeToString())
    (tmp_path / "arm.xml").write_text(ARM)
    return tmp_path


def test_a_policy_moves_a_figure_to_its_target(arm):
    """The target is half of 60 degrees; the weight of the arm turns it back by m g l sin(angle) / stiffness."""
    result = invoke("run", "arm.xml", "--policy", "hold.onnx", "--seconds", "2", "--out", "out")
    assert result.exit_code == 0, result.output
    with np.load(arm / "out" / "arm.npz", allow_pickle=False) as film:
        w, _, y, _ = film["quaternion"][-1, 0, 0]
    assert np.degrees(2.0 * np.arctan2(abs(y), w)) == pytest.approx(30.0, abs=5.0)
    assert json.loads((arm / "out" / "arm.json").read_text())["asked"]["policy"] == "hold.onnx"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--policy", "none.onnx"], 'there is no policy "none.onnx"'),
        (["--policy", "arm.xml"], '"arm.xml" is not an ONNX model'),
        (["--policy", "hold.onnx", "--hold"], "leave out --hold"),
        (["--policy", "hold.onnx", "--contact", "penalty"], "leave out --contact"),
        (["--policy", "hold.onnx", "--mend"], "leave out --leave-out, --mend"),
    ],
)
def test_contradictory_options_are_refused(arm, words, message):
    result = invoke("run", "arm.xml", *words)
    assert result.exit_code == 2
    assert message in result.output
