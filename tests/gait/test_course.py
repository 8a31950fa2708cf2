"""Courses: headings are integrals of rates of turn, and a point that moves along its heading follows a path."""

import math
from dataclasses import replace

import numpy as np
import pytest

from gambol.errors import WorldError
from gambol.gait import GroundPath
from gambol.gait.course import Course, CourseLimits, course_of

DT = 1e-3
LIMITS = CourseLimits(turn=0.5, sideways=0.3, reach=1.0, lag=0.5)


def test_the_heading_is_the_integral_of_the_turn():
    """0.2 rad/s from 1 s to 3 s, which rises linearly from 0 within the first second."""
    course = Course(((0.0, 0.0), (1.0, 0.2), (3.0, 0.2)))
    memory, numbers = course.memory(), course.numbers()
    for k in range(3000):
        memory = course.advanced(numbers, memory, (0.0, 0.0), k * DT, DT)
    assert memory.heading == pytest.approx(0.5, abs=0.2 * DT)
    assert memory.turn == pytest.approx(0.2)


def test_the_turn_rises_within_the_time_of_ease():
    course = Course(0.4, ease=2.0)
    memory = course.advanced(course.numbers(), course.memory(), (0.0, 0.0), 0.5, DT)
    assert memory.turn == pytest.approx(0.1)


def test_a_point_that_moves_along_its_heading_follows_a_circle():
    """A circle of radius 4 m, from a start 0.2 m outside: after nine reaches, its distance is e^-9 of that.

    The natural spline has no curvature at its start, so that its heading there is off by 0.29 of a chord.
    """
    angle = np.linspace(-math.pi / 2, math.pi, 60)
    course = course_of(LIMITS, 1.0, path=4.0 * np.column_stack([np.cos(angle), np.sin(angle)]))
    x, y, heading = course.start
    assert (x, y, heading) == pytest.approx((0.0, -4.0, 0.0), abs=0.3 * (angle[1] - angle[0]))
    y -= 0.2
    memory, numbers = course.memory(), course.numbers()
    for k in range(9000):
        memory = course.advanced(numbers, memory, (x, y), k * DT, DT)
        x, y = x + DT * math.cos(memory.heading), y + DT * math.sin(memory.heading)
    assert math.hypot(x, y) == pytest.approx(4.0, abs=0.02)
    assert memory.turn == pytest.approx(0.25, abs=0.02)


def test_the_pace_is_the_speed_of_the_path():
    course = course_of(LIMITS, 1.0, path=[[0.0, 0.0, 0.5], [10.0, 0.0, 0.5]])
    memory = course.advanced(course.numbers(), course.memory(), (1.0, 0.0), 0.0, DT)
    assert memory.pace == pytest.approx(0.5)


def test_a_point_brakes_steadily_and_stops_at_the_end_of_its_path():
    """From the distance b = v lag before the end, x'^2 = v^2 (L - x) / b: a parabola, at rest after 2 b / v."""
    length, speed = 12.0, 2.0
    course = course_of(LIMITS, speed, path=[[0.0, 0.0], [length, 0.0]])
    braking = speed * LIMITS.lag
    begins = (length - braking) / speed
    memory, numbers, x = course.memory(), course.numbers(), 0.0
    for k in range(round((begins + 3.0 * LIMITS.lag) / DT)):
        memory = course.advanced(numbers, memory, (x, 0.0), k * DT, DT)
        left = max(1.0 - max(k * DT - begins, 0.0) / (2.0 * LIMITS.lag), 0.0)
        expected = length - braking * left**2 if k * DT > begins else k * DT * speed
        assert x == pytest.approx(expected, abs=2.0 * speed * DT)
        x += DT * speed * memory.pace
    assert x == pytest.approx(length, abs=1e-5 * length)


@pytest.mark.parametrize("limits", [LIMITS, replace(LIMITS, stops=False)])
def test_a_point_that_does_not_stop_keeps_its_pace(limits):
    path = GroundPath.through([[0.0, 0.0], [12.0, 0.0]], stops=not limits.stops)
    course = course_of(limits, 2.0, path=path)
    for x in (11.9, 12.0, 13.0):
        assert course.advanced(course.numbers(), course.memory(), (x, 0.0), 0.0, DT).pace == 1.0


def test_impossible_courses_are_refused():
    with pytest.raises(WorldError, match=r"give -0\.5 to 0\.5, at most 28\.6 degrees a second"):
        course_of(LIMITS, 1.0, 0.6)
    with pytest.raises(WorldError, match="turns with it"):
        course_of(LIMITS, 1.0, 0.1, [[0.0, 0.0], [1.0, 0.0]])
    with pytest.raises(WorldError, match=r"a speed of 0\.4 m/s to the side is not possible; give -0\.3 to 0\.3"):
        course_of(LIMITS, 1.0, sideways=0.4)


def test_a_point_that_moves_backward_along_a_path_faces_the_other_way():
    """Half a circle of radius 4 m: the direction of motion turns by pi, and so does the heading, which is opposite."""
    angle = np.linspace(-math.pi / 2, math.pi / 2, 60)
    course = course_of(LIMITS, -1.0, path=4.0 * np.column_stack([np.cos(angle), np.sin(angle)]))
    x, y, heading = course.start
    assert heading == pytest.approx(math.pi, abs=0.3 * (angle[1] - angle[0]))
    memory, numbers = course.memory(), course.numbers()
    dt = 10.0 * DT
    for k in range(round(4.0 * math.pi / dt)):
        memory = course.advanced(numbers, memory, (x, y), k * dt, dt)
        x, y = x - dt * math.cos(memory.heading), y - dt * math.sin(memory.heading)
        assert math.hypot(x, y) == pytest.approx(4.0, abs=0.05)
    assert memory.heading == pytest.approx(2.0 * math.pi, abs=0.1)


def test_a_speed_to_the_side_rises_within_the_time_of_ease():
    course = Course(sideways=((0.0, 0.0), (4.0, 0.4)), ease=2.0)
    assert course.sideways_at(course.numbers(), 1.0) == pytest.approx(0.5 * 0.1)
    assert course.sideways_at(course.numbers(), 3.0) == pytest.approx(0.3)
    assert not course.is_straight
    assert Course().sideways_at(Course().numbers(), 1.0) == 0.0
