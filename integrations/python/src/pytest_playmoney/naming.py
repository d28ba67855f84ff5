"""The name and the key of a test's world."""

from __future__ import annotations

import hashlib
import re
from typing import Mapping, Tuple

import pytest

#: The prefix of keys, unless the environment sets one.
KEY_PREFIX = "sk_test"
#: How much of a test's name its key contains, so that users can recognise its world.
SHOWN_LENGTH_MAX = 40
#: The longest name that the control API accepts.
NAME_LENGTH_MAX = 200


def name_of(item: pytest.Item) -> str:
    """The names of a test's classes, then its own name with its parameters, as pytest shows them.

    Identifiers derive from it, so it is the same on every run, whatever file or worker runs the test.
    """
    classes = [node.name for node in item.listchain() if isinstance(node, pytest.Class)]
    name = " ".join([*classes, item.name])
    if len(name) <= NAME_LENGTH_MAX:
        return name
    return f"{name[: NAME_LENGTH_MAX - 17]} {_hash_of(name)}"


def key_of(item: pytest.Item, prefix: str, environ: Mapping[str, str]) -> str:
    """The key of a test's world. It differs for each test, retry and worker, so that none meets another's world."""
    retry = str(getattr(item, "execution_count", ""))
    identity = "\n".join([item.nodeid, retry, environ.get("PYTEST_XDIST_WORKER", "")])
    shown = re.sub(r"[^A-Za-z0-9]+", "_", name_of(item))[:SHOWN_LENGTH_MAX]
    return f"{prefix}_{shown}_{_hash_of(identity)}"


def prefix_of(environ: Mapping[str, str]) -> str:
    """A server accepts every key with the usual prefix, but only one exact key of another kind."""
    own = environ.get("PLAYMONEY_KEY", "")
    return own if own.startswith(f"{KEY_PREFIX}_") else KEY_PREFIX


def _hash_of(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
