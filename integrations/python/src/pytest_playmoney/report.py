"""What a failed test shows: the calls that reached its world."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, List

from .call import Record
from .world import World

#: How many calls of a failed test are shown.
SHOWN_MAX = 50


def calls_of(world: World) -> str:
    """The last calls of a world, one per line."""
    page = world.journal._call("GET", f"/journal?Limit={SHOWN_MAX}")
    entries: List[Record] = page["Entries"]
    if not entries:
        shown = world.key.rpartition("_")[0]
        return (
            f"No call reached the sandbox at {world.url} with the key {shown}_…. "
            "Check the address and the key that your program uses."
        )
    count = page["Count"] + page["Evicted"]
    head = f"{count} {'call' if count == 1 else 'calls'} reached the sandbox"
    head += f"; the last {len(entries)}:" if count > len(entries) else ":"
    return "\n".join([head, *(_line_of(entry) for entry in reversed(entries))])


def _line_of(entry: Record) -> str:
    """The time, the call, its status, its reference, what decided it, and the error message."""
    address = entry["Path"] + (f"?{entry['Query']}" if entry["Query"] else "")
    answered = str(entry["Status"] or "no answer")
    cells = [
        f"  {entry['At'][11:23]}",
        entry["Method"].ljust(6),
        address,
        answered,
        _text_of(entry["RequestBody"], "Reference", "reference"),
        entry["Trigger"] or "",
        entry["Fault"] or "",
        "(undone)" if entry["Undone"] else "",
        _text_of(entry["ResponseBody"], "Message", "message") if entry["Status"] >= 400 else "",
    ]
    return "".join(one if one.isprintable() else " " for one in "  ".join(filter(None, cells)))


def _text_of(body: Any, *names: str) -> str:
    """A text field of a body, by its name in either dialect."""
    fields = body if isinstance(body, dict) else {}
    return next((fields[name] for name in names if isinstance(fields.get(name), str)), "")


def save_bundle(world: World, folder: Path) -> Path:
    """Saves the world and its calls in a file that `playmoney open` and `playmoney replay` read."""
    folder.mkdir(parents=True, exist_ok=True)
    # The key ends in a hash of the test, so tests of the same name have files of their own.
    path = folder / f"{world.key.partition('_test_')[2]}.json"
    bundle = json.dumps(world.export_bundle())
    path.unlink(missing_ok=True)
    # It has card numbers, which only its owner can read.
    path.touch(mode=0o600)
    path.write_text(bundle, encoding="utf-8")
    return path
