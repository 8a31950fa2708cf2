"""Hanging ropes and nets, strings and balloons, to closed forms."""

from dataclasses import replace

import numpy as np
import pytest
from meshes import WEIGHTLESS, level_rope, octahedron, stepper
from scipy.special import j0, jn_zeros

from gambol.matter.forces import Air, Surroundings
from gambol.matter.mesh import ClothMaterial, Gas, SurfaceMaterial, cloth, rope, surface_mesh
from gambol.matter.motion import ImplicitOptions

G = 9.81


def settled(mesh, h, x=None, surroundings=None):
    """The positions of a mesh at rest: linear implicit steps of h, which damp, until nothing moves by a nanometre."""
    s = stepper(mesh, "implicit euler", h, ImplicitOptions(1, 1e-6), surroundings=surroundings)
    state = s.start(x)
    for _ in range(60):
        state = s.advance(state, 10)
        if abs(state.velocity).max() * h < 1e-9:
            return state.position
    raise AssertionError(f"still moves at {abs(state.velocity).max()} m/s")


def test_a_chain_hangs_as_a_catenary():
    # a chain of length 1.5 between ends 1 apart: y = a cosh(x/a) with 2 a sinh(1/2a) = 1.5
    n, length, span = 31, 1.5, 1.0
    lo, hi = 0.05, 5.0
    for _ in range(100):
        a = 0.5 * (lo + hi)
        lo, hi = (a, hi) if 2.0 * a * np.sinh(span / (2.0 * a)) > length else (lo, a)
    s = np.linspace(-length / 2, length / 2, n)
    start = np.stack([s, np.zeros(n), np.zeros(n)], axis=1)
    mesh = rope(start, density=0.2, stretch=5e3, pins=[0, -1])
    guess = np.stack([np.linspace(-0.5, 0.5, n), np.zeros(n), -np.cos(np.pi * np.linspace(-0.5, 0.5, n))], axis=1)
    x = settled(mesh, 0.1, guess)
    expected = a * np.cosh(x[:, 0] / a) - a * np.cosh(span / (2.0 * a))
    # segments of 50 mm are chords of a curve of radius a = 0.3 or more: off by l^2/8a = 1 mm
    assert abs(x[:, 2] - expected).max() < 0.05**2 / (8.0 * a)
    # tension at the ends: weight/2 upwards, and horizontally weight per length times a
    segment = x[1] - x[0]
    tension = 5e3 * (np.linalg.norm(segment) / 0.05 - 1.0)
    assert tension * segment[0] / np.linalg.norm(segment) == pytest.approx(0.2 * G * a, rel=1e-3)


def test_a_spring_net_hangs_in_the_shape_of_its_linear_equilibrium():
    # threads pulled to twice their rest length: nearly linear springs, so heights solve a discrete Poisson equation
    n, spacing, k = 9, 0.1, 40.0
    edge = [(i, j) for i in range(n) for j in range(n) if i in (0, n - 1) or j in (0, n - 1)]
    mesh = cloth(n, n, spacing, ClothMaterial(0.1, k, k, 0.0, 0.0, damping=0.05), pins=edge)
    x = settled(mesh, 0.1, mesh.points * [2.0, 2.0, 1.0])
    tension_per_height = k * spacing / (2.0 * spacing)  # k (1 - l0/l) of a thread at twice its rest length
    free = np.setdiff1d(np.arange(n * n), mesh.pins)
    L = np.zeros((n * n, n * n))
    for a, b in mesh.springs.ends:
        L[[a, b], [a, b]] += tension_per_height
        L[[a, b], [b, a]] -= tension_per_height
    z = np.zeros(n * n)
    z[free] = np.linalg.solve(L[np.ix_(free, free)], -G * mesh.masses[free])
    # slopes up to s change lengths by s^2/2
    slope = abs(np.diff(z.reshape(n, n))).max() / (2.0 * spacing)
    assert abs(x[:, 2] - z).max() < slope**2 * abs(z).max()
    assert abs(z).max() > 1e-3


@pytest.mark.parametrize("mode", [1, 2, 3])
def test_a_stretched_string_swings_at_its_frequencies(mode):
    # w = 2 sqrt(T/(m l)) sin(pi k/(2 N)) of N segments of length l under a tension T, masses m
    n, length, stretch, strain = 33, 1.0, 200.0, 0.25
    mesh = level_rope(n, length, stretch=stretch)
    segments = n - 1
    l = length * (1.0 + strain) / segments
    w = 2.0 * np.sqrt(stretch * strain / (0.1 * length / segments * l)) * np.sin(np.pi * mode / (2.0 * segments))
    x = mesh.points * [1.0 + strain, 1.0, 1.0]
    x[:, 2] = 1e-5 * np.sin(np.pi * mode * np.arange(n) / segments)
    steps = 2000
    s = stepper(mesh, "velocity verlet", 2.0 * np.pi / w / steps, surroundings=WEIGHTLESS)
    state = s.advance(s.start(x), steps // 4)
    # after a quarter of its period the string is straight, but for (w h)^2/24 of Verlet's frequency
    assert abs(state.position[:, 2]).max() < 1e-5 * 2e-3
    assert abs(s.advance(state, steps // 4).position[:, 2] + x[:, 2]).max() < 1e-5 * 2e-3


@pytest.mark.parametrize("mode", [1, 2, 3])
def test_a_hanging_chain_swings_at_the_zeros_of_bessels_function(mode):
    # y = J0(2 w sqrt(s/g)) at a height s above the free end, with 2 w sqrt(L/g) a zero of J0 [Daniel Bernoulli 1733]
    n, L, EA, density = 65, 1.0, 1e3, 0.1
    zero = jn_zeros(0, mode)[-1]
    w = 0.5 * zero * np.sqrt(G / L)
    mesh = level_rope(n, L, stretch=EA, density=density, pins=[0])
    length = L / (n - 1)
    held = density * G * (L - (np.arange(n - 1) + 0.5) * length)  # the weight below the middle of each segment
    down = np.concatenate([[0.0], np.cumsum(length * (1.0 + held / EA))])
    x = np.stack([np.zeros(n), 1e-5 * j0(zero * np.sqrt(1.0 - down / down[-1])), -down], axis=1)
    x[0, 1] = 0.0
    period = 2.0 * np.pi / w
    steps = int(period / 4.0 / 1e-4)
    s = stepper(mesh, "velocity verlet", period / 4.0 / steps)
    state = s.advance(s.start(x), steps)
    # it stretches by its weight over E A; near the end y has the length 4 L/zero^2, and differences of second order
    bound = 1e-5 * (density * G * L / EA + 0.5 * (zero * zero * length / (4.0 * L)) ** 2)
    assert abs(state.position[:, 1]).max() < bound
    assert abs(s.advance(state, steps).position[:, 1] + x[:, 1]).max() < bound


@pytest.mark.parametrize("mode", [(1, 1), (2, 1), (3, 2)])
def test_a_stretched_net_swings_at_its_frequencies(mode):
    # w^2 = 4 T/(l m) (sin^2(pi p/2N) + sin^2(pi q/2N)) of N x N meshes with threads of tension T and length l
    n, spacing, k = 13, 0.1, 40.0
    N = n - 1
    edge = [(i, j) for i in range(n) for j in range(n) if i in (0, N) or j in (0, N)]
    mesh = cloth(n, n, spacing, ClothMaterial(0.1, k, k, 0.0, 0.0, damping=0.0), pins=edge)
    l, m = 1.5 * spacing, 0.1 * spacing**2
    mesh = replace(mesh, masses=np.array(m))
    waves = sum(np.sin(np.pi * p / (2.0 * N)) ** 2 for p in mode)
    period = 2.0 * np.pi / np.sqrt(4.0 * k * (l - spacing) / (l * m) * waves)
    x = mesh.points * [1.5, 1.5, 1.0]
    i, j = np.divmod(np.arange(n * n), n)
    x[:, 2] = 1e-6 * np.sin(np.pi * mode[0] * i / N) * np.sin(np.pi * mode[1] * j / N)
    s = stepper(mesh, "velocity verlet", period / 2000, surroundings=WEIGHTLESS)
    state = s.advance(s.start(x), 500)
    # (w h)^2/24 of Verlet's frequency, a quarter of a period later
    assert abs(state.position[:, 2]).max() < 1e-6 * 1e-5
    assert abs(s.advance(state, 500).position[:, 2] + x[:, 2]).max() < 1e-6 * 1e-5


def test_a_wave_runs_along_a_string_at_its_speed():
    # c = sqrt(T/density), with density per length of the stretched string
    n, stretch, strain, density = 201, 100.0, 0.5, 0.05
    mesh = level_rope(n, 2.0, stretch=stretch, density=density)
    x = mesh.points * [1.0 + strain, 1.0, 1.0]
    c = np.sqrt(stretch * strain / (density / (1.0 + strain)))
    place = x[:, 0]
    x[:, 2] = 1e-4 * np.exp(-(((place - 0.6) / 0.1) ** 2))
    v = np.zeros_like(x)
    v[:, 2] = -c * np.gradient(x[:, 2], place)  # runs towards growing x
    time = 1.5 / c
    steps = 1500
    s = stepper(mesh, "velocity verlet", time / steps, surroundings=WEIGHTLESS)
    z = s.advance(s.start(x, v), steps).position[:, 2]
    centre = (z * place).sum() / z.sum()
    # the grid's dispersion: sin(y)/y of half a wave number times a segment, (pi 0.015/0.6)^2/6 = 0.1 %
    assert centre == pytest.approx(0.6 + 1.5, rel=2e-3)


def test_a_balloon_grows_to_the_radius_at_which_its_skin_holds_the_pressure():
    # a thin sphere of edge springs: equilibrium of one point by its own springs, summed by hand
    points, triangles = octahedron(0.5, 2)
    mesh = surface_mesh(points, triangles, SurfaceMaterial(stretch=200.0, damping=0.05), gas=Gas(60.0))
    x = settled(mesh, 0.05, surroundings=WEIGHTLESS)
    # virial: the sum of all spring forces times lengths is the pressure's work 3 p V
    a, b = mesh.springs.ends.T
    lengths = np.linalg.norm(x[a] - x[b], axis=1)
    virial = (200.0 * (lengths - mesh.springs.rest) * lengths).sum()
    assert 3.0 * 60.0 * mesh.volume(x) == pytest.approx(virial, rel=1e-6)
    assert mesh.volume(x) > 1.05 * mesh.volume(points)


def test_a_bulk_modulus_preserves_the_volume_of_a_squeezed_ball():
    points, triangles = octahedron(0.5, 2)
    changes = []
    for bulk in (0.0, 1e5):
        mesh = surface_mesh(points, triangles, SurfaceMaterial(stretch=50.0, damping=0.05), gas=Gas(0.0, bulk))
        squeezed = points * [1.3, 1.0, 0.8]
        s = stepper(mesh, "newton", 0.02, ImplicitOptions(60, 1e-8, 1e-5), surroundings=WEIGHTLESS)
        state = s.advance(s.start(squeezed), 2)
        changes.append(abs(mesh.volume(state.position) / mesh.volume(points) - 1.0))
    assert changes[1] < 0.05 * changes[0]


def test_a_clamped_rope_bends_as_a_beam():
    # Euler-Bernoulli: a cantilever of length L under its weight sags by w L^4/(8 E I) at its end
    n, L, EI, density = 21, 1.0, 2.0, 0.05
    mesh = level_rope(n, L, stretch=1e5, bend=EI, density=density, pins=[0, 1])
    x = settled(mesh, 0.2)
    # the first segment is held, so the bend at its end stands for half a segment on either side
    free = L - 0.5 * L / (n - 1)
    # the square of a segment over the length, times the coefficients of the beam's series, which are below 4
    assert -x[-1, 2] == pytest.approx(density * G * free**4 / (8.0 * EI), rel=4.0 / (n - 1) ** 2)


def test_a_plate_falls_in_air_at_its_terminal_speed():
    mesh = cloth(4, 4, 0.1, ClothMaterial(density=0.05))
    air = Air(drag=1.3, lift=0.0)
    s = stepper(mesh, "implicit euler", 0.02, surroundings=Surroundings(air=air))
    v = s.advance(s.start(), 150).velocity[:, 2]
    assert v.mean() == pytest.approx(-np.sqrt(2.0 * 0.05 * G / (1.2 * 1.3)), rel=1e-3)
