"""Operations are reordered so that few values are alive at a time; those that change arrays keep their order."""

from hypothesis import given
from hypothesis import strategies as st

from gambol.lanes import array, when
from gambol.lanes.bodies import trace_body
from gambol.lanes.cpu.lower.order import FIXED, order_of

REGISTERS = ("add", "sub", "mul", "fma", "fms", "fnma", "sqrt")


def body_of(function, inputs):
    return trace_body("test", "float64", None, inputs, function)


def most_alive(body, order):
    """The largest number of results that are alive at a time, of operations in an order."""
    last = {a: k for k, index in enumerate(order) for a in body.ops[index].args}
    last |= dict.fromkeys(body.outputs, len(order))
    alive, most = set(), 0
    for k, index in enumerate(order):
        alive = {a for a in alive if last[a] > k}
        alive |= {index} if body.ops[index].name in REGISTERS else set()
        most = max(most, len(alive))
    return most


def test_two_passes_over_a_chain_become_one():
    """In two passes all roots wait for the second one; in one pass the sum waits for one value at a time."""

    def function(*x):
        roots = [(y * y + 1.0) * y for y in x]
        return [sum((r * r - r for r in roots), 0.0)]

    body = body_of(function, 20)
    assert most_alive(body, range(len(body.ops))) == 20
    assert most_alive(body, order_of(body)) == 2


def test_a_sum_of_values_without_other_use_does_not_wait_for_its_first_use():
    def function(*x):
        parts = [(x[k] + 1.0) * (x[k + 1] - 1.0) for k in range(20)]
        memory = array([0.0])
        memory[0] = x[0]
        return [memory[0], *(p + q for p, q in zip(parts[::2], parts[1::2], strict=True))]

    body = body_of(function, 21)
    sums = body.outputs[1:]
    order = order_of(body)
    ready = {s: max(order.index(a) for a in body.ops[s].args) for s in sums}
    assert all(order.index(s) == ready[s] + 1 for s in sums)


@given(st.lists(st.tuples(st.sampled_from("+-*?!"), st.integers(0, 50), st.integers(0, 50)), min_size=1, max_size=60))
def test_each_operation_follows_its_operands_and_fixed_ones_keep_their_order(program):
    def function(*x):
        values, memory = list(x), array([1.0, 2.0])
        for kind, i, j in program:
            a, b = values[i % len(values)], values[j % len(values)]
            if kind == "?":
                values.append(when(a > b, lambda p, q: p * q + p, a, b, otherwise=b))
            elif kind == "!":
                memory[j % 2] = a
                values.append(memory[i % 2])
            else:
                values.append(a + b if kind == "+" else a - b if kind == "-" else a * b)
        return values[-3:]

    body = body_of(function, 3)
    order = order_of(body)
    places = {index: k for k, index in enumerate(order)}
    assert len(places) == len(order)
    assert all(places[a] < places[index] for index in order for a in body.ops[index].args)
    fixed = [index for index in order if body.ops[index].name in FIXED]
    assert fixed == [index for index, op in enumerate(body.ops) if op.name in FIXED]
    assert all(index in places for index in body.outputs)
