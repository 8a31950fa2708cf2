"""Formulas with arrays and loops with a counter, for tests of all targets."""

from gambol.lanes import Records, array, fori, is_tracing, loop, scan, scan_range, sqrt, subprogram, when


def cholesky(x, y, n, *, rolled=True):
    """Return the sum of the Cholesky factor of a matrix of x and y, each row of it solved by a triangular loop."""
    A = array([x * y + 0.1 * abs(i - j) if i != j else 40.0 + x * x + i for i in range(n) for j in range(n)])

    def column(k):
        A[k * (n + 1)] = sqrt(A[k * (n + 1)])

        def scale(i, _):
            A[i * n + k] = A[i * n + k] / A[k * (n + 1)]

            def update(j, _):
                A[i * n + j] = A[i * n + j] - A[i * n + k] * A[j * n + k]

            fori(k + 1, i + 1, update, rolled=rolled)

        fori(k + 1, n, scale, rolled=rolled)

    fori(0, n, lambda k, _: column(k), rolled=rolled)
    add = lambda i, total: fori(0, i + 1, lambda j, inner: inner + A[i * n + j], total, rolled=rolled)  # noqa: E731
    return fori(0, n, add, 0.0, rolled=rolled)


def diverging(x):
    """Return numbers that a loop of as many steps as a lane needs, and a branch within it, leave in an array."""
    numbers = array([0.0, 1.0, x])

    def step(count):
        numbers[0] = numbers[0] + x
        when(x > 1.0, lambda: numbers.write(1, [numbers[1] * 2.0]) or 0.0)
        inner = array([0.0] * 2)
        fori(0, 2, lambda k, _: numbers.write(2, [numbers[k + 1] + inner[k]]))
        return count + 1.0

    count = loop(lambda count: count < abs(x), step, 0.0)
    return numbers[0] + 10.0 * numbers[1] + 100.0 * numbers[2] + 1000.0 * count


@subprogram
def shifted(numbers, x):
    """Return the numbers moved by one place and increased by x, and the first of them."""
    result = array([x, 0.0, 0.0])
    fori(0, 2, lambda k, _: result.write(k + 1, [numbers[k] + x]))
    return {"numbers": result, "first": numbers[0]}


def shifted_twice(x):
    """Return a number of all arrays that three calls of a subprogram take and return."""
    numbers = array([x, x + 1.0, x + 2.0])
    first = shifted(numbers, x)
    numbers[0] = 100.0
    second = shifted(first["numbers"], 2.0 * x)
    third = shifted(numbers, second["first"])
    return sum(10.0**k * a["numbers"][i] for k, a in enumerate((first, second, third)) for i in range(3))


def read_in_subprograms(x):
    """Return what a subprogram, and one in it, read of an array around them, before and after a change of the array."""
    numbers = array([x, x + 1.0, x + 2.0])

    @subprogram
    def weighted(y):
        return fori(0, 3, lambda k, total: total * y + numbers[k * -1 + 2], 0.0)

    @subprogram
    def outer(y):
        return weighted(y) - when(y > 1.0, lambda: weighted(0.5 * y), otherwise=numbers[1])

    before = outer(x)
    numbers[1] = 10.0 * x
    return before + 100.0 * outer(x)


def summed_records(x):
    """Return a sum over records of pairs, of which one number is equal in all, and over results of a loop over them."""
    pairs = [{"scale": 2.0, "place": (x + float(k), float(k % 2))} for k in range(4)]
    records = Records.of(pairs) if is_tracing() else pairs

    def step(i, total):
        pair = records[i]
        value = pair["scale"] * pair["place"][0] + pair["place"][1]
        return total + value, {"value": value, "same": 3.0}

    total, results = scan_range(4, step, 0.5 * x)
    return total + sum(10.0**k * result["value"] + result["same"] for k, result in enumerate(results))


def kept_in_scan(x):
    """Return a number of an array in which a scan, in its branches, keeps the largest values of some items."""
    kept = array([-9.0, -9.0])

    def keep(value):
        least = fori(1, 2, lambda i, least: when(kept[i] < least, lambda: kept[i], otherwise=least), kept[0])

        def put(i, pending):
            def replaced():
                kept[i] = value
                return 0.0

            return when((kept[i] <= least) & (value > least) & (pending > 0.5), replaced, otherwise=pending)

        fori(0, 2, put, 1.0)
        return ()

    def step(carry, item):
        value = x * item - item * item
        when(value > -5.0, lambda: keep(value))
        return carry, None

    scan(step, (), [1.0, -2.0, 0.5, 3.0])
    return kept[0] + 10.0 * kept[1]
