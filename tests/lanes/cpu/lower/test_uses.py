"""A body that is used once is inlined; one that is used several times is called."""

from gambol.lanes import Subprogram, repeat, when
from gambol.lanes.bodies import trace_body
from gambol.lanes.cpu.lower import assembly
from gambol.lanes.cpu.lower.uses import called_once, inlined_bodies


def body_of(function):
    return trace_body("test", "float64", None, 1, function)


def calls(body):
    """The number of calls in the assembly of a body, beyond those of every program."""
    some, none = (assembly(b, "float64", 8, ((1,), (1,))).count("call void @") for b in (body, body_of(lambda x: [x])))
    return some - none


def test_a_branch_and_a_loop_of_their_own_are_written_in_place():
    def function(x):
        halved = when(x > 1.0, lambda x: x * 0.5, x, otherwise=x)
        return [repeat(3, lambda y: y * y + halved, halved)]

    body = body_of(function)
    assert len(inlined_bodies(body)) == 2
    assert calls(body) == 0


def test_what_two_branches_share_is_written_once_and_called():
    half = Subprogram(lambda x: x * 0.5)
    body = body_of(lambda x: [when(x > 1.0, half, x) + when(x < 0.0, half, x + 1.0)])
    assert not inlined_bodies(body)
    assert calls(body) == 2


def test_what_a_step_calls_once_is_inlined_and_what_it_calls_twice_is_not():
    once, twice = Subprogram(lambda x: x * 0.5), Subprogram(lambda x: x * x + 1.0)
    step = body_of(lambda x: [once(x) + twice(x) - twice(x + 1.0)])
    bodies = {id(op.extra) for op in step.ops if op.name == "call"}
    assert len(bodies) == 2
    assert called_once(step) == {id(op.extra) for op in step.ops[:2] if op.name == "call"}


def test_what_a_branch_calls_again_is_not_inlined_in_the_step():
    """Inlined, it would be written twice: in the step, and as a function for the branch."""
    half, other = Subprogram(lambda x: x * 0.5), Subprogram(lambda x: x * x + 1.0)
    again = Subprogram(lambda x: half(x) + 1.0)
    step = body_of(lambda x: [when(half(x) > 1.0, again, x, otherwise=other(x))])
    called = {id(op.extra): op.extra for op in step.ops if op.name == "call"}
    assert len(called) == 2
    (inlined,) = called_once(step)
    assert "fma" in [op.name for op in called[inlined].ops]  # of x * x + 1


def test_a_step_that_is_too_long_calls_its_parts(monkeypatch):
    step = body_of(lambda x: [Subprogram(lambda y: y * y * y)(x)])
    assert called_once(step)
    monkeypatch.setattr("gambol.lanes.cpu.lower.uses.MIN_SPLIT_OPERATIONS_WITH_ARRAYS", 2)
    assert not called_once(step)
