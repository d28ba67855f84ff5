"""The fixtures, options and hooks of the plugin."""

from __future__ import annotations

import difflib
import os
import shlex
from pathlib import Path
from typing import Any, Dict, Iterator, List, Optional

import pytest

from .call import SandboxError, wire
from .naming import key_of, name_of
from .receiver import Receiver
from .report import calls_of, save_bundle
from .server import Program, Server, program_of, server_of
from .sweep import Sweep
from .world import World

#: What a whole run sets by an option or in its configuration, and a test by its marker.
OPTIONS = {
    "scenario": "scenario of the tests' worlds: a name from `playmoney scenarios`, or the path of a YAML file",
    "seed": "seed of the identifiers and random choices of the tests' worlds",
    "dialect": "request and answer format: documented, sdk (client libraries), or auto (the default)",
}
#: What only a marker can set; every other argument of it is a setting of the world.
MARKER = "playmoney(scenario, seed, dialect, clock, now, **settings): how the test's world begins"
ARGUMENTS = (*OPTIONS, "clock", "now")
#: Signs the webhooks for a receiver, unless the marker of the test sets another webhook_secret.
SECRET = "whsec_pytest"
#: What the servers that the plugin started printed at their end, if they had warnings.
SUMMARIES = pytest.StashKey[List[str]]()


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("playmoney", "playmoney, a local stand-in for the payFURL API")
    for name, text in {**OPTIONS, "program": "the command that runs playmoney"}.items():
        group.addoption(f"--playmoney-{name}", metavar=name.upper(), help=text)
        parser.addini(f"playmoney_{name}", text)
    parser.addini("playmoney_args", "options of `playmoney start` for the server", type="args", default=[])


def pytest_configure(config: pytest.Config) -> None:
    config.addinivalue_line("markers", MARKER)
    summaries: List[str] = []
    config.stash[SUMMARIES] = summaries


def _option(config: pytest.Config, name: str) -> Optional[str]:
    return config.getoption(f"playmoney_{name}") or config.getini(f"playmoney_{name}") or None


def _program_of(config: pytest.Config) -> List[str]:
    named = _option(config, "program") or os.environ.get("PLAYMONEY_PROGRAM")
    return program_of(named, config.rootpath)


@pytest.fixture(scope="session")
def playmoney_server(pytestconfig: pytest.Config) -> Iterator[Server]:
    """The server of all tests: the one at PLAYMONEY_URL, or else one on a free port, started for this session."""
    args: List[str] = pytestconfig.getini("playmoney_args")
    running = server_of(os.environ)
    if running is not None:
        if args:
            raise pytest.UsageError(
                f"Failed to use the server at PLAYMONEY_URL: playmoney_args cannot set {args[0]} on a running server. "
                "Start the server with it, and remove it from playmoney_args."
            )
        yield running
        return
    program = Program(_program_of(pytestconfig), args)
    yield program.ready()
    _keep_summary(pytestconfig, program.stop())


@pytest.fixture
def playmoney(playmoney_server: Server, request: pytest.FixtureRequest) -> World:
    """The test's own world, with a manual clock. Call it at `playmoney.url` with the key `playmoney.key`."""
    item = request.node
    world = World(playmoney_server.reach(key_of(item, playmoney_server.key_prefix, os.environ)))
    asked = _asked(item)
    scenario = asked.pop("scenario")
    clock = wire({"mode": asked.pop("clock", "manual"), "now": asked.pop("now", None)})
    # An earlier run used the same key, and may have left a scenario. The reset loads the seed data of the new one.
    if scenario is None:
        world.scenario.clear()
    else:
        world.scenario.use(_scenario_of(scenario, item.config.rootpath))
    seed = asked.pop("seed")
    world.reset(seed=seed, name=name_of(item), clock=clock, settings=wire(asked))
    return world


def _asked(item: pytest.Function) -> Dict[str, Any]:
    """What the configuration and the markers of a test ask for; the closest marker wins."""
    asked: Dict[str, Any] = {name: _option(item.config, name) for name in OPTIONS}
    for marker in reversed(list(item.iter_markers("playmoney"))):
        if marker.args:
            raise pytest.UsageError(f"{item.nodeid}: the marker playmoney takes keyword arguments only.")
        for name in marker.kwargs:
            near = [] if name in ARGUMENTS else difflib.get_close_matches(name, ARGUMENTS, 1, 0.75)
            if near:
                raise pytest.UsageError(
                    f'{item.nodeid}: the marker playmoney has no argument "{name}"; did you mean {near[0]}?'
                )
        asked.update(marker.kwargs)
    if "playmoney_receiver" in item.fixturenames:
        asked.setdefault("webhook_secret", SECRET)
    return asked


def _scenario_of(named: Any, folder: Path) -> Any:
    """A text that looks like a path is one, from the root folder of the tests."""
    if isinstance(named, str) and Path(named).suffix in (".yaml", ".yml", ".json"):
        return folder / named
    return named


@pytest.fixture
def playmoney_receiver(playmoney: World, request: pytest.FixtureRequest) -> Iterator[Receiver]:
    """A receiver of webhooks on a free port, which checks their signatures."""
    with Receiver(_asked(request.node)["webhook_secret"]) as receiver:
        yield receiver


@pytest.fixture(scope="session")
def sweep(pytestconfig: pytest.Config) -> Sweep:
    """Runs a flow of your program once for every failure at every call, and reports where money is lost."""
    return Sweep(_program_of(pytestconfig))


@pytest.hookimpl(hookwrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Iterator[None]:
    outcome: Any = yield
    report: pytest.TestReport = outcome.get_result()
    world = getattr(item, "funcargs", {}).get("playmoney")
    if report.failed and isinstance(world, World):
        report.sections.append(("playmoney", _failure_of(world)))


def _failure_of(world: World) -> str:
    try:
        text = calls_of(world)
        folder = os.environ.get("PLAYMONEY_BUNDLES")
        if folder:
            path = save_bundle(world, Path(folder))
            text += f"\nThe whole failure: {path}. Open it with: playmoney open {shlex.quote(str(path))}"
        return text
    except (SandboxError, OSError) as error:
        # The failure of the test matters more.
        return str(error)


def _keep_summary(config: pytest.Config, summary: str) -> None:
    """Keeps the warnings of a server for the end of the run. A worker of pytest-xdist hands them to its controller."""
    if "with warnings" not in summary:
        return
    config.stash[SUMMARIES].append(summary)
    if hasattr(config, "workeroutput"):
        config.workeroutput["playmoney"] = summary


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    summary = getattr(node, "workeroutput", {}).get("playmoney")
    if summary:
        node.config.stash[SUMMARIES].append(summary)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    for summary in config.stash[SUMMARIES]:
        terminalreporter.section("playmoney")
        terminalreporter.line(summary)
