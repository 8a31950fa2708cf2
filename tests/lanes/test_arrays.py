"""Arrays and loops with a counter: the same numbers as plain Python, in every lane, branch and subprogram."""

import numpy as np
import pytest
from array_formulas import cholesky, diverging, kept_in_scan, read_in_subprograms, shifted_twice, summed_records
from tracing import body_of, evaluated, program_of

from gambol.errors import TraceError
from gambol.lanes import Records, array, empty, fori, scan_range, subprogram, when, where
from gambol.lanes.program_spec import operation_count

X = np.linspace(-3.0, 5.0, 21)
Y = np.linspace(2.0, -1.0, 21)


@pytest.mark.parametrize("n", [1, 2, 5])
def test_nested_loops_over_an_array(n):
    A = [
        [[x * y + 0.1 * abs(i - j) if i != j else 40.0 + x * x + i for j in range(n)] for i in range(n)]
        for x, y in zip(X, Y, strict=True)
    ]
    known = np.linalg.cholesky(np.array(A)).sum(axis=(1, 2))
    np.testing.assert_allclose(evaluated(lambda x, y: cholesky(x, y, n), X, Y), known, rtol=1e-13)
    np.testing.assert_allclose(evaluated(lambda x, y: cholesky(x, y, n, rolled=False), X, Y), known, rtol=1e-13)
    np.testing.assert_allclose([cholesky(float(x), float(y), n) for x, y in zip(X, Y, strict=True)], known, rtol=1e-13)
    np.testing.assert_allclose(cholesky(X, Y, n), known, rtol=1e-13)


def test_the_code_of_a_loop_does_not_grow_with_its_steps():
    def total(x, count):
        numbers = array([x] * 2)
        fori(0, count, lambda k, _: numbers.write(0, [numbers[0] + numbers[1], numbers[0]]))
        return numbers[0]

    few, many = (operation_count(body_of(lambda x, n=n: [total(x, n)], 1)) for n in (3, 3000))
    assert few == many


def test_a_lane_that_has_left_a_loop_or_a_branch_keeps_its_numbers():
    plain = [diverging(float(x)) for x in X]
    np.testing.assert_allclose(evaluated(diverging, X), plain, rtol=1e-14)
    np.testing.assert_allclose(diverging(X), plain, rtol=1e-14)


def test_subprograms_take_and_return_arrays_by_value():
    np.testing.assert_allclose(evaluated(shifted_twice, X), [shifted_twice(float(x)) for x in X], rtol=1e-15)


def test_subprograms_read_the_arrays_around_them():
    plain = [read_in_subprograms(float(x)) for x in X]
    np.testing.assert_allclose(evaluated(read_in_subprograms, X), plain, rtol=1e-14)


def test_records_are_read_and_written_by_the_counter_of_a_loop():
    np.testing.assert_allclose(evaluated(summed_records, X), [summed_records(float(x)) for x in X], rtol=1e-14)


def test_misused_records_are_named():
    def unequal(x):
        return Records.of([(x, 1.0), (x,)])

    def changing(x):
        records = Records(2)
        records[0], records[1] = (x, 1.0), (x, 2.0)

    def late(x):
        records = Records.of([(x,), (x + 1.0,)])
        records[0] = (x + 2.0,)

    cases = (unequal, "equally many"), (changing, "another number"), (late, "cannot be changed")
    for formula, message in cases:
        with pytest.raises(TraceError, match=message):
            body_of(lambda x, f=formula: [f(x)], 1)


def stores(function):
    """The number of stores of a formula of x, outside of loops and branches."""
    return sum(op.name == "store" for op in body_of(lambda x: [function(x)], 1).ops)


def total(records):
    """The sum of all numbers of records, each times its number and that of its place."""
    add = lambda i, t: t + sum((k + 1.0) * x for k, x in enumerate(records[i]))  # noqa: E731
    return fori(0, len(records), add, 0.0)


def listed(x):
    """Records with two numbers of x each, from a loop, as a list."""
    records = scan_range(4, lambda i, y: (y * x, (y + 1.0, y - x)), x)[1]
    assert isinstance(records, Records)
    return records.listed()


def test_numbers_that_are_in_memory_are_not_stored_again():
    def once(x):
        return total(Records.of([(x * k, x + k) for k in range(3)]))

    def again(x):
        trees = [(x * k, x + k) for k in range(3)]
        mixed = [(b, x - k, a) for k, (a, b) in enumerate(trees)]
        return total(Records.of(trees)) + total(Records.of(mixed)) - total(Records.of([(a,) for a, _ in trees]))

    def of_loop(x):
        return total(Records.of([(b, a) for a, b in listed(x)]))

    assert (stores(once), stores(again), stores(of_loop)) == (6, 9, 0)
    rows = [np.array([k * X, X + k, X - k]) for k in range(3)]
    known = sum(a + 2 * b + b + 2 * c + 3 * a - a for a, b, c in rows)
    np.testing.assert_allclose(evaluated(again, X), known, rtol=1e-14)
    powers = [X ** (k + 1) for k in range(4)]
    np.testing.assert_allclose(evaluated(of_loop, X), sum(p - X + 2.0 * (p + 1.0) for p in powers), rtol=1e-14)


def test_numbers_that_a_branch_stores_are_stored_again_outside_of_it():
    def formula(x):
        trees = [(x * k,) for k in range(3)]
        inside = when(x > 0.0, lambda: total(Records.of(trees)), otherwise=0.0)
        return inside + total(Records.of(trees))

    assert stores(formula) == 3
    np.testing.assert_allclose(evaluated(formula, X), 3.0 * X * np.where(X > 0.0, 2.0, 1.0), rtol=1e-14)


def test_a_load_sees_all_earlier_stores_and_no_later_ones():
    def formula(x):
        numbers = array([x, 2.0 * x])
        before = numbers[0]
        numbers[0] = 3.0
        same = numbers[0]
        fori(0, 2, lambda k, _: numbers.write(k, [numbers[k] + 1.0]))
        return before + 10.0 * same + 100.0 * numbers[0] + 1000.0 * numbers[1]

    np.testing.assert_allclose(evaluated(formula, X), X + 30.0 + 400.0 + 1000.0 * (2.0 * X + 1.0), rtol=1e-14)


def test_misuse_is_named():
    def captured(x):
        numbers = array([x])

        def change(y):
            numbers[0] = y
            return y

        return subprogram(change)(x)

    def counted(x):
        return fori(0, 2, lambda k, y: subprogram(lambda z: z * array([1.0, x])[k])(y), x)

    def changed(x):
        def change(numbers):
            numbers[0] = 1.0
            return numbers[0]

        return subprogram(change)(array([x]))

    outside = array([1.0])

    def early(x):
        numbers = outside
        return x + fori(0, 1, lambda k, total: total + numbers[k], 0.0)

    misuses = (
        (captured, "changes an array"),
        (counted, "make it an argument"),
        (changed, "copy it"),
        (early, "make it inside"),
    )
    for formula, message in misuses:
        with pytest.raises(TraceError, match=message):
            body_of(lambda x, f=formula: [f(x)], 1)


@pytest.mark.parametrize("precision", ["float64", "float32"])
def test_the_bits_do_not_depend_on_lanes(precision):
    """In one lane of float32 an entry of the arguments of a subprogram is smaller than the address of an array."""

    def formula(x, y):
        return cholesky(x, y, 4) + diverging(where(x > y, x, y)) + read_in_subprograms(x + y)

    programs = [program_of(formula, 2, precision, lanes=lanes) for lanes in (1, 4, 8)]
    first, *others = (p(X[None].astype(precision), Y[None].astype(precision))[0] for p in programs)
    for other in others:
        np.testing.assert_array_equal(first, other)


def test_an_empty_array_goes_into_and_out_of_subprograms():
    @subprogram
    def counted(numbers, y):
        return numbers, y + 1.0 + len(numbers)

    def formula(x, y):
        numbers, result = counted(empty(0), x * y)
        return fori(0, len(numbers), lambda k, sum_: sum_ + numbers[k], result)

    np.testing.assert_array_equal(evaluated(formula, X, Y), X * Y + 1.0)


def test_a_scan_changes_an_array_of_its_surroundings():
    """The two largest numbers above -5 that items have, in lanes of which some skip items."""
    x = np.linspace(-4.0, 6.0, 33)
    found = evaluated(kept_in_scan, x)
    np.testing.assert_array_equal(found, [kept_in_scan(value) for value in x.tolist()])
    values = np.sort([x * k - k * k for k in (1.0, -2.0, 0.5, 3.0)], axis=0)[-2:]
    values = np.where(values > -5.0, values, -9.0)
    orders = [a + 10.0 * b for a, b in (values, values[::-1])]
    assert np.min(np.abs(orders - found), axis=0).max() < 1e-12


@pytest.mark.parametrize("index", [-1, 3])
def test_a_constant_index_outside_an_array_is_refused(index):
    """In a program there is other memory; a loop over the numbers ends by this error, too."""

    def read(x):
        return [array([x, x + 1.0, x + 2.0])[index]]

    def written(x):
        array([x, x + 1.0, x + 2.0])[index] = x
        return [x]

    for function in (read, written):
        with pytest.raises(IndexError, match=f"an array of 3 numbers has no number {index}"):
            body_of(function, 1)
    np.testing.assert_array_equal(evaluated(lambda x: sum(array([x, x + 1.0, x + 2.0])), X), X + (X + 1.0) + (X + 2.0))
