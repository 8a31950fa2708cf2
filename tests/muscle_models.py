"""A model with tendons and actuators of every kind that gambol takes from MJCF, and its state in MuJoCo."""

import math
from typing import Any

import mujoco
import numpy as np

from gambol.actuation import ActuatorInput
from gambol.dynamics import kinematics

ARM = """
<mujoco><compiler angle="degree"/><option timestep="0.002"><flag contact="disable"/></option>
<worldbody><site name="s0" pos="-0.15 0 0"/><site name="x0" pos="0 -0.15 0"/>
<body name="upper"><geom type="capsule" size=".045" fromto="0 0 0 .5 0 0"/>
<joint name="shoulder" axis="0 0 1" limited="true" range="0 100" damping=".1" ref="10"/>
<geom name="sh" type="cylinder" size=".1 .05" mass="0"/><site name="s1" pos=".15 .06 0"/>
<site name="s2" pos=".15 -.06 .01"/><site name="s3" pos=".4 .06 0"/><site name="s4" pos=".4 -.06 0"/>
<site name="s5" pos=".25 .1 0"/><site name="x1" pos=".5 -.15 0"/>
<body name="lower" pos=".5 0 0"><geom type="capsule" size=".035" fromto="0 0 0 .5 0 0"/>
<joint name="elbow" axis="0 0 1" limited="true" range="0 120" damping=".1" pos=".01 0 0"/>
<geom name="el" type="cylinder" size=".08 .05" mass="0" euler="10 5 0"/>
<geom name="ball" type="sphere" size=".05" pos=".05 0 0" mass="0"/>
<site name="s7" pos=".11 .05 .02"/><site name="s8" pos=".11 -.05 0"/></body></body></worldbody>
<tendon><spatial name="SF"><site site="s0"/><geom geom="sh"/><site site="s1"/></spatial>
<spatial name="SE" stiffness="30" damping="2" springlength="0.2 0.25">
  <site site="s0"/><geom geom="sh" sidesite="x0"/><site site="s2"/></spatial>
<spatial name="BF"><site site="s0"/><geom geom="sh"/><site site="s5"/><geom geom="el"/><site site="s7"/></spatial>
<spatial name="EE"><site site="s4"/><geom geom="ball" sidesite="x1"/><site site="s8"/></spatial>
<spatial name="P" stiffness="7"><site site="s3"/><site site="s7"/><pulley divisor="2"/><site site="s1"/>
  <site site="s7"/><pulley divisor="4"/><site site="s5"/><site site="s8"/></spatial>
<fixed name="F" damping=".5"><joint joint="shoulder" coef=".3"/><joint joint="elbow" coef="-.7"/></fixed></tendon>
<actuator>
<muscle name="SF" tendon="SF" lengthrange=".2 .26"/>
<muscle name="SE" tendon="SE" force="300" tausmooth=".02" lengthrange=".4 .54"/>
<muscle name="BF" tendon="BF" scale="300" lengthrange=".6 .8" lmin=".4" lmax="1.7" vmax="2" fpmax="1.4" fvmax="1.3"/>
<muscle name="EE" tendon="EE" lengthrange=".2 .27" timeconst=".02 .05"/>
<muscle name="J" joint="elbow" lengthrange="-0.1 2.2" force="20"/>
<muscle name="T" tendon="P" force="50" forcerange="-10 0" lengthrange=".1 .9"/>
<general name="G" tendon="P" dyntype="filter" dynprm=".03" gaintype="affine" gainprm="-200 10 -3" biastype="affine"
  biasprm="1 -400 -2" gear="-1.5" ctrlrange="-1 2"/>
<general name="I" joint="shoulder" dyntype="integrator" ctrlrange="-1 1" biastype="affine" biasprm="0 -3 0"/>
<general name="X" tendon="F" dyntype="filterexact" dynprm=".1" ctrlrange="-1 1" forcerange="-.2 .1"/>
<motor name="M" tendon="F" gear="3" ctrlrange="-1 1"/>
<position name="Q" tendon="F" kp="10" kv="1" ctrlrange="-1 1"/>
<velocity name="V" tendon="SF" kv="4" ctrlrange="-1 1"/></actuator></mujoco>
"""


def random_state(model: Any, rng: np.random.Generator) -> Any:
    """Return MuJoCo's data at a random state, controls and activations within their ranges."""
    data = mujoco.MjData(model)
    for j in range(model.njnt):
        low, high = model.jnt_range[j] if model.jnt_limited[j] else (-1.0, 1.0)
        data.qpos[model.jnt_qposadr[j]] = rng.uniform(low, high)
    data.qvel[:] = rng.normal(size=model.nv)
    for k in range(model.nu):
        low, high = model.actuator_ctrlrange[k] if model.actuator_ctrllimited[k] else (0.0, 1.0)
        data.ctrl[k] = rng.uniform(low, high)
    data.act[:] = rng.uniform(0.0, 0.5, size=model.na)
    mujoco.mj_forward(model, data)
    return data


def input_of(figure: Any, joints: Any, data: Any, command: Any, activation: float = math.nan) -> ActuatorInput:
    """Return what an actuator of hinges and slides reads in a state of MuJoCo."""
    q, v = data.qpos.tolist(), data.qvel.tolist()
    links = [figure.link(name) for name in joints]
    dofs = [link.q.start for link in links]

    def kinematics_at(q_joints: Any, v_joints: Any) -> Any:
        q_all, v_all = list(q), list(v)
        for k, x, y in zip(dofs, q_joints, v_joints, strict=True):
            q_all[k], v_all[k] = x, y
        return kinematics(figure, q_all, v_all)

    state = {} if math.isnan(activation) else {"activation": activation}
    return ActuatorInput(0.0, [q[k] for k in dofs], [v[k] for k in dofs], command, state, links, kinematics_at)
