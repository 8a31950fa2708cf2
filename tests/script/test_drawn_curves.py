"""Curves drawn by hand: rest angles follow them, and the impulse of a force is the area below its curve."""

import math

import numpy as np
import pytest
from scripts import PENDULUM, SPRUNG, dry_run, read, written

from gambol.errors import GambolError

INERTIA = 1000 * 0.02 * 0.02 * 0.5 * ((0.5**2 + 0.02**2) / 12 + 0.25**2)  # of the arm about its joint [kg m2]
CSV = "0, 0.1\n0.02, 0.4\n0.05, -0.2\n0.06, 0.0\n"
POLYLINE = '<svg><g><polyline points="10,7 30,1 60,13 70,9"/></g></svg>'
MIRRORED = '<svg><g transform="translate(9,2)scale(-1,1)"><polyline points="-10,7 -30,1 -60,13 -70,9"/></g></svg>'
PATH = '<svg xmlns="http://www.w3.org/2000/svg"><path d="M 10 7 L 30,1 l 30 12 L70,9"/></svg>'


def test_a_rest_angle_follows_a_bezier_curve(tmp_path):
    """Drawn with equidistant x: t^2 (3 - 2 t) of the half height at first, by Bernstein's polynomials 0, 0, 1, 1."""
    written(tmp_path, '<svg><path d="M0 10C10 10 20 0 30 0"/></svg>', "c.svg")
    script = SPRUNG + "motioncurve arm c.svg 0.06 0 0.5\n" + 60 * "go 1\njointstatus arm\n"
    output = []
    read(tmp_path, script).run(tmp_path / "out", echo=output.append)
    angles = [float(line.split("e_q ")[1].split()[0]) for line in output]
    t = np.arange(1, 61) / 60
    chords, control_step = 0.5 * 1e-3 * math.sqrt(200.0) / 10.0, 0.5 * 1.5 / 60.0  # 1e-3 of a side; steepest slope
    bound = chords + control_step  # a motor begins at the control step after its knot
    np.testing.assert_allclose(angles, 0.5 * t * t * (3 - 2 * t), atol=bound)


@pytest.mark.parametrize(
    ("name", "text", "scale"),
    [
        ("c.csv", CSV, ""),
        ("c.csv", "time [s],angle [rad]\n" + CSV, ""),
        ("c.svg", POLYLINE, "0.06 -0.2 0.4"),
        ("c.svg", PATH, "0.06 -0.2 0.4"),
        (
            "c.svg",
            POLYLINE.replace("<g>", '<g transform="rotate(180) translate(3)  scale( -2 , -1 )">'),
            "0.06 -0.2 0.4",
        ),
        ("c.svg", '<svg><g transform="rotate(90)"><path d="M7 -10 1 -30 13 -60 9 -70"/></g></svg>', "0.06 -0.2 0.4"),
        ("c.svg", MIRRORED, "0.06 -0.2 0.4"),
    ],
)
def test_a_rest_angle_follows_a_curve(name, text, scale, tmp_path):
    """The drawings have the shape of the table: x from 10 to 70 is 0.06 s, y from 13 up to 1 is -0.2 to 0.4."""
    written(tmp_path, text, name)
    script = SPRUNG + f"motioncurve arm {name} {scale}\n" + 70 * "go 1\njointstatus arm\n"
    output = []
    read(tmp_path, script).run(tmp_path / "out", echo=output.append)
    angles = [float(line.split("e_q ")[1].split()[0]) for line in output]
    times = np.arange(1, 71) * 1e-3
    np.testing.assert_allclose(angles, np.interp(times, [0, 0.02, 0.05, 0.06], [0.1, 0.4, -0.2, 0.0]), atol=1e-9)


def test_the_impulse_of_a_force_is_the_area_below_its_curve(tmp_path):
    written(tmp_path, "0,0\n0.05,0.3\n0.2,-0.1\n", "f.csv")
    output = []
    text = PENDULUM + "grav off\nforcecurve arm f.csv\ngo 300\njointstatus arm"
    read(tmp_path, text).run(tmp_path / "out", echo=output.append)
    area = 0.5 * 0.05 * 0.3 + 0.5 * 0.15 * (0.3 - 0.1)
    assert float(output[0].split("dq ")[1].split()[0]) == pytest.approx(area / INERTIA, rel=1e-6)
    assert math.isclose(float(output[0].split(" Q ")[1]), 0.0)


@pytest.mark.parametrize(
    ("name", "text", "command", "message"),
    [
        ("c.csv", "0,1,2\n1,2,3\n", "motioncurve arm c.csv", "has 3 columns; give two"),
        ("c.csv", "0,1\n0,2\n", "motioncurve arm c.csv", "each later than the one before"),
        ("c.csv", CSV, "motioncurve foot c.csv", "is the root"),
        ("c.csv", CSV, "motioncurve arm ../c.csv", "lies outside the folder"),
        ("c.csv", CSV, "motioncurve arm c.csv -1", "the curve lasts -1 s"),
        ("c.csv", CSV, "motioncurve arm c.csv 1 2", "give the smallest value and then a larger one"),
        ("c.csv", CSV, "joint arm Q_type 3\nforcecurve arm c.csv", "add 8 to its Q_type"),
        ("c.svg", POLYLINE, "motioncurve arm c.svg", "has no units; give the duration"),
        ("c.svg", "<svg><rect/></svg>", "motioncurve arm c.svg 1 0 1", "neither a polyline nor a path"),
        ("c.svg", '<svg><path d="M0 0X1 1"/></svg>', "motioncurve arm c.svg 1 0 1", 'the path has "X'),
        (
            "c.svg",
            '<svg><path d="M0 0C1 1 0 2 0 3"/></svg>',
            "motioncurve arm c.svg 1 0 1",
            "each later than the one before",
        ),
        (
            "c.svg",
            POLYLINE.replace("<g>", '<g transform="turn(9)">'),
            "motioncurve arm c.svg 1 0 1",
            "no transform of SVG",
        ),
        (
            "c.svg",
            POLYLINE.replace("<g>", '<g transform="scale()">'),
            "motioncurve arm c.svg 1 0 1",
            "no transform of SVG",
        ),
        (
            "c.svg",
            POLYLINE.replace("<g>", '<g transform="scale(2">'),
            "motioncurve arm c.svg 1 0 1",
            "no transform of SVG",
        ),
        ("c.svg", '<!DOCTYPE a [<!ENTITY b "c">]><svg>&b;</svg>', "motioncurve arm c.svg 1 0 1", "c.svg"),
        ("c.txt", CSV, "motioncurve arm c.txt", "is not a curve; give a .csv or .svg file"),
    ],
)
def test_invalid_curves_are_errors(name, text, command, message, tmp_path):
    written(tmp_path, text, name)
    with pytest.raises(GambolError, match=message):
        dry_run(tmp_path, SPRUNG + command + "\ngo 1")
