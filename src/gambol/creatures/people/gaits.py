"""The gaits of SIMBICON as rows of poses, for one step; the next step is its mirror image.

Angles [rad] of the trunk and of the swing thigh are in the world, angles of knees and ankles are joint angles. cd
[rad/m] and cv [rad s/m] are the gains of the balance feedback. The first row of a gait lasts for a fixed time, the
second lasts until the swing foot touches the ground. [Yin, Loken and van de Panne 2007, table 1]

The walk is confirmed by three independent transcriptions (mfirmin/c5sc, mfirmin/SimbiconJS and
chengx-coding/simbicon2d-unity) and by the authors' applet. Other rows are from single transcriptions, which partly
disagree; see the documentation.
"""

from gambol.control import Phase, StateMachine

COLUMNS = ("torso", "swing_hip", "swing_knee", "swing_ankle", "stance_knee", "stance_ankle", "cd", "cv")

TOUCHDOWN = "touchdown"
"""The event that ends a contact phase: the swing foot's heel touches the ground."""


def _rows(lasts: float, *rows: tuple[float, ...]) -> StateMachine:
    """Return a machine of one or two rows. lasts: time of the first row [s]."""
    first = Phase(dict(zip(COLUMNS, rows[0], strict=True)), after=lasts, swaps=len(rows) == 1)
    others = [Phase(dict(zip(COLUMNS, row, strict=True)), event=TOUCHDOWN, swaps=True) for row in rows[1:]]
    return StateMachine((first, *others))


GAITS = {
    "walk": _rows(
        0.3,
        (0.0, 0.4, -1.1, 0.2, -0.05, 0.2, 0.0, 0.2),
        (0.0, -0.7, -0.05, 0.2, -0.10, 0.2, 2.2, 0.0),
    ),
    "run": _rows(0.21, (-0.2, 0.8, -1.84, 0.2, -0.05, 0.27, 0.0, 0.2)),  # the applet's: see RUN_OF_TABLE
    "fast-run": _rows(0.21, (-0.2, 1.08, -2.18, 0.2, -0.05, 0.27, 0.0, 0.2)),
    "high-step": _rows(
        0.3,
        (0.0, 1.0, -2.4, 0.2, -0.05, 0.2, 0.0, 0.2),
        (0.0, -0.7, -0.05, 0.2, -0.10, 0.2, 2.0, 0.0),
    ),
    "crouch": _rows(
        0.3,
        (-0.18, 1.1, -2.17, 0.62, -0.97, 0.44, 0.0, 0.2),
        (-0.25, -0.7, -0.05, 0.2, -0.92, 0.44, 2.2, 0.0),
    ),  # the applet's; chengx-coding has torsos of -0.2 and -0.3, and a swing ankle of 0.62 in both rows
    "in-place": _rows(
        0.3,
        (0.0, 0.62, -1.1, 0.2, -0.15, 0.0, 0.0, 0.2),
        (0.0, -0.1, -0.05, 0.2, -0.3, 0.1, 0.0, 0.0),
    ),
}
"""The gaits in the plane, by name."""

RUN_OF_TABLE = _rows(0.35, (0.0, 0.8, -1.84, 0.2, -0.05, 0.27, 0.0, 0.2))
"""The run with the dwell time and the upright torso of mfirmin/SimbiconJS. It hops backward here: see the page on
people. The applet's row, with 0.21 s and a torso of -0.2 rad, runs."""

WALK_IN_SPACE = _rows(
    0.3,
    (0.04, 0.4, -1.12, 0.37, -0.07, 0.11, 0.0, 0.16),
    (0.04, -0.84, -0.05, 0.35, -0.18, 0.01, 0.78, 0.0),
)
"""The walk of the three-dimensional person. Its numbers are ours, from a search that began with the planar walk."""
