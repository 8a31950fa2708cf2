"""Writing of loops in LLVM's assembly language, whose arguments are addresses of arrays, and integers."""

from gambol.lanes import Precision

TYPES: dict[Precision, tuple[str, str]] = {"float64": ("double", "f64"), "float32": ("float", "f32")}

ZERO = "0x0000000000000000"


class LlvmWriter:
    """The instructions of a function, while they are written. Methods with a result return its name.

    real: the type of numbers; four: that of a vector of four; suffix: of the names of functions of numbers.
    """

    def __init__(self, precision: Precision) -> None:
        self.real, self.suffix = TYPES[precision]
        self.four = f"<4 x {self.real}>"
        self._lines, self._count = list[str](), 0

    @property
    def text(self) -> str:
        """All instructions."""
        return "\n".join(self._lines)

    def line(self, text: str) -> None:
        """Write a line."""
        self._lines.append(text)

    def new(self, operation: str, name: str = "") -> str:
        """Write an operation; name: of its result."""
        self._count += 1
        result = name or f"%t{self._count}"
        self._lines.append(f"  {result} = {operation}")
        return result

    def plus(self, a: str, b: str | int) -> str:
        """a + b of integers."""
        return self.new(f"add i64 {a}, {b}")

    def times(self, a: str, b: str | int) -> str:
        """a b of integers."""
        return self.new(f"mul i64 {a}, {b}")

    def at(self, base: str, index: str | int, kind: str) -> str:
        """Return the address of an element."""
        return self.new(f"getelementptr {kind}, ptr {base}, i64 {index}")

    def load(self, base: str, index: str | int, kind: str) -> str:
        """An element."""
        return self.new(f"load {kind}, ptr {self.at(base, index, kind)}{self._alignment(kind)}")

    def store(self, value: str, base: str, index: str | int, kind: str) -> None:
        """Write an element."""
        self.line(f"  store {kind} {value}, ptr {self.at(base, index, kind)}{self._alignment(kind)}")

    def _alignment(self, kind: str) -> str:
        return f", align {8 if self.real == 'double' else 4}" if kind == self.four else ""

    def arrays(self, *names: str) -> None:
        """Load the addresses of arrays."""
        for k, name in enumerate(names):
            self.line(f"  %{name}.at = getelementptr ptr, ptr %arrays, i64 {k}\n  %{name} = load ptr, ptr %{name}.at")

    def numbers(self, *names: str) -> None:
        """Load integers."""
        for k, name in enumerate(names):
            self.line(f"  %{name}.at = getelementptr i64, ptr %numbers, i64 {k}\n  %{name} = load i64, ptr %{name}.at")

    def splat(self, x: str) -> str:
        """Four times a number."""
        one = self.new(f"insertelement {self.four} poison, {self.real} {x}, i32 0")
        return self.new(f"shufflevector {self.four} {one}, {self.four} poison, <4 x i32> zeroinitializer")

    def put(self, vector: str, x: str, place: int) -> str:
        """Return a vector with another component."""
        return self.new(f"insertelement {self.four} {vector}, {self.real} {x}, i32 {place}")

    def get(self, vector: str, place: int) -> str:
        """Return a component."""
        return self.new(f"extractelement {self.four} {vector}, i32 {place}")

    def fma(self, a: str, b: str, c: str, name: str = "") -> str:
        """a b + c of vectors; name: of the result."""
        k = self.four
        return self.new(f"call {k} @llvm.fma.v4{self.suffix}({k} {a}, {k} {b}, {k} {c})", name)

    def fma_one(self, a: str, b: str, c: str) -> str:
        """a b + c of numbers."""
        k = self.real
        return self.new(f"call {k} @llvm.fma.{self.suffix}({k} {a}, {k} {b}, {k} {c})")

    def minus(self, a: str) -> str:
        """Return the negative vector."""
        return self.new(f"fneg {self.four} {a}")

    def block_start(self, column: str, rows: int) -> str:
        """Return the index of the first row of a column in blocks of lanes."""
        block, lane = self.new(f"sdiv i64 {column}, %lanes"), self.new(f"srem i64 {column}, %lanes")
        return self.plus(self.times(self.times(block, rows), "%lanes"), lane)

    def row_at(self, start: str, row: int) -> str:
        """Return the index of a row in blocks of lanes, from that of the first row."""
        return self.plus(start, self.times("%lanes", row)) if row else start

    def declarations(self) -> str:
        """Return the declarations of the functions that the text calls."""
        k, one = self.four, self.real
        return (
            f"declare {k} @llvm.fma.v4{self.suffix}({k}, {k}, {k})\n"
            f"declare {one} @llvm.fma.{self.suffix}({one}, {one}, {one})\n"
            f"declare {one} @llvm.maximum.{self.suffix}({one}, {one})\n"
        )
