"""What a test does with its world."""

from __future__ import annotations

from datetime import datetime, timedelta, timezone
from pathlib import Path
from typing import Any, Dict

import pytest

from pytest_playmoney import Receiver, SandboxError, World

Order = Dict[str, Any]


def charge(playmoney: World, order: Order, **fields: Any) -> Any:
    return playmoney.request("POST", "/charge/token", {**order, **fields})


def test_a_charge_is_declined_as_queued_then_approved(playmoney: World, order: Order) -> None:
    queued = playmoney.outcomes.queue("charge.create", ["insufficient_funds", "approve"], reference="order-*")
    assert queued["Left"] == 2
    assert charge(playmoney, order, Reference="other").status == 201
    declined = charge(playmoney, order)
    assert (declined.status, declined.json()["Code"]) == (400, 15)
    assert len(playmoney.outcomes.list()) == 1
    assert charge(playmoney, order).status == 201
    assert [one["Status"] for one in playmoney.charges(reference="order-1")] == ["FAILED", "SUCCESS"]
    playmoney.outcomes.queue("charge.create", ["approve"])
    assert len(playmoney.outcomes.clear()) == 1


def test_the_clock_stands_still_until_it_is_advanced(playmoney: World, order: Order) -> None:
    assert playmoney.clock.now() == "2026-01-01T00:00:00.000Z"
    charge(playmoney, order, Capture=False)
    playmoney.clock.advance("6d")
    assert playmoney.charges()[0]["Status"] == "Authorised"
    assert playmoney.clock.advance(timedelta(days=1))["Jobs"] == 1
    assert playmoney.charges()[0]["Status"] == "AUTHORISE_CANCELLED"
    playmoney.clock.advance(to=datetime(2026, 2, 1, tzinfo=timezone(timedelta(hours=10))))
    assert playmoney.clock.now() == "2026-01-31T14:00:00.000Z"
    assert playmoney.clock.set("scaled", rate=2)["Rate"] == 2
    with pytest.raises(ValueError, match="no time zone"):
        playmoney.clock.advance(to=datetime(2026, 3, 1))


def test_a_refused_control_call_raises_the_message_and_details_of_the_server(playmoney: World) -> None:
    with pytest.raises(SandboxError, match='By is "soon"; it must be a duration') as caught:
        playmoney.clock.advance("soon")
    assert (caught.value.status, caught.value.code) == (400, 90)
    assert caught.value.details is not None and "By" in caught.value.details
    with pytest.raises(SandboxError, match="charge.crate"):
        playmoney.outcomes.queue("charge.crate", ["approve"])


def test_what_cannot_be_compared_or_match_is_refused(playmoney: World, order: Order) -> None:
    charge(playmoney, order)
    with pytest.raises(SandboxError, match="Orders.0.Paid is required: true, false, or null"):
        playmoney.reconcile([{"Reference": "order-1", "Amount": 20}])
    assert playmoney.reconcile([{"Reference": "order-1", "Amount": 20, "Paid": None}])["Balanced"]
    with pytest.raises(SandboxError, match="Match.Body.Amonut .* Did you mean Amount"):
        playmoney.journal.count(body={"Amonut": 20})


def test_the_journal_has_the_calls_and_waits_for_them(playmoney: World, order: Order) -> None:
    charge(playmoney, order)
    charge(playmoney, order, Token="tok_insufficient_funds")
    assert [one["Status"] for one in playmoney.journal.entries(operation="charge.create")] == [201, 400]
    assert playmoney.journal.count(status=201) == 1
    [found] = playmoney.journal.wait_for(reference="order-1", status=400, body={"Amount": 20})
    assert found["Trigger"]
    with pytest.raises(SandboxError) as caught:
        playmoney.journal.wait_for(reference="order-1", status=503, timeout="1ms")
    assert caught.value.code == 94
    # The closest calls, and what differed.
    assert "POST /charge/token 201: Status is 201, not 503" in str(caught.value)
    assert playmoney.journal.clear() == 2


def test_lists_have_all_pages(playmoney: World) -> None:
    for _ in range(501):
        playmoney.request("GET", "/version")
    entries = playmoney.journal.entries()
    assert [one["EntryId"] for one in entries] == sorted(one["EntryId"] for one in entries)
    assert len(entries) == 501


@pytest.mark.playmoney(scenario="flaky-provider")
def test_a_scenario_of_the_library_is_played(playmoney: World, order: Order) -> None:
    assert playmoney.scenario.current()["Scenario"] == "flaky-provider"
    assert [charge(playmoney, order).status for _ in range(3)] == [201, 201, 400]
    assert playmoney.scenario.unmatched() == ["every fifth"]
    playmoney.scenario.clear()
    assert playmoney.scenario.current()["Scenario"] is None
    assert "flaky-provider" in [one["Name"] for one in playmoney.scenario.list()]


def test_a_scenario_is_a_definition_or_a_file(playmoney: World, order: Order, tmp_path: Path) -> None:
    rule = {"when": {"operation": "charge.create"}, "then": {"outcome": "do_not_honor"}}
    playmoney.scenario.use({"name": "mine", "rules": [rule]})
    assert charge(playmoney, order).json()["Code"] == 905
    file = tmp_path / "poor.yaml"
    file.write_text("name: poor\nrules:\n  - when: {operation: charge.create}\n    then: {outcome: insufficient_funds}\n")
    playmoney.scenario.use(file)
    assert charge(playmoney, order).json()["Code"] == 15


def test_a_snapshot_is_restored(playmoney: World, order: Order) -> None:
    empty = playmoney.snapshot()
    assert empty["Name"] == "snapshot-1"
    charge(playmoney, order)
    assert [one["Change"] for one in playmoney.diff(empty)["Changes"]] == ["added"]
    playmoney.snapshot("paid")
    assert [one["Name"] for one in playmoney.snapshots()] == ["snapshot-1", "paid"]
    playmoney.restore(empty)
    assert playmoney.charges() == []
    assert [one["Undone"] for one in playmoney.journal.entries()] == [True]
    assert playmoney.journal.entries(undone=False) == []
    assert (playmoney.journal.count(), playmoney.journal.count(undone=True)) == (0, 1)
    playmoney.import_state({**playmoney.export_state()})
    playmoney.forget("paid")
    assert playmoney.snapshot("again/1".replace("/", "-"))["Name"] == "again-1"


def test_a_reset_begins_the_same_world_again(playmoney: World, order: Order) -> None:
    first = charge(playmoney, order).json()["ChargeId"]
    playmoney.reset()
    assert playmoney.charges() == []
    assert charge(playmoney, order).json()["ChargeId"] == first
    playmoney.reset(seed="other")
    assert charge(playmoney, order).json()["ChargeId"] != first


def test_an_event_is_caused_and_a_token_created(playmoney: World, order: Order) -> None:
    token = playmoney.create_token({"CardNumber": "4111111111111111", "ExpiryDate": "10/30"})["TokenId"]
    made = charge(playmoney, order, Token=token, Capture=False).json()
    assert playmoney.simulate("authorisation.expire", made["ChargeId"])["Status"] == "AUTHORISE_CANCELLED"
    assert playmoney.triggers()["Cards"]
    assert playmoney.state()["Counts"]["Charges"] == 1


def test_webhooks_arrive_with_a_signature(playmoney: World, playmoney_receiver: Receiver, order: Order) -> None:
    charge(playmoney, order, Webhook={"Url": f"{playmoney_receiver.url}/hook"})
    message = playmoney_receiver.next("transaction.status.changed")
    assert (message.path, message.data["reference"]) == ("/hook", "order-1")
    [delivery] = playmoney.deliveries.wait_for("transaction.status.changed", reference="order-1")
    assert (delivery["Status"], delivery["ResponseStatus"]) == ("delivered", 204)
    playmoney.deliveries.resend(delivery["DeliveryId"])
    assert playmoney_receiver.next().message_id == message.message_id
    assert len(playmoney_receiver.messages) == 2
    with pytest.raises(TimeoutError, match="No message of batch.status.changed arrived .*: transaction.status.changed, tr"):
        playmoney_receiver.next("batch.status.changed", timeout=0)
    with pytest.raises(TimeoutError, match="No message arrived"):
        playmoney_receiver.next(timeout=0)


def test_a_receiver_fails_then_accepts(playmoney: World, playmoney_receiver: Receiver, order: Order) -> None:
    playmoney_receiver.respond(503)
    charge(playmoney, order, Webhook={"Url": playmoney_receiver.url})
    playmoney.settle(timeout="10s")
    playmoney_receiver.respond(200)
    playmoney.clock.advance("5s")
    assert len(playmoney_receiver.messages) == 2
    assert [one["ResponseStatus"] for one in playmoney.deliveries.list()] == [200]


@pytest.mark.playmoney(webhook_secret="another")
def test_a_receiver_knows_the_secret_of_the_marker(
    playmoney: World, playmoney_receiver: Receiver, order: Order
) -> None:
    charge(playmoney, order, Webhook={"Url": playmoney_receiver.url})
    playmoney.settle()
    playmoney_receiver.secret = "wrong"
    charge(playmoney, order, Webhook={"Url": playmoney_receiver.url})
    playmoney.settle()
    assert (len(playmoney_receiver.messages), len(playmoney_receiver.refused)) == (1, 1)
    playmoney_receiver.next()
    with pytest.raises(TimeoutError, match="signature is missing or wrong: 1"):
        playmoney_receiver.next(timeout=0)


@pytest.mark.playmoney(dialect="sdk", seed="7", strict=True, now="2027-01-01T00:00:00Z", token_ttl="1m")
def test_a_marker_sets_the_world(playmoney: World, order: Order) -> None:
    state = playmoney.state()
    assert (state["Dialect"], state["Seed"]) == ("sdk", "7")
    assert state["Clock"]["Now"] == "2027-01-01T00:00:00.000Z"
    assert "chargeId" in charge(playmoney, order).json()


def test_a_fault_drops_the_answer_but_not_the_charge(playmoney: World, order: Order) -> None:
    playmoney.outcomes.queue("charge.create", [{"Fault": "reset", "Phase": "after"}])
    with pytest.raises(OSError):
        charge(playmoney, order)
    assert len(playmoney.charges(reference="order-1")) == 1


def test_a_world_shows_no_key(playmoney: World) -> None:
    assert playmoney.key not in repr(playmoney)
    assert playmoney.environ == {"PLAYMONEY_URL": playmoney.url, "PLAYMONEY_KEY": playmoney.key}
