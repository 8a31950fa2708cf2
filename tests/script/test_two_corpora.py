"""Several corpora in one world: each moves as it does alone, and attachments between them obey Newton's third law."""

import math

import numpy as np
import pytest
from scipy.optimize import brentq
from scripts import BALL, LEG, dry_run, read

from gambol import World, run, start
from gambol.dynamics.loops import assembled
from gambol.errors import GambolError
from gambol.figure import Closure, make_forest
from gambol.gait import GaitGroup
from gambol.world import Timing

G = 9.81
BALL_MASS = 1000 * math.pi / 6 * 0.02**3
EXACT = "dt 0.001\nh 0.0005\nintegration rkfixed\n"
FREE = EXACT + "ground off\ngrav off\n"


def ball(name, density=1000):
    return BALL.replace("ball", name).replace("rotary 1000", f"rotary {density}")


def film_of(folder, text, output=None):
    lines = [] if output is None else output
    return read(folder, text).run(folder / "out", echo=lines.append)


def path(film, name):
    return film.position[:, 0, film.link_names.index(name)]


def test_two_balls_on_a_spring_swing_about_their_common_centre(tmp_path):
    """Their distance is r cos(w t) with w^2 = k / mu and the reduced mass mu; the momentum stays what it was."""
    text = ball("a") + ball("b", 3000) + FREE + "move b 0.1 0 0\nsetrootpos\naddv b 0 0.5 0 0 0 0\n"
    film = film_of(tmp_path, text + "attach a b 0 0 0 0 0 0 2 0 0 1\ngo 200")
    a, b, masses = path(film, "a"), path(film, "b"), (BALL_MASS, 3 * BALL_MASS)
    w = math.sqrt(2.0 / (masses[0] * masses[1] / sum(masses)))
    t = film.time
    np.testing.assert_allclose((b - a)[:, 0], 0.1 * np.cos(w * t), atol=1e-6)
    np.testing.assert_allclose((b - a)[:, 1], 0.5 / w * np.sin(w * t), atol=1e-6)
    centre = (masses[0] * a + masses[1] * b) / sum(masses)
    np.testing.assert_allclose(centre[:, 0], 0.075, atol=1e-12)
    np.testing.assert_allclose(centre[:, 1], 0.375 * t, atol=1e-12)


@pytest.mark.parametrize(("strength", "holds"), [(1.01, True), (0.99, False)])
def test_a_spring_breaks_at_its_force(strength, holds, tmp_path):
    """A ball falls into an exponential spring. The deepest point x and the peak force follow from energy:
    m g x = ea ((e^(eB x) - 1) / eB - x). A spring that bears 1 % more than this force holds, and with 1 % less breaks.
    """
    ea, eB = 0.01, 100.0
    weight = BALL_MASS * G
    x = brentq(lambda x: ea * (math.expm1(eB * x) / eB - x) - weight * x, 1e-3, 0.2, xtol=1e-12)
    peak = ea * math.expm1(eB * x)
    text = ball("hook") + "rootmotion fixed\n" + ball("load") + EXACT + "ground off\n"
    output = []
    attach = f"attach load hook 0 0 0 0 0 0 0 {ea} {eB} 1\nbreakforce {strength * peak}\n"
    film = film_of(tmp_path, text + attach + "go 400", output)
    depth = -path(film, "load")[:, 2]
    if holds:
        assert depth.max() == pytest.approx(x, rel=1e-4)
        assert output == []
    else:
        assert depth[-1] > 0.1
        (line,) = output
        assert line.endswith('s: the attachment of "load" to "hook" breaks')
        assert depth[round(float(line.split(" ")[0]) / 0.001)] == pytest.approx(x, rel=0.02)


CRANK = """
addcorpus left
get post from unit_cube
scale post 0.1 0.1 0.1
addbody post post 0 0 1 rotary 1000
get crank from unit_cube
scale crank 0.02 0.02 0.3
move crank 0 0 -0.15
addbody crank crank 0 1 0 rotary 1000
linkbodies post crank
setroot post
corpusinit
rootmotion fixed
addcorpus right
get pillar from unit_cube
scale pillar 0.1 0.1 0.1
addbody pillar pillar 0 0 1 rotary 1000
get rocker from unit_cube
scale rocker 0.02 0.02 0.4
move rocker 0 0 -0.2
addbody rocker rocker 0 1 0 rotary 1000
get coupler from unit_cube
scale coupler 0.5 0.02 0.02
move coupler -0.25 0 0
addbody coupler coupler 0 1 0 rotary 1000
move coupler 0 0 -0.4
linkbodies pillar rocker
linkbodies rocker coupler
setroot pillar
corpusinit
move pillar 0.5 0 0.1
setrootpos
rootmotion fixed
ground off
setcorpus left
joint crank dq 2
setcorpus right
"""
"""Two corpora whose last bodies meet: a crank below the origin, and a rocker with a coupler that reaches its end."""


def test_an_attachment_closes_a_chain_like_a_joint(tmp_path):
    """Four-bar linkage: a stiff attachment of two corpora against a loop joint; the difference falls as 1 / k."""
    world = dry_run(tmp_path, CRANK + EXACT).build_world()
    loop = Closure("point", "crank", "coupler", (0.0, 0.0, -0.3), other_position=(-0.5, 0.0, 0.0))
    figures = [corpus.figure() for corpus in dry_run(tmp_path, CRANK).spec.active_corpora()]
    closed = World(
        make_forest("linkage", figures, [loop]), ground=world.ground, timing=Timing(0.001, 1e-4, "rk4"), gravity=G
    )
    q = assembled(closed.figure, [0.0, 0.0, 0.0], locked=["crank"])
    np.testing.assert_allclose(q, 0.0, atol=1e-12)
    state = start(closed)
    state.v[0] = loop_velocity(closed.figure)
    exact = run(closed, state, 0.3, rate=1000.0)
    differences = []
    for k in (2e4, 8e4):
        text = CRANK + "dt 0.001\nh 0.00005\nintegration rkfixed\n" + speeds(closed.figure)
        film = film_of(tmp_path, text + f"attach left/crank coupler 0 0 -0.3 -0.5 0 0 {k} 0 0 1\ngo 300")
        assert film.link_names == exact.link_names
        differences.append(abs(film.position - exact.position).max())
    assert np.ptp(exact.quaternion, axis=0).max() > 0.1
    assert 0.0 < differences[0] < 2.0 * closed.figure.mass * G / 2e4, (
        differences
    )  # twice the sag under its whole weight
    assert differences[1] == pytest.approx(differences[0] / 4, rel=0.3)


def loop_velocity(figure):
    """Crank, rocker and coupler: the ends of crank and coupler move alike, so that -0.3 w1 = -0.4 w2 and w3 = -w2."""
    v = np.zeros(figure.nv)
    for name, speed in (("crank", 2.0), ("rocker", 1.5), ("coupler", -1.5)):
        v[figure.link(name).v] = speed
    return v


def speeds(figure):
    return "joint rocker dq 1.5\njoint coupler dq -1.5\n"


def test_corpora_of_different_mass_stand_on_the_ground_as_each_alone(tmp_path):
    """The ground's forces are per kilogram of the corpus that it touches."""
    box = ball("light").replace("sphere", "cube") + "move light 0 0 0.0101\nsetrootpos\naddv light 0.2 0 0 0 0 1\n"
    heavy = box.replace("light", "heavy").replace("rotary 1000", "rotary 500000").replace("0 0 0.0101", "1 0 0.0102")
    both = film_of(tmp_path, box + heavy + EXACT + "go 150")
    for name, text in (("light", box), ("heavy", heavy)):
        alone = film_of(tmp_path, text + EXACT + "go 150")
        np.testing.assert_allclose(path(both, name), path(alone, name), rtol=0, atol=1e-9)
    assert path(both, "light")[-1, 0] > 0.002


WALKING = (
    LEG
    + """
joint a0 k 1e-4
joint a1 k 1e-4
addroach bug
metabolism 0.02
procom 0
motor a0 etarget 0.5 *1
.
retcom 0
motor a0 etarget -0.5 *1
motor a1 etarget 0.3 *0.5
.
gaitgo
"""
)


def test_every_corpus_has_its_own_gait(tmp_path):
    """Two creatures with the same names of bodies, and different times of their gaits, move as each alone."""
    slow = WALKING.replace("bug", "slug").replace("0.02\n", "0.03\n")
    both = dry_run(tmp_path, WALKING + slow + FREE)
    assert isinstance(both.build_world().controller, GaitGroup)
    film = film_of(tmp_path, WALKING + slow + FREE + "go 150")
    assert film.limb_names == ("bug/left", "slug/left")
    for text, name in ((WALKING, "bug"), (slow, "slug")):
        alone = film_of(tmp_path, text + FREE + "go 150")
        k = [film.link_names.index(f"{name}/{body}") for body in alone.link_names]
        np.testing.assert_allclose(film.quaternion[:, :, k], alone.quaternion, atol=1e-9)
        assert np.ptp(alone.quaternion, axis=0).max() > 0.02


def test_commands_reach_the_corpus_they_name(tmp_path):
    output = []
    text = WALKING + WALKING.replace("bug", "twin") + FREE + "setcorpus bug\njoint a0 q 0.25\ngo 1\njointstatus a0\n"
    film_of(tmp_path, text + "setcorpus twin\njointstatus a0\nsetroach twin\nlegstatus 0", output)
    assert output[0].startswith("joint a0: q 0.2")
    assert not output[1].startswith("joint a0: q 0.2")
    assert output[2].startswith("leg 0, left")


def test_a_state_of_two_corpora_is_dumped_and_loaded(tmp_path):
    text = ball("a") + ball("b") + FREE + "attach a b 0 0 0 0 0 0 2 0 0 1\naddv b 0.5 0 0 0 0 0\ngo 10\n"
    kinds = ("dumps s", "dumpcontacts c"), ("loads s", "loadcontacts c")
    text += "\n".join(kinds[0]) + "\ngo 20\n" + "\n".join(kinds[1]) + "\ngo 20"
    film = film_of(tmp_path, text)
    np.testing.assert_array_equal(film.position[-20:], film.position[-40:-20])


def test_the_state_of_an_inactive_corpus_is_unchanged(tmp_path):
    text = ball("a") + ball("b") + FREE + "addv b 0.5 0 0 0 0 0\n"
    interp = dry_run(tmp_path, text)
    b = interp.spec.corpora["b"]
    interp.current_state().rows[interp.corpus_state(b).root.q.start + 4, 0] = 0.7
    b.is_integrated = False
    with pytest.raises(GambolError, match='"b" is not simulated; switch it on by integrate'):
        interp.corpus_state(b)
    assert interp.current_state().world.figure.name == "a"
    b.is_integrated = True
    state = interp.corpus_state(b)
    assert state.q[4] == 0.7
    assert float(state.rows[state.coordinate_rows("b")[1]][3, 0]) == 0.5


@pytest.mark.parametrize(
    ("command", "message"),
    [
        ("attach a c 0 0 0 0 0 0 1 0 0 1", 'has a body "c"; there are: "a", "b"'),
        ("attach a a 0 0 0 0 0 0 1 0 0 1", 'attaches "a" to itself'),
        ("attach b/a a 0 0 0 0 0 0 1 0 0 1", 'corpus "b" has no body "a"'),
        ("breakforce 1", "there is no attachment yet"),
        ("attach a b 0 0 0 0 0 0 1 0 0 1\nbreakforce 0", "a force of 0 N does not break it"),
        ("attach a b 0 0 0 0 0 0 0 0 0 1\nbreakforce 1", "a force of 1 N does not break it"),
    ],
)
def test_impossible_attachments_are_errors(command, message, tmp_path):
    with pytest.raises(GambolError, match=message):
        dry_run(tmp_path, ball("a") + ball("b") + command)
