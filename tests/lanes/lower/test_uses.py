"""What a body runs once stands where it is run; what several places run is called."""

from gambol.lanes import Subprogram, repeat, when
from gambol.lanes.fusion import traced
from gambol.lanes.lower import assembly
from gambol.lanes.lower.uses import run_once


def body_of(function):
    return traced("test", "float64", None, 1, function)


def calls(body):
    """How often the assembly of a body calls functions, beside what every program does."""
    some, none = (
        assembly(one, "float64", 8, ((1,), (1,))).count("call void @") for one in (body, body_of(lambda x: [x]))
    )
    return some - none


def test_a_branch_and_a_loop_of_their_own_are_written_in_place():
    def function(x):
        halved = when(x > 1.0, lambda x: x * 0.5, x, otherwise=x)
        return [repeat(3, lambda y: y * y + halved, halved)]

    body = body_of(function)
    assert len(run_once(body)) == 2
    assert calls(body) == 0


def test_what_two_branches_share_is_written_once_and_called():
    half = Subprogram(lambda x: x * 0.5)
    body = body_of(lambda x: [when(x > 1.0, half, x) + when(x < 0.0, half, x + 1.0)])
    assert not run_once(body)
    assert calls(body) == 2
