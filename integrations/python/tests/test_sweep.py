"""The fixture `sweep`: the same contract as in JavaScript."""

from __future__ import annotations

import itertools
import os
import sqlite3
import sys
import threading
import time
from decimal import Decimal
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Callable, Dict, List, Optional

import pytest

from pytest_playmoney import Message, Receiver, Sweep, SweepContext, SweepError
from pytest_playmoney.server import program_of
from pytest_playmoney.sweep import SweepReport

ORDER = {"Amount": 20, "Token": "tok_approve", "Reference": "order-1"}


def charge(ctx: SweepContext) -> bool:
    return ctx.world.request("POST", "/charge/token", ORDER).status == 201


def is_paid(ctx: SweepContext) -> bool:
    """Asks the service, which may have charged although no answer arrived."""
    answer = ctx.world.request("GET", "/charge?Reference=order-1")
    if answer.status != 200:
        raise RuntimeError(f"The search was answered with {answer.status}.")
    return any(one["Status"] == "SUCCESS" for one in answer.json()["Charges"])


def order(paid: Optional[bool]) -> List[Dict[str, Any]]:
    return [{"reference": "order-1", "amount": Decimal("20.00"), "currency": "AUD", "paid": paid}]


def blind_retry(ctx: SweepContext) -> Dict[str, Any]:
    """The bug: no answer is taken for no charge."""
    try:
        paid = charge(ctx)
    except OSError:
        paid = charge(ctx)
    return {"orders": lambda: order(paid)}


def search_before_retry(ctx: SweepContext) -> Dict[str, Any]:
    """Its mended twin."""
    paid = None
    for _ in range(3):
        try:
            paid = is_paid(ctx) or charge(ctx)
            break
        except (OSError, RuntimeError):
            continue
    return {"orders": lambda: order(paid)}


def verdicts_of(report: SweepReport) -> List[str]:
    return [finding["verdict"] for finding in report.findings]


def test_a_blind_retry_is_found(sweep: Sweep, tmp_path: Path) -> None:
    report = sweep(blind_retry, faults=["lost", "refused"], pairs=False, report=str(tmp_path / "sweep"))
    assert [(one["name"], one["faults"]) for one in report.findings] == [
        ("charged twice at charge.create order-1", ["lost"])
    ]
    assert (report.points, report.runs, report.counts["recovered"], report.safe) == (1, 2, 1, False)
    with pytest.raises(AssertionError, match="CHARGED TWICE at charge.create order-1: lost"):
        report.assert_safe()
    assert str(report.findings[0]["scenario"]) == (tmp_path / "sweep/1-charged-twice.yaml").read_text()
    sweep(blind_retry, faults=["lost"], accept=["charged twice at charge.create order-1"]).assert_safe()


@pytest.mark.parametrize(("saves_before", "verdicts"), [(False, ["charged twice"]), (True, [])])
def test_a_program_that_crashes_is_called_again(sweep: Sweep, saves_before: bool, verdicts: List[str]) -> None:
    lives: List[bool] = []

    def flow(ctx: SweepContext) -> Dict[str, Any]:
        lives.append(ctx.restarted)
        begun, done = Path(ctx.disk, "begun"), Path(ctx.disk, "done")
        assert ctx.restarted or not os.listdir(ctx.disk)
        charged = begun.exists() and is_paid(ctx)
        if saves_before:
            begun.touch()
        if charged or charge(ctx):
            done.touch()
        begun.touch()
        return {"orders": lambda: order(done.exists())}

    report = sweep(flow, crash=True, faults=[], pairs=False)
    assert verdicts_of(report) == verdicts
    assert lives == [False, False, False, True, False, True]


def test_a_search_before_the_retry_is_safe(sweep: Sweep) -> None:
    report = sweep(search_before_retry, faults=["lost", "refused"])
    report.assert_safe()
    # Calls that only a retry makes got a second fault.
    assert report.runs > report.points
    assert report.findings == []


def test_a_job_recovers_orders_in_the_thread_of_the_flow(sweep: Sweep) -> None:
    """Connections of sqlite3 belong to one thread."""

    class Shop:
        def __init__(self, ctx: SweepContext) -> None:
            self.ctx = ctx
            self.database = sqlite3.connect(":memory:")
            self.database.execute("CREATE TABLE orders (paid)")
            try:
                self.save(charge(ctx))
            except OSError:
                self.save(None)

        def save(self, paid: Optional[bool]) -> None:
            self.database.execute("DELETE FROM orders")
            self.database.execute("INSERT INTO orders VALUES (?)", [paid])

        def orders(self) -> List[Dict[str, Any]]:
            [[paid]] = self.database.execute("SELECT paid FROM orders").fetchall()
            return order(None if paid is None else bool(paid))

        def recover(self) -> "Shop":
            with self.database:
                self.save(is_paid(self.ctx))
            return self

    safe = sweep(Shop, faults=["lost"], pairs=False)
    assert (safe.safe, safe.handed_over) == (True, [])
    # Without its job, the shop does not know.
    forgetful = sweep(lambda ctx: SimpleNamespace(orders=Shop(ctx).orders), faults=["lost"])
    assert (forgetful.safe, forgetful.handed_over) == (True, ["charge.create order-1: lost"])


def test_an_exception_is_honest_only_if_nothing_was_paid(sweep: Sweep) -> None:
    def fragile(ctx: SweepContext) -> Dict[str, Any]:
        try:
            paid = charge(ctx)
        except OSError:
            pytest.fail("the gateway is gone")
        return {"orders": lambda: order(paid)}

    report = sweep(fragile, faults=["lost", "refused"])
    assert verdicts_of(report) == ["paid, not delivered"]
    assert "The program failed: Failed: the gateway is gone" in report.findings[0]["story"]
    assert report.counts["failed and said so"] == 1


@pytest.mark.parametrize("concurrency", [1, 2])
def test_a_stuck_flow_is_left_behind(sweep: Sweep, concurrency: int) -> None:
    released = threading.Event()

    def patient(ctx: SweepContext) -> None:
        try:
            charge(ctx)
        except OSError:
            released.wait(30)

    begun = time.monotonic()
    report = sweep(patient, faults=["lost", "refused"], timeout="500ms", concurrency=concurrency)
    assert verdicts_of(report) == ["stuck"]
    assert report.counts["stuck"] == 2
    assert time.monotonic() - begun < 20
    released.set()


def test_a_fault_that_never_acts_proves_nothing(sweep: Sweep) -> None:
    number = itertools.count()

    def changing(ctx: SweepContext) -> None:
        path = "/charge/token" if next(number) < 2 else "/customer/token"
        ctx.world.request("POST", path, ORDER)

    with pytest.raises(SweepError, match="no fault was ever injected"):
        sweep(changing, faults=["lost"])


def fails(ctx: SweepContext) -> None:
    raise KeyError("token")


def orders_fail(ctx: SweepContext) -> Dict[str, Any]:
    charge(ctx)
    return {"orders": lambda: fails(ctx)}


def unsent(ctx: SweepContext) -> Dict[str, Any]:
    charge(ctx)
    return {"orders": lambda: [object()]}


@pytest.mark.parametrize(
    ("flow", "options", "message", "cause"),
    [
        (fails, {}, "the clean run failed: KeyError: 'token'", KeyError),
        (orders_fail, {}, "KeyError: 'token'", KeyError),
        (unsent, {}, "cannot be sent as JSON", TypeError),
        (lambda ctx: None, {}, "the clean run made no call", None),
        (charge, {"faults": ["lots"]}, "Did you mean lost?", None),
        (charge, {"no_such": 1}, "NoSuch", None),
        (charge, {"timeout": "soon"}, 'timeout is "soon"', None),
    ],
)
def test_a_sweep_that_proves_nothing_raises_with_the_reason(
    sweep: Sweep, flow: Callable[[SweepContext], Any], options: Dict[str, Any], message: str, cause: Any
) -> None:
    with pytest.raises(SweepError) as raised:
        sweep(flow, **options)
    assert message in str(raised.value)
    assert type(raised.value.__cause__) is (cause or type(None))


def test_webhooks_reach_the_program_of_their_run(sweep: Sweep) -> None:
    """A forged webhook, and one that arrives before the answer to the charge."""

    def flow(ctx: SweepContext, checks: bool) -> Dict[str, Any]:
        state: Dict[str, Any] = {"paid": False}
        judge = Receiver(ctx.webhook_secret)
        judge._server.server_close()

        def on_webhook(message: Message) -> Optional[int]:
            if checks and not judge._is_signed(message.headers, message.content):
                return 401
            state["paid"] = state["paid"] or message.data["status"] == "SUCCESS"
            return None

        ctx.world.request("POST", "/charge/token", {**ORDER, "Webhook": {"Url": ctx.receive(on_webhook)}})
        return {"orders": lambda: order(state["paid"])}

    faults = ["forged", "first", "twice"]
    assert verdicts_of(sweep(lambda ctx: flow(ctx, False), faults=faults)) == ["delivered, not paid"]
    report = sweep(lambda ctx: flow(ctx, True), faults=faults)
    report.assert_safe()
    assert report.counts["recovered"] == 2


def test_settings_are_those_of_the_worlds(sweep: Sweep) -> None:
    seen: List[str] = []

    def flow(ctx: SweepContext) -> None:
        seen.append(ctx.world.state()["Dialect"])
        charge(ctx)

    report = sweep(flow, faults=["unavailable"], dialect="sdk", webhook_secret="whsec_own")
    assert set(seen) == {"sdk"}
    assert report.runs == 1


def test_a_program_that_cannot_sweep_is_named() -> None:
    with pytest.raises(SweepError, match="ended before the sweep did: unknown command$"):
        Sweep([sys.executable, "-c", "exit('unknown command')"])(charge)


def test_a_sweep_uses_a_running_server(
    sweep: Sweep, playmoney_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYMONEY_URL", playmoney_server.url)
    assert verdicts_of(sweep(blind_retry, faults=["lost"])) == ["charged twice"]


def test_a_whole_run_of_pytest_can_be_swept(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each test has its own world, and all of them get each fault at once."""
    pytester.makepyfile(
        """
        import os
        import pytest

        ORDER = {"Amount": 20, "Token": "tok_approve", "Reference": "order-1"}

        @pytest.mark.parametrize("name", ["first", "second"])
        def test_pays(playmoney, name):
            try:
                playmoney.request("POST", "/charge/token", ORDER)
            except OSError:
                if "SEARCHES" not in os.environ or not playmoney.charges(reference="order-1"):
                    playmoney.request("POST", "/charge/token", ORDER)
        """
    )
    program = program_of(os.environ.get("PLAYMONEY_PROGRAM"), Path())
    command = [*program, "sweep", "--fault", "lost", "--", sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider"]
    found = pytester.run(*command)
    assert found.ret == 1
    found.stdout.fnmatch_lines(
        [
            "sweep: NOT SAFE. 1 point, 1 run: 1 charged twice",
            "1. CHARGED TWICE at charge.create: lost",
            '*In the world "test_pays[[]first]": The service took 40.00 AUD *',
        ]
    )
    monkeypatch.setenv("SEARCHES", "1")
    assert pytester.run(*command).ret == 0
