"""Compilation: the same bits at every level and in every process; interruptible, bounded, logged when long."""

import logging
import os
import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from gambol.errors import GambolError
from gambol.lanes import Program, ProgramSpec, cache, fma, sin, sqrt, where
from gambol.lanes.cpu import CpuTarget, compiler

X = np.linspace(-3.0, 3.0, 37).reshape(1, -1)


@pytest.fixture(autouse=True)
def _nothing_is_kept(monkeypatch):
    monkeypatch.setattr(cache, "folder", lambda: None)


def mixed(x):
    """Products that fuse, a quotient, a root, a branch and a sine, twenty times over."""
    (y,) = x
    for _ in range(20):
        y = where(y > 0.5, sin(y) * 1.3 - y * 0.7, sqrt(y * y + 0.1) / (1.0 + y * y))
        y = fma(y, y, -0.25)
    return ([y],)


def program(reason=""):
    return Program(ProgramSpec("mixed", mixed, ([0.0],), reason=reason), lanes=4)


def test_both_levels_give_the_same_bits(monkeypatch):
    optimised = program()(X)[0]
    monkeypatch.setattr(compiler, "MAX_OPTIMISED_LINES", 10)
    levels = []
    generate = compiler.generate
    monkeypatch.setattr(compiler, "generate", lambda *given: levels.append(given[-1]) or generate(*given))
    plain = program()(X)[0]
    assert levels == [compiler.UNOPTIMISED]
    assert plain.tobytes() == optimised.tobytes()


def test_process_of_its_own_gives_the_same_bits(monkeypatch):
    here = program()(X)[0]
    monkeypatch.setattr(compiler, "MIN_SEPARATE_CHARACTERS", 1)
    monkeypatch.setattr(compiler, "generate", None)  # what this process would call
    assert program()(X)[0].tobytes() == here.tobytes()


def test_program_that_is_part_of_another_compiles_in_its_own_process(monkeypatch):
    here = program()(X)[0]
    monkeypatch.setattr(compiler, "MIN_SEPARATE_CHARACTERS", 1)
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    monkeypatch.setattr(compiler, "subprocess", None)
    assert program()(X)[0].tobytes() == here.tobytes()


def text_of(lines):
    """Return the assembly of one function with many values live at once, which takes LLVM long."""
    rng = np.random.default_rng(1)
    far = rng.integers(0, np.arange(1, lines + 1))
    sums = [f"  %v{k + 1} = fadd double %v{k}, %v{far[k]}" for k in range(lines)]
    body = "\n".join(sums)
    return (
        "define void @run(ptr %arrays, ptr %tables, i64 %first, i64 %last) {\nentry:\n"
        f"  %v0 = load double, ptr %arrays\n{body}\n  store double %v{lines}, ptr %arrays\n  ret void\n}}\n"
    )


def test_compiler_that_fails_is_reported_with_the_program_and_what_makes_it_large(monkeypatch):
    monkeypatch.setattr(compiler, "MIN_SEPARATE_CHARACTERS", 1)
    message = r"ended with code 1 while it compiled walk; what makes it large: 3 legs \(RuntimeError: LLVM IR"
    with pytest.raises(compiler.CompileError, match=message):
        compiler.object_code("nonsense", compiler.this_processor(), "walk", "3 legs")


@pytest.mark.skipif(os.name != "posix", reason="signals end processes on POSIX systems")
def test_compiler_that_is_killed_is_reported(monkeypatch, tmp_path):
    script = tmp_path / "python"
    script.write_text("#!/bin/sh\nkill -9 $$\n")
    script.chmod(0o700)
    monkeypatch.setattr(sys, "executable", str(script))
    monkeypatch.setattr(compiler, "MIN_SEPARATE_CHARACTERS", 1)
    with pytest.raises(compiler.CompileError, match="ended with code -9"):
        compiler.object_code(text_of(10), compiler.this_processor())


def test_program_that_is_too_large_is_refused_before_it_is_compiled(monkeypatch):
    monkeypatch.setattr(compiler, "MAX_LINES", 50)
    monkeypatch.setattr(compiler, "generate", None)
    with pytest.raises(GambolError, match=r'"mixed" has [\d,]+ instructions, more than the 50 .*: 3 legs'):
        program("3 legs")


def test_long_compilation_is_announced_with_its_reason(monkeypatch):
    monkeypatch.setattr(compiler, "WARNING_SECONDS", 1e-3)
    messages, log = [], logging.Logger("compiler", logging.INFO)
    log.handle = lambda record: messages.append((record.levelname, record.getMessage()))
    monkeypatch.setattr(compiler, "LOG", log)
    monkeypatch.setattr("gambol.lanes.program.LOG", log)
    program("3 legs")
    (_, begins), (level, warning) = messages
    assert begins == 'compiling "mixed"'
    assert level == "WARNING"
    assert warning.startswith('"mixed" has ')
    assert warning.endswith("to compile; what makes it large: 3 legs")


@pytest.mark.parametrize(("lines", "level"), [(90, compiler.OPTIMISED), (110, compiler.UNOPTIMISED)])
def test_level_follows_from_the_longest_function(monkeypatch, lines, level):
    monkeypatch.setattr(compiler, "MAX_OPTIMISED_LINES", 100)
    monkeypatch.setattr(compiler, "generate", lambda _text, _processor, level: bytes([level]))
    text = text_of(80) + text_of(lines)
    assert compiler.object_code(text, compiler.this_processor()) == bytes([level])


@pytest.mark.parametrize(
    ("variable", "options", "level"),
    [
        (None, {}, compiler.OPTIMISED),
        ("1", {}, compiler.OPTIMISED),
        ("0", {}, compiler.UNOPTIMISED),
        ("0", {"optimised": True}, compiler.OPTIMISED),
        (None, {"optimised": False}, compiler.UNOPTIMISED),
    ],
)
def test_level_follows_from_the_target_or_else_the_environment(monkeypatch, variable, options, level):
    monkeypatch.delenv("GAMBOL_OPTIMISE")
    if variable is not None:
        monkeypatch.setenv("GAMBOL_OPTIMISE", variable)
    monkeypatch.setattr(compiler, "generate", lambda _text, _processor, level: bytes([level]))
    assert CpuTarget(**options).object_code(text_of(80), "80 lines", "") == bytes([level])


SLOW = """
import signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)  # which is not there where the tests run in the background
sys.path[:0] = {path!r}
from lanes.cpu.test_compiler import text_of
from gambol.lanes.cpu import compiler
text = text_of(60_000)
compiler.MAX_OPTIMISED_LINES = 10**9
print("ready", flush=True)
compiler.object_code(text, compiler.this_processor())
print("compiled", flush=True)
"""


@pytest.mark.skipif(os.name != "posix", reason="a signal is sent to one process")
@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_long_compilation_ends_at_once_with_the_process_that_waits_for_it(how):
    """The compilation would take over a minute."""
    script = SLOW.format(path=sys.path)
    running = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    )
    assert running.stdout is not None
    assert running.stdout.readline() == "ready\n"
    time.sleep(1.5)
    compilers = children(running.pid)
    assert len(compilers) == 1
    start = time.perf_counter()
    running.send_signal(how)
    _, err = running.communicate(timeout=60)
    assert ("KeyboardInterrupt" in err) == (how == signal.SIGINT)
    while any(map(is_running, compilers)):
        assert time.perf_counter() - start < 10.0
        time.sleep(0.05)


def children(process):
    """The numbers of a process's children."""
    result = subprocess.run(["ps", "-o", "pid=", "--ppid", str(process)], capture_output=True, text=True, check=False)
    return [int(number) for number in result.stdout.split()]


def is_running(process):
    """Return True while a process runs; a zombie has ended."""
    result = subprocess.run(["ps", "-o", "stat=", "-p", str(process)], capture_output=True, text=True, check=False)
    return bool(result.stdout.strip()) and not result.stdout.startswith("Z")
