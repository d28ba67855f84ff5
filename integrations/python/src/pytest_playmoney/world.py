"""One world of a sandbox: the one of its key.

Keyword arguments have the names of the control API, such as `reference` for `Reference` and `provider_id` for `ProviderId`.
Records and answers are as on the wire.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from email.message import Message
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Sequence, Union
from urllib.parse import quote

from .call import ControlCalls, Duration, Instant, Reach, Record, to_json, wire

#: The built-in provider that approves.
STEADY = "00000000000000000000000000000001"

#: The result of one call: the name of an outcome, or `{"outcome", "fault", "status", "delay", "phase"}`.
Outcome = Union[str, Mapping[str, Any]]


@dataclass(frozen=True)
class Response:
    """An answer of the service."""

    status: int
    #: `headers["x-request-id"]`, in upper or lower case.
    headers: Message
    content: bytes

    def json(self) -> Any:
        return json.loads(self.content)


class World(ControlCalls):
    """One world. Every method calls the control API, and raises a SandboxError if the call is refused."""

    #: The address for your program to call.
    url: str
    #: The secret key of the world, for the header x-secretkey.
    key: str

    def __init__(self, reach: Reach) -> None:
        super().__init__(reach)
        self.url = reach.url
        self.key = reach.key
        self.clock = Clock(reach)
        self.outcomes = Outcomes(reach)
        self.holds = Holds(reach)
        self.journal = Journal(reach)
        self.deliveries = Deliveries(reach)
        self.scenario = Scenario(reach)

    def __repr__(self) -> str:
        # Without the last part of the key: even a test's key is secret.
        return f"<World {self.url} {self.key.rpartition('_')[0]}_…>"

    @property
    def environ(self) -> Dict[str, str]:
        """The environment variables with which a program finds this world."""
        return {"PLAYMONEY_URL": self.url, "PLAYMONEY_KEY": self.key}

    def request(
        self, method: str, path: str, json: Any = None, headers: Mapping[str, str] = {}
    ) -> Response:
        """Calls the service with the key of this world: `request("POST", "/charge/token", {"Amount": 20, …})`.

        Returns refusals like other answers. Raises OSError if a fault drops the answer.
        """
        if json is None:
            return Response(*self._reach.send(method, path, None, headers))
        sent = {"content-type": "application/json", **headers}
        return Response(*self._reach.send(method, path, to_json(json), sent))

    def state(self) -> Record:
        """The seed, clock, scenario and number of records."""
        return self._call("GET", "/world")

    def charges(self, **filters: Any) -> List[Record]:
        """The charges that match, oldest first: `charges(reference="order-1", status="SUCCESS")`.

        Does not add to the journal.
        """
        return self._list_all("/charges", "Charges", filters)

    def reconcile(self, orders: Sequence[Mapping[str, Any]]) -> Record:
        """Compares the orders of a shop with the charges: `reconcile([{"Reference": "order-1", "Amount": 20, "Paid": True}])`.

        Each order says whether the shop believes that it is `Paid`: None if it does not know. Does not add to the journal.
        """
        return self._call("POST", "/reconcile", {"Orders": list(orders)})

    def settle(self, timeout: Optional[Duration] = None) -> Record:
        """Runs the jobs that are due now, and waits until no webhook is being delivered."""
        return self._call("POST", "/settle", wire({"timeout": timeout}))

    def reset(
        self,
        *,
        seed: Optional[str] = None,
        scenario: Optional[str] = None,
        name: Optional[str] = None,
        clock: Optional[Mapping[str, Any]] = None,
        settings: Optional[Mapping[str, Any]] = None,
    ) -> Record:
        """Deletes all records, then loads the seed data of the scenario again.

        Identifiers derive from the seed and the name. `clock` is like `{"Mode": "manual"}`, and `settings` like
        `{"WebhookSecret": "…"}`. What is left out stays.
        """
        fields = {"seed": seed, "scenario": scenario, "name": name, "clock": clock, "settings": settings}
        return self._call("POST", "/reset", wire(fields))

    def delete(self) -> Record:
        """Deletes the world, and what is saved of it. The next call with its key opens a new one."""
        return self._call("DELETE", f"/worlds/{self.state()['World']}")

    def simulate(self, action: str, ref: str) -> Record:
        """Performs an action at once that would otherwise take time, such as `authorisation.expire`."""
        return self._call("POST", "/simulate", wire({"action": action, "ref": ref}))

    def create_token(self, payment_information: Mapping[str, Any], provider_id: str = STEADY) -> Record:
        """Creates a single-use token for a card, as a page would."""
        fields = {"provider_id": provider_id, "payment_information": payment_information}
        return self._call("POST", "/tokens", wire(fields))

    def triggers(self) -> Record:
        """Everything that decides an outcome: cards, accounts, tokens, providers."""
        return self._call("GET", "/triggers")

    def snapshot(self, name: Optional[str] = None) -> Record:
        """Saves the whole world: records, clock, queues, scenario. A world has at most ten snapshots."""
        own = name if name is not None else _free_name(self.snapshots())
        return self._call("PUT", _snapshot_path(own))

    def snapshots(self) -> List[Record]:
        return self._call("GET", "/snapshots")["Snapshots"]

    def restore(self, snapshot: Union[str, Record]) -> Record:
        """Restores a snapshot, which can be restored again."""
        return self._call("POST", f"{_snapshot_path(snapshot)}/restore")

    def diff(self, snapshot: Union[str, Record]) -> Record:
        """How the world differs from a snapshot."""
        return self._call("GET", f"{_snapshot_path(snapshot)}/diff")

    def forget(self, snapshot: Union[str, Record]) -> Record:
        """Deletes a snapshot."""
        return self._call("DELETE", _snapshot_path(snapshot))

    def export_state(self) -> Record:
        """The whole world as a JSON document, with unmasked card numbers."""
        return self._call("GET", "/state")

    def export_bundle(self) -> Record:
        """The whole world and its calls, for a bug report. `playmoney open` and `playmoney replay` read it from a file."""
        return self._call("GET", "/bundle")

    def import_state(self, document: Mapping[str, Any]) -> Record:
        """Replaces this world with the world of a document."""
        return self._call("PUT", "/state", document)


def _snapshot_path(snapshot: Union[str, Record]) -> str:
    name = snapshot if isinstance(snapshot, str) else snapshot["Name"]
    return f"/snapshots/{quote(name, safe='')}"


def _free_name(taken: Sequence[Record]) -> str:
    names = {one["Name"] for one in taken}
    # A range that is one longer has a name that is free.
    return next(f"snapshot-{n}" for n in range(1, len(names) + 2) if f"snapshot-{n}" not in names)


class Clock(ControlCalls):
    """The clock of a world. Everything that takes time follows it."""

    def now(self) -> str:
        """The current time."""
        return self.get()["Now"]

    def get(self) -> Record:
        """The mode and the time of the clock, and when the next job is due."""
        return self._call("GET", "/clock")

    def advance(self, by: Optional[Duration] = None, *, to: Optional[Instant] = None) -> Record:
        """Moves the clock forward and runs every job that becomes due, each at its own instant.

        Returns after the first attempt to deliver the webhooks that these jobs cause.
        """
        return self._call("POST", "/clock/advance", wire({"by": by, "to": to}))

    def set(self, mode: str, *, now: Optional[Instant] = None, rate: Optional[float] = None) -> Record:
        """Changes the mode of the clock: real, manual or scaled."""
        return self._call("PUT", "/clock", wire({"mode": mode, "now": now, "rate": rate}))


class Outcomes(ControlCalls):
    """Outcomes for the next calls of a world, used in order."""

    def queue(self, operation: str, outcomes: Sequence[Outcome], **match: Any) -> Record:
        """Queues outcomes for the next calls of an operation.

        `queue("charge.create", ["issuer_unavailable", {"fault": "reset", "phase": "after"}, "approve"], reference="order-*")`
        """
        steps = [step if isinstance(step, str) else wire(step) for step in outcomes]
        fields = {"operation": operation, "outcomes": steps, "match": wire(match) or None}
        return self._call("POST", "/outcomes", wire(fields))

    def list(self) -> List[Record]:
        """The queues that still have outcomes."""
        return self._call("GET", "/outcomes")["Queues"]

    def clear(self) -> List[Record]:
        """Clears all queues, and returns what was in them."""
        return self._call("DELETE", "/outcomes")["Queues"]


class Holds(ControlCalls):
    """The calls of a world that wait until somebody decides them."""

    def add(
        self, operation: str, *, count: Optional[int] = None, timeout: Optional[Duration] = None, **match: Any
    ) -> Record:
        """Holds the next call of an operation, or the next `count` calls: `add("charge.create", reference="order-12")`."""
        fields = {"operation": operation, "count": count, "timeout": timeout, "match": wire(match) or None}
        return self._call("PUT", "/hold", wire(fields))

    def list(self) -> Record:
        """The holds, and the calls that wait."""
        return self._call("GET", "/hold")

    def release(self, hold_id: int, **decision: Any) -> Record:
        """Decides a call that waits, by default as usual: `release(1, fault="reset", phase="after")`."""
        return self._call("POST", f"/hold/{hold_id}", wire(decision))

    def clear(self) -> Record:
        """Ends all holds; the calls that wait are decided as usual. Returns what there was."""
        return self._call("DELETE", "/hold")


class Journal(ControlCalls):
    """The calls to a world, with their answers."""

    def entries(self, **filters: Any) -> List[Record]:
        """The calls that match, oldest first: `entries(operation="charge.create", status=400)`.

        The journal holds the last 10,000, also those that a restored snapshot has undone: `undone=False` leaves them out.
        """
        found = self._list_all("/journal", "Entries", filters)
        # A call that arrives between two pages shifts the second page, which then repeats an entry.
        return list({entry["EntryId"]: entry for entry in found}.values())

    def count(self, **match: Any) -> int:
        """How many calls match, without those that a restored snapshot has undone; with `undone=True`, how many of those.

        Raises if the journal has dropped older entries that might match.
        """
        answer = self._call("POST", "/journal/count", {"Match": wire(match)})
        if answer["Incomplete"]:
            raise LookupError(
                f"The journal has dropped older entries. {answer['Count']} of the remaining ones match. "
                "Count only recent calls with since, or clear the journal earlier."
            )
        return int(answer["Count"])

    def wait_for(self, *, count: Optional[int] = None, timeout: Optional[Duration] = None, **match: Any) -> List[Record]:
        """Waits until enough calls match, including earlier ones that were not undone.

        Raises a SandboxError with code 94 after the time-out, by default 5 s. Its message lists the closest calls.
        """
        fields = {"match": wire(match), "count": count, "timeout": timeout}
        return self._call("POST", "/journal/await", wire(fields))["Entries"]

    def clear(self) -> int:
        """Deletes all calls from the journal, and returns how many there were."""
        return int(self._call("DELETE", "/journal")["Cleared"])


class Deliveries(ControlCalls):
    """The webhooks of a world, with the results of their delivery."""

    def list(self, **filters: Any) -> List[Record]:
        """The deliveries, oldest first: `list(status="failed")`."""
        return self._list_all("/webhooks", "Deliveries", filters)

    def resend(self, delivery_id: str) -> Record:
        """Sends a delivery again, and returns the new one."""
        return self._call("POST", f"/webhooks/{quote(delivery_id, safe='')}/resend")

    def wait_for(
        self, event: str, *, count: Optional[int] = None, timeout: Optional[Duration] = None, **match: Any
    ) -> List[Record]:
        """Waits until enough webhooks of an event have arrived, including earlier ones.

        Raises a SandboxError with code 94 after the time-out, by default 5 s. Its message lists the closest webhooks.
        """
        fields = {"match": wire({"event": event, **match}), "count": count, "timeout": timeout}
        return self._call("POST", "/journal/await", wire(fields))["Deliveries"]


class Scenario(ControlCalls):
    """The scenario of a world."""

    def use(self, scenario: Union[str, Path, Mapping[str, Any]]) -> Record:
        """Starts a scenario: one of the library by its name, a file by its Path, or a definition."""
        if isinstance(scenario, Path):
            return self._call_raw("PUT", "/scenario", scenario.read_bytes(), "application/yaml")
        key = "Name" if isinstance(scenario, str) else "Definition"
        return self._call("PUT", "/scenario", {key: scenario})

    def current(self) -> Record:
        """The current scenario, and how often each rule matched."""
        return self._call("GET", "/scenario")

    def unmatched(self) -> List[str]:
        """The names of the rules that have not acted."""
        return self._call("GET", "/scenario/unmatched")["Rules"]

    def clear(self) -> Record:
        """Stops the scenario."""
        return self._call("DELETE", "/scenario")

    def list(self) -> List[Record]:
        """The scenarios of the library."""
        return self._call("GET", "/scenarios")
