"""Signed constant factors, so that links whose constants differ only in sign have the same operations.

The tracer makes constant factors positive and subtracts the product instead. This is undone here: a product that is
first subtracted gets a negative factor and is added. Rounding is symmetric in sign, so no bit changes.
"""

from dataclasses import replace

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
"""The operation that replaces (operation, index of the argument) if that argument changes sign; "" removes it."""

SUBTRACTED = (("sub", 1), ("fms", 2), ("neg", 0))
OUTPUT = -1
"""Marks an output of the body among the users of a value."""


def with_signed_factors(body: Body) -> Body:
    """Return an equivalent body in which the first use of a product with a constant adds it, if possible."""
    signs = _Signs(body)
    for index, op in enumerate(body.ops):
        argument = next((k for k, a in enumerate(op.args[:2]) if body.ops[a].name == "const"), None)
        if argument is not None and op.name == "fnma":
            signs.negate_constant(index, argument, "fma")
        elif argument is not None and op.name == "mul" and signs.is_subtracted_first(index):
            signs.negate_constant(index, argument, "mul")
            signs.flip_uses(index)
    return replace(body, ops=signs.ops)


class _Signs:
    """The operations of a body while signs are changed, and the users of each result, in order."""

    def __init__(self, body: Body) -> None:
        self.ops = list(body.ops)
        self.users: list[list[int]] = [[] for _ in body.ops]
        for index, op in enumerate(body.ops):
            for a in op.args:
                self.users[a].append(index)
        for a in body.outputs:
            self.users[a].append(OUTPUT)

    def negate_constant(self, index: int, argument: int, name: str) -> None:
        """Replace an operation by `name` with its constant argument negated; append the new constant to the operations.

        index: index of the operation; argument: index of the constant among its arguments.
        """
        args = self.ops[index].args
        self.ops.append(Op("const", (), -self.ops[args[argument]].extra))
        self.ops[index] = Op(name, (*args[:argument], len(self.ops) - 1, *args[argument + 1 :]))

    def is_subtracted_first(self, index: int) -> bool:
        """Return True if the first use of a product subtracts it, and FLIPPED has an operation for every use."""
        uses = [self._use(user, index) for user in self.users[index]]
        return bool(uses) and uses[0] in SUBTRACTED and all(use in FLIPPED for use in uses)

    def _use(self, user: int, index: int) -> tuple[str, int]:
        """Return the use of a result by an operation: the name of the operation and the index of the argument;
        ("other", 0) for unsuitable operations.
        """
        op = self.ops[user]
        is_output = op.name == "neg" and OUTPUT in self.users[user]
        if user == OUTPUT or is_output or op.args.count(index) > 1:
            return "other", 0
        return op.name, op.args.index(index)

    def flip_uses(self, index: int) -> None:
        """Replace the users of a product with changed sign, so that their results do not change."""
        uses = {user: FLIPPED[self._use(user, index)] for user in self.users[index]}
        for user, name in uses.items():
            if name:
                other_args = tuple(a for a in self.ops[user].args if a != index)
                self.ops[user] = Op(name, (*other_args, index))
        for user, name in uses.items():
            if not name:
                self._skip(user, index)

    def _skip(self, negation: int, index: int) -> None:
        """Replace a negation by its operand in all operations that use it."""
        for user in self.users[negation]:
            args = tuple(index if a == negation else a for a in self.ops[user].args)
            self.ops[user] = Op(self.ops[user].name, args, self.ops[user].extra)
            self.users[index].append(user)
        self.ops[negation] = Op("const", (), 0.0)
