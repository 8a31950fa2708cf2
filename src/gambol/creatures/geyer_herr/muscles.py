"""The fourteen muscles of the walker, with compliant tendons.

The numbers are from the author's file NMS_Model_MechInit.m (H. Geyer, 5 October 2006), and are those of [Geyer and Herr
2010, appendix II]. The curves are from there, too, except the lengthening branch: his model has the branch of 2003.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from gambol.actuation.muscle import CURVES, Muscle, Pulley, PulleyPath, add_curves
from gambol.creatures.geyer_herr.figure import DEGREE, SIDES

MODEL_2006 = "geyer 2006"
"""Name of the curves of the author's model of 2006: the curves of 2010, with the lengthening branch of 2003."""

add_curves(
    replace(
        CURVES["geyer-herr 2010"],
        name=MODEL_2006,
        source="H. Geyer, nms_model of 5 October 2006",
        velocity=CURVES["geyer 2003"].velocity,
        velocity_quotient=CURVES["geyer 2003"].velocity_quotient,
    )
)


@dataclass(frozen=True, slots=True)
class Attachment:
    """The path of a muscle over a joint, in the angles of the source.

    link: link with this joint. radius: positive if the muscle makes the angle greater [m]. reference: angle at which
    the joint adds no length; maximum: angle at which the arm is largest, or None for a constant arm [degrees]. scale:
    rho.
    """

    link: str
    radius: float
    reference: float
    maximum: float | None
    scale: float

    def pulley(self) -> Pulley:
        """Return the pulley in the coordinate q of the joint, with phi = sign q + zero."""
        sign, zero = ANGLES[self.link]
        reference, maximum = (
            (None if phi is None else sign * (phi - zero) * DEGREE) for phi in (self.reference, self.maximum)
        )
        assert reference is not None
        return Pulley(sign * self.radius, reference, maximum, self.scale)


ANGLES = {"foot": (-1.0, 90.0), "shank": (1.0, 180.0), "thigh": (-1.0, 180.0)}
"""Sign s and zero of the source's angle phi = s q + zero at the joint of each link [degrees]."""


@dataclass(frozen=True, slots=True)
class MuscleData:
    """A muscle: isometric force [N], optimal length [m], tendon's slack length [m], speed [optimal lengths/s]."""

    max_force: float
    optimal_length: float
    slack_length: float
    max_velocity: float
    attachments: tuple[Attachment, ...]


MUSCLES: Mapping[str, MuscleData] = {
    "SOL": MuscleData(4000.0, 0.04, 0.26, 6.0, (Attachment("foot", 0.05, 80.0, 110.0, 0.5),)),
    "TA": MuscleData(800.0, 0.06, 0.24, 12.0, (Attachment("foot", -0.04, 110.0, 80.0, 0.7),)),
    "GAS": MuscleData(
        1500.0,
        0.05,
        0.40,
        12.0,
        (Attachment("foot", 0.05, 80.0, 110.0, 0.7), Attachment("shank", -0.05, 165.0, 140.0, 0.7)),
    ),
    "VAS": MuscleData(6000.0, 0.08, 0.23, 12.0, (Attachment("shank", 0.06, 125.0, 165.0, 0.7),)),
    "HAM": MuscleData(
        3000.0,
        0.10,
        0.31,
        12.0,
        (Attachment("thigh", 0.08, 155.0, None, 0.7), Attachment("shank", -0.05, 180.0, 180.0, 0.7)),
    ),
    "GLU": MuscleData(1500.0, 0.11, 0.13, 12.0, (Attachment("thigh", 0.10, 150.0, None, 0.5),)),
    "HFL": MuscleData(2000.0, 0.11, 0.10, 12.0, (Attachment("thigh", -0.10, 180.0, None, 0.5),)),
}
"""Soleus, tibialis anterior, gastrocnemius, vasti, hamstrings, glutei and hip flexors of a leg."""


def muscle_name(side: str, name: str) -> str:
    """Return the name of the actuator: "left SOL" for the soleus of the left leg."""
    return f"{side} {name}"


def walker_muscles() -> dict[str, Muscle]:
    """Return the muscles of both legs, by name."""
    return {muscle_name(side, name): _muscle(side, data) for side in SIDES for name, data in MUSCLES.items()}


def _muscle(side: str, data: MuscleData) -> Muscle:
    return Muscle(
        joints=tuple(f"{side} {each.link}" for each in data.attachments),
        path=PulleyPath(tuple(each.pulley() for each in data.attachments)),
        max_force=data.max_force,
        optimal_length=data.optimal_length,
        slack_length=data.slack_length,
        max_velocity=data.max_velocity,
        curves=MODEL_2006,
    )
