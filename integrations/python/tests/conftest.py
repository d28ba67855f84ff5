from __future__ import annotations

from pathlib import Path
from typing import Any, Dict

import pytest

pytest_plugins = ["pytester"]

#: The root of the checkout.
ROOT = Path(__file__).parents[3]


@pytest.fixture(autouse=True)
def own_environment(monkeypatch: pytest.MonkeyPatch, playmoney_server: Any) -> None:
    """Runs within runs start with an environment that names no server."""
    for name in ("PLAYMONEY_URL", "PLAYMONEY_KEY", "PLAYMONEY_BUNDLES", "PYTEST_XDIST_WORKER"):
        monkeypatch.delenv(name, raising=False)


@pytest.fixture
def order() -> Dict[str, Any]:
    return {"Amount": 20, "Token": "tok_approve", "Reference": "order-1"}
