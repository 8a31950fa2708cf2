"""Loops over alike items: the numbers of plain Python, and a program that does not grow with the items."""

import numpy as np
import pytest
from node_programs import run_in_node
from tracing import body_of, evaluated

from gambol.errors import TraceError
from gambol.lanes import (
    Program,
    ProgramSpec,
    Records,
    array,
    atan2,
    jvp,
    map_alike,
    repeat,
    scan,
    shared,
    sqrt,
    when,
    where,
)
from gambol.lanes.cpu.lower import assembly
from gambol.lanes.program_spec import operation_count, trace_program
from gambol.lanes.wasm import wasm_module

X, Y = np.linspace(-3.0, 5.0, 21), np.linspace(2.0, -1.0, 21)


def horner(x, coefficients):
    """Return a polynomial: its coefficients are the items."""
    return scan(lambda total, c: (total * x + c, None), 0.0, coefficients)[0]


def test_a_polynomial_of_constants():
    coefficients = list(map(float, np.random.default_rng(0).normal(size=9)))
    found = evaluated(lambda x: horner(x, coefficients), X)
    np.testing.assert_allclose(found, np.polyval(coefficients, X), rtol=1e-13, atol=1e-10)


def test_a_polynomial_of_traced_coefficients():
    found = evaluated(lambda x, y: horner(x, [y, 2.0, x, y, 1.0]), X, Y)
    np.testing.assert_allclose(found, Y * X**4 + 2.0 * X**3 + X**3 + Y * X + 1.0, rtol=1e-13, atol=1e-11)


def prefix_sums(x, y):
    """Return a number from the results of two scans, the second over those of the first, within a loop."""
    _, sums = scan(lambda total, item: (total + item[0] * item[1],) * 2, 0.0, [(x, 1.0), (y, 2.0), (x, -0.5)])

    def again(value):
        return scan(lambda v, s: (where(s > v, 0.5 * (v + s), v - 0.1), ()), value, sums)[0]

    return repeat(3.0, again, y) + sums[1]


@pytest.mark.parametrize("lanes", [1, 4, 8])
def test_results_are_items_of_another_scan(lanes):
    plain = [prefix_sums(x, y) for x, y in zip(X.tolist(), Y.tolist(), strict=True)]
    np.testing.assert_array_equal(evaluated(prefix_sums, X, Y, lanes=lanes), plain)


def largest_two(x, y):
    """Return a number from the two largest of some values, which branches keep in their place."""

    def step(kept, value):
        return when(value > kept[1], inserted, kept, value, otherwise=kept), None

    def inserted(kept, value):
        return where(value > kept[0], value, kept[0]), where(value > kept[0], kept[0], value)

    values = [x, y, x + y, 0.5 * x, 1.0]
    first, second = scan(step, (-100.0, -100.0), values)[0]
    return 10.0 * first + second


def test_a_branch_changes_the_carry_in_the_lanes_of_its_condition_only():
    values = np.sort([X, Y, X + Y, 0.5 * X, np.ones(21)], axis=0)
    np.testing.assert_allclose(evaluated(largest_two, X, Y), 10.0 * values[-1] + values[-2], rtol=1e-15)


def test_derivatives_pass_through_items_and_carry():
    def function(arguments):
        (x,) = arguments
        return scan(lambda total, item: (sqrt(total * total + item * item), ()), x, [x, 2.0, x * x])[0]

    def derivative(x):
        return jvp(function, [x], [1.0])[1]

    expected = (2.0 * X + 2.0 * X**3) / np.sqrt(2.0 * X * X + 4.0 + X**4)  # of sqrt(2 x^2 + 4 + x^4)
    np.testing.assert_allclose(evaluated(derivative, X), expected, rtol=1e-13, atol=1e-14)


def test_a_program_of_a_thousand_items_has_the_operations_of_one_of_three():
    def program(count):
        return body_of(lambda x: [horner(x, [float(k) for k in range(count)])], 1)

    assert operation_count(program(1000)) == operation_count(program(3))
    lines = [assembly(program(n), "float64", 8, ((1,), (1,))).count("\n") for n in (3, 1000)]
    assert lines[0] == lines[1]


def test_what_a_scan_refuses():
    cases = {
        "the items of a scan must have the same structure": lambda x: scan(lambda c, i: (c, None), x, [(x,), (x, 1.0)])[
            0
        ],
        "contains a mask": lambda x: scan(lambda c, i: (c, None), x, [x > 0.0, x < 1.0])[0],
        "a carry of the same structure: 1 numbers, not 2": lambda x: scan(lambda c, i: ((c, i), None), x, [x, 1.0])[0],
    }
    for message, function in cases.items():
        with pytest.raises(TraceError, match=message):
            body_of(lambda x, f=function: [f(x)], 1)


def test_without_items_the_carry_is_returned():
    assert scan(lambda c, i: (c + i, c), 2.0, []) == (2.0, [])


def test_alike_items_are_a_loop_in_a_short_program_only():
    def sums(values):
        items = [*((x, 2.0) for x in values[:-1]), (values[-1], 3.0)]  # the last one has another constant
        return ([x for (x,) in map_alike(lambda item: (sqrt(item[0] * item[0] + item[1]),), items, 4)],)

    plain = sums([*map(float, range(7))])[0]
    assert plain == [(x * x + 2.0) ** 0.5 for x in range(6)] + [39.0**0.5]
    specs = [ProgramSpec("sums", sums, ([0.0] * 7,), short=short) for short in (False, True)]
    assert [operation_count(trace_program(spec, "float64")[0]) for spec in specs] == [7 * 2, 2 + 1 + 2]
    for spec in specs:
        found = Program(spec)(np.arange(7.0)[:, None])[0]
        np.testing.assert_array_equal(found[:, 0], plain)


def test_a_product_from_a_loop_of_a_short_program_fuses_outside_as_without_the_loop():
    """Fused, x y - z is not rounded before the subtraction; so z, the rounded product, shows which of both it is."""

    def remainders(items):
        products = map_alike(lambda item: (item[0] * item[1], item[0] + item[1]), [x[:2] for x in items], 4)
        return ([product - z for (product, _), (*_, z) in zip(products, items, strict=True)],)

    x, y = np.random.default_rng(1).normal(size=(2, 6, 64))
    numbers = np.stack([x, y, x * y], axis=1).reshape(18, 64)
    found = [
        Program(ProgramSpec("remainders", remainders, ([[0.0] * 3] * 6,), short=short))(numbers)[0]
        for short in (False, True)
    ]
    assert np.count_nonzero(found[0]) > 300  # of 384: what rounding took from the products
    np.testing.assert_array_equal(found[0], found[1])


def test_a_shared_function_is_recorded_once_in_a_short_program_with_the_same_bits():
    """A product of what is not an argument is rounded if two calls add to it, as in a program without the subprogram.

    A result that is a product fuses with what is added to it outside.
    """

    def totals(x, y, z):
        @shared
        def twice(a):
            return y * z + a * a, a * z

        (first, product), (second, _) = twice(x), twice(y)
        return (first, product - x * y, second)

    specs = [ProgramSpec("totals", totals, (0.0,) * 3, short=short) for short in (False, True)]
    bodies = [trace_program(spec, "float64")[0] for spec in specs]
    assert [sum(op.name == "call" for op in body.ops) for body in bodies] == [0, 2]
    numbers = np.random.default_rng(2).normal(size=(3, 1, 64))
    usual, short = (Program(spec)(*numbers) for spec in specs)
    np.testing.assert_array_equal(usual, short)
    assert np.count_nonzero(usual[0] - (numbers[1] * numbers[2] + numbers[0] * numbers[0]))  # fused


def test_sums_of_negative_products_in_a_shared_function_fuse_the_same_product():
    """Of -g r - h s the second product is fused, as for gravity in the axes of a link."""

    def heights(x, y, g, h, r, s):
        @shared
        def lowered(a):
            return a * a + (-g * r + -h * s)

        return lowered(x), lowered(y)

    numbers = np.random.default_rng(3).normal(size=(6, 1, 64))
    usual, short = (Program(ProgramSpec("heights", heights, (0.0,) * 6, short=k))(*numbers) for k in (False, True))
    np.testing.assert_array_equal(usual, short)


def test_a_shared_function_of_constants_is_computed_while_tracing():
    spec = ProgramSpec("constant", lambda x: (x + shared(lambda a: a * 3.0)(2.0),), (0.0,), short=True)
    assert operation_count(trace_program(spec, "float64")[0]) == 1


ZEROS = (0.0, -0.0, 0.0)


def angles_of_items(x):
    """By two loops, whose tables of constants differ in the signs of zeros only."""
    return [y for zeros in (ZEROS, ZEROS[1:] + ZEROS[1:2]) for y in scan(lambda _, z: ((), atan2(z, -x)), (), zeros)[1]]


def angles_of_constants(x):
    return [atan2(z, -x) for z in ZEROS]


def angles_of_records(x):
    """In a program, records are in memory; outside of it they would be these constants."""
    return [atan2(z, -x) for z in (ZEROS if isinstance(x, float) else Records.of(ZEROS))]


ZERO_CASES = {
    "items of a loop": angles_of_items,
    "alike items": lambda x: map_alike(lambda z: atan2(z, -1.0) * x, ZEROS, 2),
    "constants": angles_of_constants,
    "records": angles_of_records,
    "numbers in memory": lambda x: [atan2(z, -x) for z in array(ZEROS)],
    "a choice": lambda x: [atan2(where(x > limit, 0.0, -0.0), -x) for limit in (0.0, 2.0)],
}


@pytest.mark.parametrize("case", ZERO_CASES)
def test_constant_zeros_keep_their_signs(case):
    """On the left of the origin the angle of a point is pi above the axis and at 0, but minus pi at -0."""
    function = ZERO_CASES[case]
    plain = function(1.0)
    assert {abs(y) for y in plain} == {np.pi}
    assert len(set(plain)) == 2
    for short in (False, True):
        spec = ProgramSpec("angles", lambda x: (function(x),), (0.0,), short=short)
        np.testing.assert_array_equal(Program(spec)(np.ones((1, 1)))[0][:, 0], plain)
    np.testing.assert_array_equal(run_in_node(wasm_module(spec), [np.ones((1, 2))]).outputs[0][:, 0], plain)


def test_a_constant_of_records_is_not_replaced_by_a_zero_of_the_other_sign():
    def written(x):
        records = Records(2)
        records[0], records[1] = (x, 0.0), (x, -0.0)
        return [records[1][1]]

    with pytest.raises(TraceError, match="a constant of the first record that was written is another number"):
        body_of(written, 1)
