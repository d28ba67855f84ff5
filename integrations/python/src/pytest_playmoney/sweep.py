"""The fixture `sweep`: a flow of your program under every failure of the gateway. `playmoney sweep -` decides what to run."""

from __future__ import annotations

import contextlib
import json
import os
import queue
import subprocess
import tempfile
import threading
from dataclasses import dataclass, fields
from typing import IO, Any, Callable, Dict, List, Mapping, Optional, Sequence, Union

from .call import Duration, Reach, Record, plain, to_json, wire
from .receiver import Message, Receiver, message_of
from .world import World

#: Receives a webhook, and returns the status of the answer; None is 204.
Receive = Callable[[Message], Optional[int]]


class SweepError(Exception):
    """A sweep that proves nothing, such as one whose flow fails without any fault."""


@dataclass(frozen=True)
class SweepContext:
    """What a flow receives: a world of its own, which is empty, and whose clock stands still."""

    #: The address for your program to call.
    url: str
    #: The secret key of the world.
    key: str
    #: The secret that signs the webhooks.
    webhook_secret: str
    world: World
    #: Sets what receives the webhooks, and returns the address for a `Webhook.Url`.
    receive: Callable[[Receive], str]
    #: The path of an empty folder of this run, which outlives a crash.
    disk: str
    #: Whether the program crashed in this run, and finds on `disk` what it saved before.
    restarted: bool


@dataclass(frozen=True)
class SweepReport:
    """The result of a sweep. `str(report)` is what a terminal shows."""

    #: Whether every planned run was judged, and none has a finding that `accept` does not name.
    safe: bool
    #: How many calls and webhooks the run without faults has.
    points: int
    runs: int
    #: How often each verdict was given.
    counts: Dict[str, int]
    #: Each has `name`, `verdict`, `point`, `faults`, `story`, `timeline`, `scenario` and more.
    findings: List[Record]
    #: The runs in which the program itself said that a person has to look.
    handed_over: List[str]
    #: The runs that prove nothing, with the reason.
    unproven: List[str]
    #: The runs that were left out, because the time was over.
    left_out: List[str]
    text: str

    def __str__(self) -> str:
        return self.text

    def assert_safe(self) -> None:
        """Raises an AssertionError with the whole report if the program is not safe."""
        __tracebackhide__ = True
        if not self.safe:
            raise AssertionError(self.text)


#: A program that buys something, called once for each run. It returns None, or a dictionary or an object with `orders` (returns what
#: the program believes at the end) or `recover` (the job that checks open orders an hour later), or both.
Flow = Callable[[SweepContext], Any]


class Sweep:
    """The fixture `sweep`."""

    def __init__(self, program: Sequence[str]) -> None:
        self._command = [*program, "sweep", "-"]

    def __call__(
        self,
        flow: Flow,
        *,
        faults: Optional[Sequence[Union[str, Mapping[str, Any]]]] = None,
        crash: bool = False,
        pairs: bool = True,
        time: Optional[Duration] = None,
        timeout: Optional[Duration] = None,
        concurrency: int = 1,
        settle: Optional[Duration] = None,
        accept: Sequence[Union[str, Mapping[str, str]]] = (),
        expect: Optional[Sequence[Mapping[str, Any]]] = None,
        report: Optional[str] = None,
        evidence: Optional[str] = None,
        **settings: Any,
    ) -> SweepReport:
        """Runs a flow once without faults, then once for each fault at each call and webhook.

        The options are those of `sweep` in JavaScript; all others are settings of the worlds, such as `dialect="sdk"`.
        """
        times = {"time": plain(time), "timeout": plain(timeout), "settle": plain(settle)}
        optional = {"faults": faults, "expect": plain(expect), "report": report, "evidence": evidence, **times}
        options = {
            **{name: value for name, value in optional.items() if value is not None},
            "crash": crash,
            "pairs": pairs,
            "concurrency": concurrency,
            "accept": accept,
            "settings": {name[0].lower() + name[1:]: value for name, value in wire(settings).items()},
        }
        webhooks, pipe = _Webhooks(), subprocess.PIPE
        with tempfile.TemporaryFile() as log, webhooks:
            with subprocess.Popen(self._command, stdin=pipe, stdout=pipe, stderr=log) as process:
                assert process.stdin is not None and process.stdout is not None
                runs = _Runs(flow, process.stdin, webhooks)
                runs.send(options)
                for line in process.stdout:
                    message = json.loads(line)
                    if "report" in message:
                        return _report_of(message["report"])
                    if "error" in message:
                        raise SweepError(message["error"]) from runs.cause_of(message["error"])
                    runs.hand_over(message)
            log.seek(0)
            output = log.read().decode(errors="replace").strip()
            raise SweepError(f"playmoney ended before the sweep did: {output or 'it printed nothing.'}")


def _report_of(answer: Record) -> SweepReport:
    names = {"handed_over": "handedOver", "left_out": "leftOut"}
    return SweepReport(**{one.name: answer[names.get(one.name, one.name)] for one in fields(SweepReport)})


class _Webhooks(Receiver):
    """Passes each webhook to the program of its run, also if it is not signed."""

    def __init__(self) -> None:
        super().__init__("")
        self._receivers: Dict[str, Receive] = {}

    def address_of(self, key: str, receive: Receive) -> str:
        self._receivers[key] = receive
        return f"{self.url}/{key}"

    def forget(self, key: str) -> None:
        self._receivers.pop(key, None)

    def _receive(self, path: str, headers: Mapping[str, str], content: bytes) -> int:
        receive = self._receivers.get(path.split("/")[1])
        if receive is None:
            return 503
        try:
            return receive(message_of(path, headers, content)) or 204
        except Exception:
            return 500


class _Runs:
    """Plays the runs that are asked for, each in a thread of its own, so that one that is stuck can be left behind."""

    def __init__(self, flow: Flow, replies: IO[bytes], webhooks: _Webhooks) -> None:
        self._flow = flow
        self._replies = replies
        self._webhooks = webhooks
        self._writing = threading.Lock()
        self._asked: Dict[int, queue.SimpleQueue[Optional[str]]] = {}
        #: The latest run in the world of each key.
        self._latest: Dict[str, int] = {}
        self._raised: Optional[BaseException] = None

    def send(self, message: Mapping[str, Any]) -> None:
        line = to_json(message) + b"\n"
        # A run that was left behind may end after the sweep.
        with self._writing, contextlib.suppress(OSError, ValueError):
            # Without a buffer, which could not be closed after the other end.
            os.write(self._replies.fileno(), line)

    def hand_over(self, request: Record) -> None:
        run = request["run"]
        if request["ask"] != "flow":
            self._asked[run].put(request["ask"])
            return
        key = request["key"]
        if key in self._latest:
            # A world has one run at a time, so that one has ended.
            self._asked.pop(self._latest[key]).put(None)
        self._latest[key] = run
        asked = self._asked[run] = queue.SimpleQueue()
        threading.Thread(target=self._play, args=(run, asked, self._context_of(request)), daemon=True).start()

    def cause_of(self, error: str) -> Optional[BaseException]:
        """The exception of the program that an error is about."""
        raised = self._raised
        return raised if raised is not None and _text_of(raised) in error else None

    def _context_of(self, request: Record) -> SweepContext:
        url, key = request["url"], request["key"]
        # That of an earlier run, or of a program that crashed.
        self._webhooks.forget(key)
        admin_token, ca_file = os.environ.get("PLAYMONEY_ADMIN_TOKEN"), os.environ.get("NODE_EXTRA_CA_CERTS")
        return SweepContext(
            url=url,
            key=key,
            webhook_secret=request["webhookSecret"],
            world=World(Reach(url, key, admin_token, ca_file)),
            receive=lambda receive: self._webhooks.address_of(key, receive),
            disk=request["disk"],
            restarted=request["restarted"],
        )

    def _play(self, run: int, asked: "queue.SimpleQueue[Optional[str]]", context: SweepContext) -> None:
        parts: Dict[str, Callable[[], Any]] = {}

        def flow() -> Record:
            shop = self._flow(context)
            for name in ("recover", "orders"):
                part = shop.get(name) if isinstance(shop, Mapping) else getattr(shop, name, None)
                if part is not None:
                    parts[name] = part
            return {"parts": list(parts)}

        self._reply(run, flow)
        # In the same thread, to which a program may have tied its connections; `recover` may be asked for twice.
        for name in iter(asked.get, None):

            def part(name: str = name) -> Record:
                answer = parts[name]()
                return {"orders": answer} if name == "orders" else {}

            self._reply(run, part)

    def _reply(self, run: int, work: Callable[[], Record]) -> None:
        try:
            self.send({"run": run, **work()})
        # Those of pytest, such as pytest.fail, are no Exception.
        except BaseException as error:
            self._raised = error
            self.send({"run": run, "failure": _text_of(error)})


def _text_of(error: BaseException) -> str:
    return f"{type(error).__name__}: {error}"
