"""Calls of the control API, which docs/reference/control.md of playmoney describes."""

from __future__ import annotations

import json
import ssl
import urllib.error
import urllib.request
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from decimal import Decimal
from email.message import Message
from typing import Any, Callable, Dict, List, Mapping, Optional, Tuple, Union
from urllib.parse import urlencode

#: A duration, such as `timedelta(days=7)`, `"250ms"`, `"2h"` or `"7d"`.
Duration = Union[str, timedelta]
#: An instant, such as a datetime with a time zone, or `"2030-01-01T00:00:00Z"`.
Instant = Union[str, datetime]
#: A JSON object with field names as on the wire.
Record = Dict[str, Any]

#: The longest wait of the control API is 60 s.
ANSWER_SECONDS = 120
#: The largest page that the control API returns.
PAGE_LIMIT = 500


class SandboxError(Exception):
    """A call to the control API that was refused or got no answer."""

    #: The HTTP status; 0 if there was no answer.
    status: int
    #: The error code, such as 90 for a wrong field; None if the answer has none.
    code: Optional[int]
    message: str
    #: The reason for each wrong field; None if no field is wrong.
    details: Optional[Dict[str, str]]
    #: The whole answer; None if it is not JSON.
    answer: Any

    def __init__(self, status: int, message: str, answer: Any = None) -> None:
        fields = answer if isinstance(answer, dict) else {}
        self.status = status
        self.code = fields.get("Code")
        self.message = message
        self.details = fields.get("Details")
        self.answer = answer
        super().__init__("\n".join([message, *_near_misses(fields)]))


def _near_misses(answer: Mapping[str, Any]) -> List[str]:
    lines = []
    for near in answer.get("Nearest") or []:
        what = near.get("EventType") or f"{near.get('Method')} {near.get('Path')}"
        differences = [
            f"{one['Member']} is {json.dumps(one['Found'])}, not {json.dumps(one['Wanted'])}"
            for one in near["Differences"]
        ]
        lines.append(f"  {what} {near['Status']}: {'; '.join(differences)}")
    return lines


class _Unfollowed(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *args: Any, **kwargs: Any) -> None:
        """Nothing at the sandbox redirects a test."""


@dataclass(frozen=True)
class Reach:
    """How to reach a world."""

    #: The address of the server, without a slash at the end.
    url: str
    #: The secret key that opens the world.
    key: str
    #: The value of x-sandbox-admin, if the server requires one.
    admin_token: Optional[str] = None
    #: A file with certificates to trust as well, for https.
    ca_file: Optional[str] = None
    #: What to say if nothing answers there.
    why_gone: Callable[[], str] = lambda: "Start a server there: playmoney start"

    def send(
        self, method: str, path: str, body: Optional[bytes] = None, headers: Mapping[str, str] = {}
    ) -> Tuple[int, Message, bytes]:
        """Sends a request with the key of the world. Returns every answer, also a refusal."""
        request = urllib.request.Request(
            self.url + path, body, {"x-secretkey": self.key, **headers}, method=method
        )
        try:
            with self._opener().open(request, timeout=ANSWER_SECONDS) as answer:
                return answer.status, answer.headers, answer.read()
        except urllib.error.HTTPError as refusal:
            with refusal:
                return refusal.code, refusal.headers, refusal.read()

    def _opener(self) -> urllib.request.OpenerDirector:
        # A proxy of the environment cannot reach this machine.
        handlers: List[urllib.request.BaseHandler] = [urllib.request.ProxyHandler({}), _Unfollowed()]
        if self.url.startswith("https:"):
            context = ssl.create_default_context()
            if self.ca_file:
                context.load_verify_locations(self.ca_file)
            handlers.append(urllib.request.HTTPSHandler(context=context))
        return urllib.request.build_opener(*handlers)


class ControlCalls:
    """Calls of the control API for one world, for the handle of that world and its parts."""

    def __init__(self, reach: Reach) -> None:
        self._reach = reach

    def _call(self, method: str, path: str, body: Optional[Mapping[str, Any]] = None) -> Any:
        if body is None:
            return self._call_raw(method, path)
        return self._call_raw(method, path, to_json(body), "application/json")

    def _call_raw(self, method: str, path: str, body: Optional[bytes] = None, kind: str = "") -> Any:
        address = f"/_sandbox{path}"
        headers = {} if body is None else {"content-type": kind}
        if self._reach.admin_token is not None:
            headers["x-sandbox-admin"] = self._reach.admin_token
        try:
            status, _, content = self._reach.send(method, address, body, headers)
        except OSError as error:
            url = self._reach.url
            message = f"Nothing answers at {url} ({error}). {self._reach.why_gone()}"
            raise SandboxError(0, message) from error
        return _answer_of(status, content, self._reach.url + address)

    def _list_all(self, path: str, name: str, filters: Mapping[str, Any]) -> List[Record]:
        """All records of a list, oldest first. The control API returns them in pages, newest first."""
        found: List[Record] = []
        while True:
            query = urlencode({**wire(filters), "Limit": PAGE_LIMIT, "Skip": len(found)})
            page = self._call("GET", f"{path}?{query}")
            found += page[name]
            if not page[name] or len(found) >= page["Count"]:
                return found[::-1]


def _answer_of(status: int, content: bytes, url: str) -> Any:
    try:
        answer = json.loads(content)
    except ValueError:
        answer = None
    if 200 <= status < 300 and answer is not None:
        return answer
    message = answer.get("Message") if isinstance(answer, dict) else None
    raise SandboxError(
        status, message or f"{url} returned {status} without a message. Is it playmoney?", answer
    )


def wire(fields: Mapping[str, Any]) -> Record:
    """Arguments as the control API names them: `provider_id` is `ProviderId`. Leaves out those that are None."""
    return {
        "".join(word[:1].upper() + word[1:] for word in name.split("_")): plain(value)
        for name, value in fields.items()
        if value is not None
    }


def plain(value: Any) -> Any:
    """A value as JSON has it."""
    if isinstance(value, timedelta):
        return f"{value // timedelta(milliseconds=1)}ms"
    if isinstance(value, datetime):
        if value.tzinfo is None:
            raise ValueError(f"{value!r} has no time zone. Use datetime(…, tzinfo=timezone.utc).")
        return value.astimezone(timezone.utc).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    if isinstance(value, Decimal):
        return str(value)
    return value


def to_json(body: Any) -> bytes:
    return json.dumps(body, default=_plain_or_refused).encode()


def _plain_or_refused(value: Any) -> Any:
    as_json = plain(value)
    if as_json is value:
        raise TypeError(f"{value!r} cannot be sent as JSON.")
    return as_json
