"""A body that is used once is inlined; one that is used several times is called."""

from gambol.lanes import Subprogram, repeat, when
from gambol.lanes.bodies import trace_body
from gambol.lanes.cpu.lower import assembly
from gambol.lanes.cpu.lower.uses import inlined_bodies


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
