"""The server of a test session: the one that the environment names, or else one that the plugin starts."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import threading
from dataclasses import dataclass, replace
from pathlib import Path
from typing import IO, List, Mapping, Optional, Sequence

import pytest

from .call import Reach
from .naming import prefix_of

#: It is ready in a fifth of a second; a busy machine may need longer.
START_SECONDS = 60
STOP_SECONDS = 10
#: How much of an unexpected first line is shown.
SHOWN_BYTES = 100
HOLD = Path(__file__).with_name("hold.py")


@dataclass(frozen=True)
class Server:
    """A running server."""

    #: The address, without a slash at the end.
    url: str
    #: The prefix of its worlds' keys.
    key_prefix: str
    admin_token: Optional[str] = None
    ca_file: Optional[str] = None
    #: The program, if the plugin started it.
    program: Optional["Program"] = None

    def reach(self, key: str) -> Reach:
        reach = Reach(self.url, key, self.admin_token, self.ca_file)
        return reach if self.program is None else replace(reach, why_gone=self.program.why_gone)


def server_of(environ: Mapping[str, str]) -> Optional[Server]:
    """The server that the environment names, as `playmoney exec` sets it."""
    url = environ.get("PLAYMONEY_URL", "").rstrip("/")
    if not url:
        return None
    token = environ.get("PLAYMONEY_ADMIN_TOKEN")
    return Server(url, prefix_of(environ), token, environ.get("NODE_EXTRA_CA_CERTS"))


def program_of(named: Optional[str], folder: Path) -> List[str]:
    """The command that runs playmoney: the one that is named, or the one that is installed."""
    if named:
        return shlex.split(named, posix=os.name != "nt")
    # Not by npx, which asks a registry for a package of that name.
    installed = (str(place / "node_modules" / ".bin") for place in (folder, *folder.parents))
    for path in (*installed, None):
        found = shutil.which("playmoney", path=path)
        if found:
            return [found]
    pytest.exit(
        "Failed to start playmoney: it is neither in node_modules nor on the PATH. Install it, name the program with "
        "PLAYMONEY_PROGRAM, or a running server with PLAYMONEY_URL.",
        returncode=pytest.ExitCode.USAGE_ERROR,
    )


class Program:
    """A server that ends with the tests, even if they are killed."""

    def __init__(self, program: Sequence[str], args: Sequence[str]) -> None:
        self._command = [*program, "exec", *args, "--", sys.executable, str(HOLD)]
        self._log: IO[bytes] = tempfile.TemporaryFile()
        try:
            self._process = subprocess.Popen(
                self._command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self._log,
                # A free port for each worker, whatever port a server for people has.
                env={name: text for name, text in os.environ.items() if name != "PLAYMONEY_PORT"},
                # A Ctrl-C ends the tests, which may still need the server for their reports.
                start_new_session=True,
            )
        except OSError as error:
            raise pytest.UsageError(f"Failed to start playmoney: {error}. {self._hint()}") from error

    def ready(self) -> Server:
        """Waits until the server is ready."""
        assert self._process.stdout is not None
        limit = threading.Timer(START_SECONDS, self._process.kill)
        limit.start()
        line = self._process.stdout.readline()
        limit.cancel()
        try:
            found = server_of(json.loads(line))
        except (ValueError, AttributeError):
            found = None
        if found is None:
            shown = line[:SHOWN_BYTES].decode(errors="replace").strip()
            printed = f'it printed "{shown}" instead of an address.' if line else ""
            output = self.stop()
            raise pytest.UsageError(
                f"Failed to start playmoney: {printed or output or 'It printed nothing.'}\n{self._hint()}"
            )
        return replace(found, program=self)

    def why_gone(self) -> str:
        """Why the server does not answer, as far as its process shows it."""
        code = self._process.poll()
        if code is None:
            return "The program that the plugin started is still running. It may be stopped or overloaded."
        reason = f"signal {-code}" if code < 0 else f"exit code {code}"
        return f"The program that the plugin started has ended with {reason}. {self._output()}".rstrip()

    def stop(self) -> str:
        """Ends the server, and returns what it printed."""
        process = self._process
        for stream in (process.stdin, process.stdout):
            assert stream is not None
            stream.close()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            _kill_group(process)
        output = self._output()
        self._log.close()
        return output

    def _output(self) -> str:
        """What it printed, once it has ended."""
        self._log.seek(0)
        return self._log.read().decode(errors="replace").strip()

    def _hint(self) -> str:
        return f"The command was: {shlex.join(self._command[:-3])}. To use a different program, set PLAYMONEY_PROGRAM."


def _kill_group(process: subprocess.Popen[bytes]) -> None:
    if os.name == "nt":
        process.kill()
    else:
        os.killpg(process.pid, signal.SIGKILL)
    process.wait()
