"""A receiver of webhooks for a test."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import threading
from dataclasses import dataclass
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Dict, List, Mapping, Optional, Type

#: How long a test waits for a webhook, unless it says so itself.
WAIT_SECONDS = 5.0
SIGNATURE = "-signature"


@dataclass(frozen=True)
class Message:
    """A webhook that arrived."""

    event: str
    message_id: str
    #: The record, as the webhook has it.
    data: Dict[str, Any]
    #: The body, as it was sent.
    content: bytes
    #: The headers, with names in lower case.
    headers: Mapping[str, str]
    path: str


def message_of(path: str, headers: Mapping[str, str], content: bytes) -> Message:
    body = json.loads(content)
    meta = body["meta"]
    return Message(meta["eventType"], meta["messageId"], body["data"], content, headers, path)


class Receiver:
    """Receives the webhooks of a test on a free port of this machine."""

    #: The address for a `Webhook.Url` or a subscription. Any path below it is received, too.
    url: str
    #: The messages that arrived, oldest first.
    messages: List[Message]
    #: Messages whose signature is missing or wrong. They were answered with 401, and are not among the others.
    refused: List[Message]

    def __init__(self, secret: str) -> None:
        #: The key of the signatures.
        self.secret = secret
        self.messages = []
        self.refused = []
        self._left: List[Message] = []
        self._status = 204
        self._arrived = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}"

    def __enter__(self) -> Receiver:
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        trace: Optional[TracebackType],
    ) -> None:
        self._server.shutdown()
        self._server.server_close()

    def next(self, event: Optional[str] = None, *, timeout: float = WAIT_SECONDS) -> Message:
        """The oldest message that no earlier call returned, of one event if it is named. Waits until it arrives."""

        def found() -> Optional[Message]:
            return next((one for one in self._left if event in (None, one.event)), None)

        with self._arrived:
            message = self._arrived.wait_for(found, timeout)
            if message is None:
                came = ", ".join(one.event for one in self.messages) or "none"
                refused = f" Refused, because their signature is missing or wrong: {len(self.refused)}."
                raise TimeoutError(
                    f"No message{f' of {event}' if event else ''} arrived within {timeout} s. Arrived: {came}."
                    + (refused if self.refused else "")
                )
            self._left.remove(message)
            return message

    def respond(self, status: int) -> None:
        """Answers all further messages with this status. Default: 204."""
        self._status = status

    def _is_signed(self, headers: Mapping[str, str], content: bytes) -> bool:
        given = next((text for name, text in headers.items() if name.endswith(SIGNATURE)), "")
        digest = hmac.new(self.secret.encode(), content, hashlib.sha256).digest()
        return hmac.compare_digest(given.encode(), base64.b64encode(digest))

    def _receive(self, path: str, headers: Mapping[str, str], content: bytes) -> int:
        message = message_of(path, headers, content)
        with self._arrived:
            if not self._is_signed(headers, content):
                self.refused.append(message)
                return 401
            self.messages.append(message)
            self._left.append(message)
            self._arrived.notify_all()
            return self._status

    def _handler(self) -> Type[BaseHTTPRequestHandler]:
        receive = self._receive

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                content = self.rfile.read(int(self.headers.get("content-length", "0")))
                headers = {name.lower(): text for name, text in self.headers.items()}
                self.send_response(receive(self.path, headers, content))
                self.send_header("content-length", "0")
                self.end_headers()

            def log_message(self, format: str, *args: Any) -> None:
                """The journal of the sandbox has it all."""

        return Handler
