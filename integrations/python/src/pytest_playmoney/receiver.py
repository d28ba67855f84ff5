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
from typing import Any, Dict, List, Mapping, Optional, Type, Union

#: How long a test waits for a webhook, unless it says so itself.
WAIT_SECONDS = 5.0
SIGNATURE = "-signature"


@dataclass(frozen=True)
class Message:
    """A webhook as it came."""

    path: str
    #: With names in lower case.
    headers: Mapping[str, str]
    content: bytes
    #: Whether its signature was made with the secret.
    is_signed: bool
    #: The status that it was answered with.
    status: int

    @property
    def body(self) -> Any:
        return json.loads(self.content)

    @property
    def event(self) -> str:
        return str(self.body["meta"]["eventType"])

    @property
    def data(self) -> Dict[str, Any]:
        data: Dict[str, Any] = self.body["data"]
        return data


class Receiver:
    """Receives webhooks on a free port of this machine. Those that are not signed with the secret get a 401."""

    def __init__(self, secret: str) -> None:
        self.secret = secret
        #: All webhooks that came, oldest first, also those that were refused.
        self.messages: List[Message] = []
        #: The statuses of the next answers. When it is empty, the answer is 204.
        self.answers: List[int] = []
        self._arrived = threading.Condition()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self.url = f"http://127.0.0.1:{self._server.server_port}/webhooks"

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

    def wait_for(
        self, event: Optional[str] = None, *, count: int = 1, timeout: float = WAIT_SECONDS
    ) -> List[Message]:
        """Waits until enough webhooks of an event were accepted, including earlier ones."""

        def found() -> List[Message]:
            return [one for one in self.messages if one.status < 300 and event in (None, one.event)]

        with self._arrived:
            if not self._arrived.wait_for(lambda: len(found()) >= count, timeout):
                came = ", ".join(f"{one.event} ({one.status})" for one in self.messages) or "none"
                wanted = f"{count} of {event}" if event else str(count)
                raise TimeoutError(f"Waited {timeout} s for webhooks: {wanted}. Received: {came}.")
            return found()

    def _is_signed(self, headers: Mapping[str, str], content: bytes) -> bool:
        given = next((text for name, text in headers.items() if name.endswith(SIGNATURE)), "")
        digest = hmac.new(self.secret.encode(), content, hashlib.sha256).digest()
        return hmac.compare_digest(given.encode(), base64.b64encode(digest))

    def _receive(self, path: str, headers: Mapping[str, str], content: bytes) -> int:
        with self._arrived:
            is_signed = self._is_signed(headers, content)
            status = 401
            if is_signed:
                status = self.answers.pop(0) if self.answers else 204
            self.messages.append(Message(path, headers, content, is_signed, status))
            self._arrived.notify_all()
            return status

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
