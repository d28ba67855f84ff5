"""The client sends what docs/openapi.json describes, and leaves nothing of the control API out without a reason."""

from __future__ import annotations

import inspect
import json
from pathlib import Path
from typing import Any, Dict, List, Mapping, Optional, Set, Tuple

import pytest
from conftest import ROOT

from pytest_playmoney import World
from pytest_playmoney.call import Reach

DOCUMENT = json.loads((ROOT / "docs/openapi.json").read_text(encoding="utf-8"))
#: Calls for pages, for other programs, and for a human who looks at a world.
LEFT_OUT = {
    "/_sandbox/health",
    "/_sandbox/ready",
    "/_sandbox/worlds",
    "/_sandbox/live",
    "/_sandbox/journal/facets",
    "/_sandbox/jobs",
    "/_sandbox/findings",
    "/_sandbox/open",
    "/_sandbox",
    "/_sandbox/reference",
    "/_sandbox/openapi.json",
    "/_sandbox/errors",
    "/_sandbox/checkout",
    "/_sandbox/journal/{id}",
    "/_sandbox/journal/{id}/repeat",
    "/_sandbox/journal/{id}/branch",
    "/_sandbox/journal/export",
    "/_sandbox/snapshots/{name}",
}
PAGES = ("/_sandbox/records/", "/_sandbox/reference/", "/_sandbox/pay/", "/_sandbox/page/", "/_sandbox/3ds/", "/_sandbox/wallet/")

#: Every method of the client with all its arguments.
ARGUMENTS: Dict[str, Tuple[List[Any], Dict[str, Any]]] = {
    "charges": ([], {"reference": "a", "status": "SUCCESS", "provider_id": "b", "customer_id": "c"}),
    "reconcile": ([[{"Amount": 1, "Paid": None}]], {}),
    "settle": (["1s"], {}),
    "reset": ([], {"seed": "1", "scenario": "a", "name": "b", "clock": {"Mode": "manual"}, "settings": {"Dialect": "sdk"}}),
    "simulate": (["charge.settle", "a"], {}),
    "create_token": ([{}], {"provider_id": "a"}),
    "snapshot": (["a"], {}),
    "restore": (["a"], {}),
    "diff": (["a"], {}),
    "forget": (["a"], {}),
    "import_state": ([{}], {}),
    "clock.advance": ([], {"by": "1s", "to": "2030-01-01T00:00:00Z"}),
    "clock.set": (["manual"], {"now": "2030-01-01T00:00:00Z", "rate": 2}),
    "outcomes.queue": (
        ["charge.create", ["approve"]],
        {"reference": "a", "provider_id": "b", "card_number": "c", "amount": 1},
    ),
    "holds.add": (["charge.create"], {"count": 2, "timeout": "1s", "reference": "a"}),
    "holds.release": ([1], {"fault": "reset", "phase": "after"}),
    "journal.entries": ([], {"operation": "charge.create", "method": "POST", "path": "/", "since": "2030-01-01T00:00:00Z"}),
    "journal.count": ([], {"status": 201, "trigger": "a", "reference": "b", "body": {}}),
    "journal.wait_for": ([], {"count": 2, "timeout": "1s", "operation": "charge.create"}),
    "deliveries.list": ([], {"status": "failed"}),
    "deliveries.resend": (["a"], {}),
    "deliveries.wait_for": (["customer.created"], {"count": 2, "timeout": "1s", "path": "/", "since": "a"}),
    "scenario.use": (["a"], {}),
}


class Sent(Reach):
    """Records what is sent. Answers have every field that the client reads."""

    calls: List[Tuple[str, str, Optional[bytes]]] = []

    def send(
        self, method: str, path: str, body: Optional[bytes] = None, headers: Mapping[str, str] = {}
    ) -> Any:
        self.calls.append((method, path, body))
        lists = ("Charges", "Entries", "Deliveries", "Queues", "Rules", "Snapshots")
        numbers = {"Count": 0, "Evicted": 0, "Cleared": 0, "Now": "", "Incomplete": False, "World": "a"}
        return 200, {}, json.dumps({**numbers, **{name: [] for name in lists}}).encode()


def methods_of(world: World) -> Dict[str, Any]:
    found = {}
    parts = {"": world, **{f"{name}.": part for name, part in vars(world).items() if hasattr(part, "_reach")}}
    for prefix, part in parts.items():
        for name, method in inspect.getmembers(part, inspect.ismethod):
            if not name.startswith("_") and name != "request":
                found[prefix + name] = method
    return found


def sent_by_all() -> List[Tuple[str, str, Optional[bytes]]]:
    reach = Sent("http://127.0.0.1:1", "sk_test_a")
    Sent.calls = []
    for name, method in methods_of(World(reach)).items():
        args, kwargs = ARGUMENTS.get(name, ([], {}))
        method(*args, **kwargs)
    return Sent.calls


def path_in_document(path: str) -> str:
    plain = path.partition("?")[0]
    template = plain.replace("/snapshots/a", "/snapshots/{name}").replace("/webhooks/a", "/webhooks/{id}").replace("/worlds/a", "/worlds/{name}").replace("/hold/1", "/hold/{id}")
    assert template in DOCUMENT["paths"], f"{path} is not in docs/openapi.json"
    return template


def parameters_of(operation: Mapping[str, Any]) -> Set[str]:
    found = set()
    for one in operation.get("parameters", []):
        target = DOCUMENT["components"]["parameters"][one["$ref"].rpartition("/")[2]] if "$ref" in one else one
        found.add(target["name"].lower())
    return found


def fields_of(operation: Mapping[str, Any]) -> Dict[str, Any]:
    content = operation.get("requestBody", {}).get("content", {})
    schema = content.get("application/json", {}).get("schema", {})
    fields: Dict[str, Any] = schema.get("properties", {})
    return fields


@pytest.mark.parametrize(("method", "path", "body"), sent_by_all())
def test_each_call_is_one_of_the_description(method: str, path: str, body: Optional[bytes]) -> None:
    operation = DOCUMENT["paths"][path_in_document(path)].get(method.lower())
    assert operation is not None, f"{method} {path}"
    query = path.partition("?")[2]
    asked = {one.partition("=")[0].lower() for one in query.split("&") if one}
    assert asked <= parameters_of(operation)
    sent = json.loads(body or b"{}")
    fields = fields_of(operation)
    assert set(sent) <= set(fields)
    for name in ("Match", "Clock", "Settings"):
        if name in sent:
            assert set(sent[name]) <= set(fields[name]["properties"])


def test_each_call_of_the_description_has_a_method() -> None:
    called = {(method.lower(), path_in_document(path)) for method, path, _ in sent_by_all()}
    described = {
        (method, path)
        for path, operations in DOCUMENT["paths"].items()
        if path.startswith("/_sandbox") and path not in LEFT_OUT and not path.startswith(PAGES)
        for method in operations
    }
    assert described - called == set()


def test_every_method_is_among_those() -> None:
    methods = methods_of(World(Reach("http://127.0.0.1:1", "sk_test_a")))
    required = {
        name
        for name, method in methods.items()
        if any(one.default is one.empty and one.kind is one.POSITIONAL_OR_KEYWORD for one in inspect.signature(method).parameters.values())
    }
    assert required <= set(ARGUMENTS) <= set(methods)
