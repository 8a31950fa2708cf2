"""Signed constant factors, so that links whose constants differ only in sign have the same operations.

The tracer makes constant factors positive and subtracts the product instead. Here a product whose first use subtracts
it gets a negative factor and is added instead. Rounding is symmetric in sign: no bit changes.
"""

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body

FLIPPED = {
    ("add", 0): "sub",
    ("add", 1): "sub",
    ("sub", 1): "add",
    ("fma", 2): "fms",
    ("fms", 2): "fma",
    ("neg", 0): "",
}
"""The operation that replaces one of which this argument changes sign; a negation is removed."""

SUBTRACTED = (("sub", 1), ("fms", 2), ("neg", 0))
OUTSIDE = -1


def with_signed_factors(body: Body) -> Body:
    """Return an equal body in which the first use of a product with a constant adds it, wherever possible."""
    signs = _Signs(body)
    for number, op in enumerate(body.ops):
        place = next((k for k, a in enumerate(op.args[:2]) if body.ops[a].name == "const"), None)
        if place is not None and op.name == "fnma":
            signs.negate_constant(number, place, "fma")
        elif place is not None and op.name == "mul" and signs.is_subtracted_first(number):
            signs.negate_constant(number, place, "mul")
            signs.flip_uses(number)
    return Body(body.name, signs.ops, body.inputs, body.outputs, body.captured, body.split_points, body.packing)


class _Signs:
    """The operations whose signs are being changed, and the users of each result, in order."""

    def __init__(self, body: Body) -> None:
        self.ops = list(body.ops)
        self.users: list[list[int]] = [[] for _ in body.ops]
        for number, op in enumerate(body.ops):
            for a in op.args:
                self.users[a].append(number)
        for a in body.outputs:
            self.users[a].append(OUTSIDE)

    def negate_constant(self, number: int, place: int, name: str) -> None:
        """Rename an operation and negate a constant argument of it; the new constant is appended to the operations."""
        args = self.ops[number].args
        self.ops.append(Op("const", (), -self.ops[args[place]].extra))
        self.ops[number] = Op(name, (*args[:place], len(self.ops) - 1, *args[place + 1 :]))

    def is_subtracted_first(self, number: int) -> bool:
        """True where the first use of a product subtracts it, and all uses can take it with the other sign."""
        uses = [self._use(user, number) for user in self.users[number]]
        return bool(uses) and uses[0] in SUBTRACTED and all(use in FLIPPED for use in uses)

    def _use(self, user: int, number: int) -> tuple[str, int]:
        op = self.ops[user]
        dropped = op.name == "neg" and OUTSIDE in self.users[user]
        if user == OUTSIDE or dropped or op.args.count(number) > 1:
            return "other", 0
        return op.name, op.args.index(number)

    def flip_uses(self, number: int) -> None:
        """Adapt all uses of a product that has changed sign, so that their results stay the same; negations last."""
        uses = {user: FLIPPED[self._use(user, number)] for user in self.users[number]}
        for user, name in uses.items():
            if name:
                others = tuple(a for a in self.ops[user].args if a != number)
                self.ops[user] = Op(name, (*others, number))
        for user, name in uses.items():
            if not name:
                self._skip(user, number)

    def _skip(self, negation: int, number: int) -> None:
        """Replace a negation by its operand in all operations that use it."""
        for user in self.users[negation]:
            args = tuple(number if a == negation else a for a in self.ops[user].args)
            self.ops[user] = Op(self.ops[user].name, args, self.ops[user].extra)
            self.users[number].append(user)
        self.ops[negation] = Op("const", (), 0.0)
