"""A terminal for tests: a program in a pty, what it printed, and a hand on the keyboard."""
import fcntl
import io
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
from contextlib import chdir, redirect_stderr, redirect_stdout
from dataclasses import dataclass
from pathlib import Path
from time import monotonic
from unittest.mock import patch

import launch
from railwright.cli.main import run

LAUNCH = [sys.executable, str(Path(__file__).parent / "launch.py")]
ESCAPES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]|\x1b\][^\x07]*\x07|[\r\x07]")
PATIENCE = 30                   # seconds
CTRL_C, CTRL_D = "\x03", "\x04"


def take_terminal() -> None:
    """In the new process: the terminal is its own, and Ctrl-C is heard even where the tests run in the background."""
    fcntl.ioctl(0, termios.TIOCSCTTY, 0)
    signal.signal(signal.SIGINT, signal.SIG_DFL)


@dataclass
class Done:
    returncode: int
    stdout: str
    stderr: str


def railwright(*arguments: str, folder: Path, given: str = "", **settings: str) -> Done:
    """The program without a terminal, in this process: `given` is on stdin."""
    out, err = io.StringIO(), io.StringIO()
    stdin = io.TextIOWrapper(io.BytesIO(given.encode()))
    with (launch.only_test_agents(), chdir(folder), redirect_stdout(out), redirect_stderr(err), patch.dict(os.environ, settings),
          patch.object(sys, "argv", ["railwright", *arguments]), patch.object(sys, "stdin", stdin)):
        try:
            run()
            code: object = 0
        except SystemExit as ended:
            code = ended.code
    return Done(code if isinstance(code, int) else 0 if code is None else 1, out.getvalue(), err.getvalue())


def railwright_process(*arguments: str, folder: Path, **settings: str) -> Done:
    """The same as a process of its own."""
    done = subprocess.run([*LAUNCH, *arguments], input="", capture_output=True, text=True, cwd=folder, timeout=60,
                          env={**os.environ, **settings})
    return Done(done.returncode, done.stdout, done.stderr)


class Terminal:
    """`size` is columns and lines."""

    def __init__(self, *arguments: str, folder: Path, size: tuple[int, int] = (120, 50), **settings: str):
        self.raw, self.read, self.last = "", 0, ""
        self.master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", size[1], size[0], 0, 0))
        environment = {**os.environ, "TERM": "xterm-256color", **settings}
        for name in ("COLUMNS", "LINES", "NO_COLOR", "FORCE_COLOR"):
            if name not in settings:
                environment.pop(name, None)
        self.process = subprocess.Popen([*LAUNCH, *arguments], stdin=slave, stdout=slave, stderr=slave, cwd=folder, env=environment,
                                        start_new_session=True, preexec_fn=take_terminal)
        os.close(slave)

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        os.close(self.master)

    @property
    def text(self) -> str:
        """All that was printed, without colours."""
        return ESCAPES.sub("", self.raw)

    def pump(self, seconds: float) -> bool:
        """Takes what has come; False when the program has closed the terminal."""
        if not select.select([self.master], [], [], seconds)[0]:
            return True
        try:
            data = os.read(self.master, 65536)
        except OSError:
            return False
        self.raw += data.decode("utf-8", errors="replace")
        return bool(data)

    def expect(self, *wanted: str) -> str:
        """Waits for one of the texts behind what was expected before; what was printed until there."""
        end = monotonic() + PATIENCE
        is_open = True
        while not (found := [at + len(text) for text in wanted if (at := self.text.find(text, self.read)) >= 0]):
            assert is_open and monotonic() < end, f"expected {wanted} in:\n{self.text[self.read:][-3000:]}"
            is_open = self.pump(0.2)
        self.last = self.text[self.read:min(found)]
        self.read = min(found)
        return self.last

    def has_come(self, prompt: str, last: str) -> bool:
        """Waits for the prompt, or for the last words of all; True when it is these."""
        return self.expect(prompt, last).endswith(last)

    def type(self, line: str) -> None:
        os.write(self.master, (line + "\n").encode())

    def press(self, key: str) -> None:
        os.write(self.master, key.encode())

    def kill(self) -> None:
        self.process.send_signal(signal.SIGKILL)
        self.process.wait()

    def ends(self) -> int:
        """The exit code, when the program has ended by itself."""
        end = monotonic() + PATIENCE
        while self.pump(0.2) and monotonic() < end:
            pass
        return self.process.wait(PATIENCE)
