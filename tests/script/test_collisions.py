"""Collisions between bodies of scripts: momentum and energy of impacts, by springs and by impulses."""

import math
import warnings

import numpy as np
import pytest
from scipy.optimize import brentq
from scripts import BALL, PENDULUM, dry_run, read

from gambol.errors import GambolError

M = 1000 * math.pi / 6 * 0.02**3
TIMES = "dt 0.001\nh 0.00005\nintegration rkfixed\n"
FREE = TIMES + "ground off\ngrav off\ngroundswitch 0.005\n"


def ball(name, density=1000):
    return BALL.replace("ball", name).replace("rotary 1000", f"rotary {density}")


HEAD_ON = ball("a") + ball("b", 4000) + FREE + "move b 0.03 0 0\nsetrootpos\naddv b -0.2 0 0 0 0 0\ncollide a b\n"
"""A ball at rest and another of four times its mass, which comes at 20 cm/s; their gap is 1 cm."""


def film_of(folder, text, **options):
    return read(folder, text).run(folder / "out", echo=lambda _: None, **options)


def speeds(film):
    """Speeds along x of both balls at the end."""
    x = [film.position[:, 0, film.link_names.index(name), 0] for name in ("a", "b")]
    return [(path[-1] - path[-11]) / (film.time[-1] - film.time[-11]) for path in x]


@pytest.mark.parametrize("e", [1.0, 0.25, 1.44])
def test_springs_return_a_share_of_the_energy(e, tmp_path):
    """The force of the spring is e times as large while the balls separate, so they separate at sqrt(e) the speed."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        film = film_of(tmp_path, HEAD_ON + f"collisone {e}\ngo 200")
    a, b = speeds(film)
    assert b - a == pytest.approx(0.2 * math.sqrt(e), rel=2e-3)
    assert a + 4 * b == pytest.approx(4 * -0.2, rel=1e-6)
    kinetic = 0.5 * M * (a**2 + 4 * b**2)
    lost = 0.5 * (4 * M) * 0.2**2 - kinetic
    assert film.signals["impact"][-1, 0] == pytest.approx(lost, abs=1e-3 * kinetic)
    assert abs(film.signals["unaccounted"]).max() < 1e-3 * kinetic


def test_the_spring_is_per_kilogram_of_the_lighter_corpus(tmp_path):
    """The deepest overlap d takes up the energy of the relative motion: mu v^2 / 2 = m ea ((e^(eB d) - 1) / eB - d)."""
    film = film_of(tmp_path, HEAD_ON + "collisone 1\ncollisonea 10\ncollisoneB 500\ndt 0.0001\ngo 1500")
    x = [film.position[:, 0, film.link_names.index(name), 0] for name in ("a", "b")]
    energy = 0.5 * (0.8 * M) * 0.2**2
    d = brentq(lambda d: M * 10 * (math.expm1(500 * d) / 500 - d) - energy, 1e-6, 0.02)
    assert 0.02 - (x[1] - x[0]).min() == pytest.approx(d, rel=1e-3)


def test_without_collisions_bodies_pass_through_each_other(tmp_path):
    for off in ("collision off\n", "alarm 0 collision off\n"):
        a, b = speeds(film_of(tmp_path, HEAD_ON + off + "go 200"))
        assert (a, b) == pytest.approx((0.0, -0.2), abs=1e-12)


@pytest.mark.parametrize("command", ["collisionanalysis on", "contactmethod impulse", "contactmethod stepping"])
def test_collisions_are_resolved_by_impulses(command, tmp_path):
    """By impulses, the speed of separation is that of approach times the coefficient of restitution of the ground."""
    text = HEAD_ON + "setcorpus a\nsetrootpos\ngrounde 0.5\n"
    a, b = speeds(film_of(tmp_path, text + command + "\ngo 200"))
    assert a + 4 * b == pytest.approx(4 * -0.2, rel=1e-6)
    assert b - a == pytest.approx(0.5 * 0.2, rel=0.02)


def test_the_ground_may_add_energy(tmp_path):
    """A puff of cereal: each bounce is higher, by the factor e; the ledger says where the energy comes from."""
    text = ball("puff") + TIMES + "move puff 0 0 0.06\nsetrootpos\ngroundea 1000\ngroundswitch 0.005\ngrounde 1.2\n"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        film = film_of(tmp_path, text + "dt 0.0005\ngo 500")
    z = film.position[:, 0, 0, 2] - 0.01
    bounce = int(np.argmin(z[:400]))
    assert z[bounce:].max() == pytest.approx(1.2 * z[0], rel=0.01)
    gain = M * 9.81 * 0.2 * z[0]
    assert film.signals["impact"][-1, 0] == pytest.approx(-gain, rel=0.02)
    assert abs(film.signals["unaccounted"]).max() < 1e-3 * gain


def test_limbs_of_one_corpus_collide(tmp_path):
    """Two arms turn towards each other about parallel axes; the one that moves pushes the other."""
    second = (
        "get twin from unit_cube\nscale twin 0.02 0.02 0.5\nmove twin 0 0 -0.25\naddbody twin twin 0 1 0 rotary 1000\n"
    )
    text = PENDULUM.replace(
        "linkbodies foot arm", second + "move twin 0.05 0 0\nlinkbodies foot twin\nlinkbodies foot arm"
    )
    text += "grav off\neps 0.00001\njoint arm dq -0.5\n"
    passing, pushing = (film_of(tmp_path, text + more + "go 400") for more in ("", "collide arm twin\ncollisone 1\n"))
    for film, moves in ((passing, False), (pushing, True)):
        turn = np.ptp(film.quaternion[:, 0, film.link_names.index("twin")], axis=0).max()
        assert (turn > 0.01) == moves
    assert abs(pushing.signals["unaccounted"]).max() < 1e-3 * pushing.signals["kinetic"][0, 0]


@pytest.mark.parametrize(
    ("commands", "message"),
    [
        ("collide a c", 'has a body "c"'),
        ("collide a a", '"a" cannot collide with itself'),
        ("collisonea -1", "-1 is not possible; give 0 or more"),
        ("collisionemaxz 0", "0 is not possible"),
        ("contactmethod glue", 'contactmethod does not take "glue"'),
    ],
)
def test_impossible_collisions_are_errors(commands, message, tmp_path):
    with pytest.raises(GambolError, match=message):
        dry_run(tmp_path, HEAD_ON + commands + "\ngo 1")


def test_a_body_that_does_not_collide_is_named(tmp_path):
    text = HEAD_ON.replace("rotary 4000", "rotary 4000 1 0")
    with pytest.raises(GambolError, match=r'it.corpus:\d+: collide: "b" has no part that collides'):
        dry_run(tmp_path, text + "go 1")
