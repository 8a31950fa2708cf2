"""Waves of a leg: harmonics of known signals, gains that move the foot as they should, and weights that balance."""

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from gambol.control.patterns import Balanced
from gambol.dynamics import kinematics
from gambol.evolve.genotype import Control, Genotype, grow, plan_named
from gambol.evolve.genotype.anatomy import placed_freedoms
from gambol.evolve.genotype.genotype import control_genes, pattern_of, with_neutral_control
from gambol.evolve.genotype.walking.stride import Stride
from gambol.evolve.genotype.walking.walker import walker_of, weight_fractions
from gambol.evolve.genotype.walking.waves import HARMONICS, leg_waves, wave_of, wave_without_foot
from gambol.spatial import Vector


def stride_of(body: str) -> Stride:
    return Stride(*with_neutral_control(Genotype(plan_named(body), Control("stride"))).control.values)


def test_the_wave_of_three_harmonics_is_that_signal_after_its_lag():
    offset, amplitudes, phases = 0.1, (0.4, 0.15, 0.05), (0.1, 0.7, 0.35)
    time = np.arange(24) / 24
    signal = offset + sum(
        a * np.sin(2.0 * math.pi * (k * time + p))
        for k, (a, p) in enumerate(zip(amplitudes, phases, strict=True), start=1)
    )
    wave = wave_of(signal.tolist(), 0.3)
    assert wave.offset == pytest.approx(offset)
    assert wave.amplitudes == pytest.approx(amplitudes)
    for k, (found, phase) in enumerate(zip(wave.phases, phases, strict=True), start=1):
        assert math.remainder(found + k * 0.3 - phase, 1.0) == pytest.approx(0.0, abs=1e-12)


def test_a_wave_stays_within_its_bounds():
    square = [3.0] * 12 + [-3.0] * 12
    wave = wave_of(square, 0.0)
    assert sum(wave.amplitudes) + abs(wave.offset) <= 1.0 + 1e-12
    assert all(0.0 <= a <= 1.0 / k for k, a in enumerate(wave.amplitudes, start=1))
    assert wave_of([0.0] * 24, 0.0).amplitudes == (0.0,) * HARMONICS


@pytest.mark.parametrize("body", ["dog", "horse", "bird"])
def test_gains_move_the_foot_to_the_capture_point_of_a_pendulum(body: str):
    """To first order, and within the damping of the inverse: 0.0025 over the squared lever, about 1, of a leg."""
    walker, stride, v = walker_of(plan_named(body)), stride_of(body), 1e-3
    pendulum = math.sqrt(walker.height / 9.80665)
    for number, leg in enumerate(walker.legs):
        start = leg.foot(leg.middle).position
        gains = [one.gains for one in leg_waves(walker, leg, number, stride)]
        for kind, desired in (
            (1, (stride.catch_ahead * pendulum * v, 0.0, 0.0)),
            (3, (0.0, stride.catch_aside * pendulum * v, 0.0)),
            (0, (-stride.right_ahead * walker.height * v, 0.0, 0.0)),
            (2, (0.0, -stride.right_aside * walker.height * v, 0.0)),
        ):
            q = [m + r * g[kind] * v for m, r, g in zip(leg.middle, leg.reach, gains, strict=True)]
            moved = leg.foot(q).position - start
            assert tuple(moved) == pytest.approx(desired, abs=0.1 * max(map(abs, desired)) + 1e-5 * v)


def test_weight_fractions_balance_the_weight():
    for x in ((-0.4, 0.5), (-0.3, 0.0, 0.4), (-1.0, -0.2, 0.3, 0.9)):
        fractions = weight_fractions(x, 0.07)
        assert sum(fractions) == pytest.approx(1.0)
        assert np.dot(fractions, x) == pytest.approx(0.07)
    assert weight_fractions((0.1,), 0.0) == pytest.approx([1.0], abs=0.02)


def test_heads_nod_twice_and_tails_follow_link_by_link():
    stride, body = stride_of("lizard"), plan_named("lizard")
    number = {limb.name: n for n, limb in enumerate(body.limbs)}
    head = wave_without_foot(body, number["head"], stride, 0)
    assert head.wave.amplitudes == (0.0, 0.5 * stride.nod, 0.0)
    tail = [wave_without_foot(body, number["tail"], stride, k) for k in range(3)]
    assert all(one.wave.amplitudes == (stride.wag, 0.0, 0.0) for one in tail)
    assert [tail[0].wave.phases[0] - one.wave.phases[0] for one in tail] == pytest.approx([0.0, 0.08, 0.16])


def test_a_spine_bends_sideways_once_and_up_and_down_twice_in_a_stride():
    stride, body = stride_of("dog"), plan_named("dog")
    sideways, *bows = (wave_without_foot(body, 0, stride, k).wave for k in range(3))
    assert sideways.amplitudes == (stride.bend, 0.0, 0.0)
    assert [bow.amplitudes for bow in bows] == [(0.0, stride.bend, 0.0)] * 2
    assert sideways.phases[0] == pytest.approx(stride.bend_phase)
    assert [bow.phases[1] for bow in bows] == pytest.approx(
        [2.0 * (stride.bend_phase - k * stride.bend_lag) for k in (1, 2)]
    )


def feet_in_a_stride(body: str, bend: float, own_bend: float | None = None) -> NDArray[np.float64]:
    """Return the positions of all feet in a stride, from the kinematics of the whole figure [h] (24, feet, 3).

    bend: amplitude for which the waves of the legs are computed; own_bend: amplitude with which the spine bends.
    """
    plan = plan_named(body)
    genes = control_genes(plan, Control("stride"))

    def values_of(amplitude: float) -> tuple[float, ...]:
        return tuple(amplitude if gene.name == "bend" else gene.lower + 0.4 * gene.range for gene in genes)

    def pattern(amplitude: float) -> Balanced:
        found = pattern_of(Genotype(plan, Control("stride", values_of(amplitude))))
        assert isinstance(found, Balanced)
        return found

    walker, of_course = walker_of(plan), Stride(*values_of(bend))
    of_legs, of_spine = pattern(bend), pattern(bend if own_bend is None else own_bend)
    creature, freedoms = grow(with_neutral_control(Genotype(plan))), [*placed_freedoms(plan)]
    feet = [creature.figure.link(name) for name in creature.standing_feet]
    result = list[list[tuple[float, ...]]]()
    for t in np.arange(24) / 24:
        q = [*creature.q[:7]]
        for p, leg, spine in zip(freedoms, of_legs.waves, of_spine.waves, strict=True):
            wave = (spine if p.limb.name == "spine" else leg).wave
            terms = zip(wave.amplitudes, wave.phases, strict=True)
            signal = wave.offset + sum(a * math.sin(2 * math.pi * (k * t + b)) for k, (a, b) in enumerate(terms, 1))
            q.append(p.unit * (p.freedom.middle + p.freedom.reach * signal))
        angles = walker.spine.bend(of_course, t)
        s, c = walker.spine.course(angles)
        q[0], q[3] = math.sqrt(0.5 * (1.0 + c)), -math.copysign(math.sqrt(0.5 * (1.0 - c)), s)  # course along x
        poses = kinematics(creature.figure, q, [0.0] * creature.figure.nv).poses
        ends = (poses[foot.index] @ Vector(*next(iter(foot.contact_points())).position) for foot in feet)
        result.append([tuple(float(x) / creature.height for x in end) for end in ends])
    return np.array(result)


@pytest.mark.parametrize(("body", "part"), [("dog", 0.1), ("lizard", 0.1), ("centipede", 0.25)])
def test_feet_keep_their_path_while_the_spine_bends(body: str, part: float):
    """Legs reach where they would without a bend, up to three harmonics and, of a long centipede, the range of joints.

    part: largest distance, as a fraction of the distance by which the bend alone moves the feet.
    """
    stiff, bent = feet_in_a_stride(body, 0.0), feet_in_a_stride(body, 0.6)
    moved = np.abs(feet_in_a_stride(body, 0.0, own_bend=0.6) - stiff).max()
    assert moved > 0.05
    assert np.abs(bent - stiff).max() < part * moved
