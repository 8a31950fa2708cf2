"""Constant factors with their signs, so that links whose constants differ in sign only do the same operations.

The tracer keeps constant factors positive, and takes a product off where its sign asks for that. Here a product whose
first use takes it off gets a negative factor and is added instead. Rounding treats both signs alike: no bit changes.
"""

from gambol.lanes.ops import Op
from gambol.lanes.trace import Body

TURNED = {("add", 0): "sub", ("add", 1): "sub", ("sub", 1): "add", ("fma", 2): "fms", ("fms", 2): "fma", ("neg", 0): ""}
"""What an operation becomes where this argument of it changes sign; a negation becomes nothing."""

TAKEN_OFF = (("sub", 1), ("fms", 2), ("neg", 0))
OUTSIDE = -1


def with_signs(body: Body) -> Body:
    """The same body, in which the first use of a product with a constant adds it, wherever that can be."""
    signs = _Signs(body)
    for number, op in enumerate(body.ops):
        place = next((k for k, a in enumerate(op.args[:2]) if body.ops[a].name == "const"), None)
        if place is not None and op.name == "fnma":
            signs.oppose(number, place, "fma")
        elif place is not None and op.name == "mul" and signs.first_taken_off(number):
            signs.oppose(number, place, "mul")
            signs.turn_uses(number)
    return Body(body.name, signs.ops, body.inputs, body.outputs, body.captured, body.seams, body.form)


class _Signs:
    """Operations whose signs are being changed, and who uses the result of each, in order."""

    def __init__(self, body: Body) -> None:
        self.ops = list(body.ops)
        self.users: list[list[int]] = [[] for _ in body.ops]
        for number, op in enumerate(body.ops):
            for a in op.args:
                self.users[a].append(number)
        for a in body.outputs:
            self.users[a].append(OUTSIDE)

    def oppose(self, number: int, place: int, name: str) -> None:
        """Give an operation a name, and the opposite of a constant argument, which is recorded behind all others."""
        args = self.ops[number].args
        self.ops.append(Op("const", (), -self.ops[args[place]].extra))
        self.ops[number] = Op(name, (*args[:place], len(self.ops) - 1, *args[place + 1 :]))

    def first_taken_off(self, number: int) -> bool:
        """Whether the first use of a product takes it off, and all its uses can have it with the other sign."""
        uses = [self._use(user, number) for user in self.users[number]]
        return bool(uses) and uses[0] in TAKEN_OFF and all(use in TURNED for use in uses)

    def _use(self, user: int, number: int) -> tuple[str, int]:
        op = self.ops[user]
        dropped = op.name == "neg" and OUTSIDE in self.users[user]
        if user == OUTSIDE or dropped or op.args.count(number) > 1:
            return "other", 0
        return op.name, op.args.index(number)

    def turn_uses(self, number: int) -> None:
        """Let all uses of a product that has changed sign come to what they were, negations last."""
        uses = {user: TURNED[self._use(user, number)] for user in self.users[number]}
        for user, name in uses.items():
            if name:
                others = tuple(a for a in self.ops[user].args if a != number)
                self.ops[user] = Op(name, (*others, number))
        for user, name in uses.items():
            if not name:
                self._skip(user, number)

    def _skip(self, negation: int, number: int) -> None:
        """Let the users of a negation use what it negated."""
        for user in self.users[negation]:
            args = tuple(number if a == negation else a for a in self.ops[user].args)
            self.ops[user] = Op(self.ops[user].name, args, self.ops[user].extra)
            self.users[number].append(user)
        self.ops[negation] = Op("const", (), 0.0)
