"""What users of the plugin see in their own runs of pytest."""

from __future__ import annotations

import os
import re
import socket
import subprocess
import sys
from pathlib import Path
from typing import List

import pytest

from pytest_playmoney import World
from pytest_playmoney.call import Reach
from pytest_playmoney.server import Server, program_of

#: Tests of a shop, which print the identifiers that they were given.
SHOP = """
import pytest

ORDER = {"Amount": 20, "Token": "tok_approve", "Reference": "order-1"}

def charge(playmoney):
    answer = playmoney.request("POST", "/charge/token", ORDER)
    print("MADE", playmoney.clock.now(), answer.headers["x-request-id"], answer.json()["ChargeId"])

class TestCheckout:
    class TestCards:
        @pytest.mark.parametrize("amount", [1, 2], ids=["one", "two [sic]"])
        def test_pays(self, playmoney, amount):
            charge(playmoney)

    @pytest.mark.playmoney(seed="7")
    def test_with_a_seed(self, playmoney):
        charge(playmoney)

def test_pays(playmoney):
    charge(playmoney)
"""


def made_in(pytester: pytest.Pytester, *args: str) -> List[str]:
    result = pytester.runpytest_subprocess("-rP", *args)
    result.assert_outcomes(passed=4)
    return sorted(line for line in result.outlines if line.startswith("MADE"))


@pytest.fixture
def running(playmoney_server: Server, monkeypatch: pytest.MonkeyPatch) -> Server:
    """The server of these tests, as one that was there already."""
    monkeypatch.setenv("PLAYMONEY_URL", playmoney_server.url + "/")
    return playmoney_server


def test_identifiers_are_the_same_on_every_run_and_on_every_server(
    pytester: pytest.Pytester, playmoney_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makepyfile(test_shop=SHOP)
    first = made_in(pytester)
    assert len(set(first)) == 4
    monkeypatch.setenv("PLAYMONEY_URL", playmoney_server.url)
    assert made_in(pytester) == first
    monkeypatch.setenv("PLAYMONEY_KEY", "sk_test_other")
    assert made_in(pytester) == first
    # The server has met these worlds already.
    assert made_in(pytester) == first


def test_workers_of_xdist_do_not_meet(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, running: Server) -> None:
    pytest.importorskip("xdist")
    pytester.makepyfile(test_shop=SHOP)
    at_a_server = made_in(pytester)
    each = pytester.runpytest_subprocess("-rP", "--dist=each", "--tx=2*popen")
    each.assert_outcomes(passed=8)
    assert sorted(line for line in each.outlines if line.startswith("MADE")) == sorted(at_a_server * 2)
    monkeypatch.delenv("PLAYMONEY_URL")
    assert made_in(pytester, "-n2") == at_a_server
    pytester.makepyfile("def test_fails(playmoney): assert not playmoney.request('GET', '/version')")
    failed = pytester.runpytest_subprocess("-n1", "-k", "test_fails")
    failed.stdout.fnmatch_lines(["-* playmoney -*", "1 call reached the sandbox:"])


def test_a_server_runs_only_if_a_test_needs_it(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PLAYMONEY_PROGRAM", "no-such-program")
    pytester.makepyfile("def test_nothing(): pass")
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_name_of_a_world_is_that_of_the_test_at_most_200_characters(
    pytester: pytest.Pytester, running: Server
) -> None:
    pytester.makepyfile(
        """
        import pytest

        class TestCheckout:
            class TestCards:
                @pytest.mark.parametrize("amount", [1, 2], ids=["one", "two [sic]"])
                def test_pays(self, playmoney, amount):
                    print("NAME", playmoney.state()["Name"])

        @pytest.mark.parametrize("text", ["a" * 300, "a" * 301])
        def test_long(playmoney, text):
            print("LONG", playmoney.state()["Name"])
        """
    )
    result = pytester.runpytest_subprocess("-rP")
    result.stdout.fnmatch_lines(
        ["NAME TestCheckout TestCards test_pays[[]one]", "NAME TestCheckout TestCards test_pays[[]two [[]sic]]"]
    )
    long = {line[5:] for line in result.outlines if line.startswith("LONG")}
    assert sorted(map(len, long)) == [200, 200]


def test_a_failure_shows_the_calls_of_the_test(pytester: pytest.Pytester, running: Server) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.fixture
        def shop(playmoney):
            yield playmoney
            assert False, "in teardown"

        def test_declined(shop):
            order = {"Amount": 20, "Token": "tok_insufficient_funds", "Reference": "order-1\\nX"}
            shop.request("POST", "/charge/token", order)
            shop.outcomes.queue("charge.create", [{"fault": "reset"}])
            with pytest.raises(OSError):
                shop.request("POST", "/charge/token?a=1", order)
            assert shop.charges(status="SUCCESS"), "nothing was paid"

        def test_nothing_called(playmoney):
            assert False

        def test_many(playmoney):
            for _ in range(51):
                playmoney.request("GET", "/version")
            assert False

        def test_without_a_world():
            assert False

        def test_passes(playmoney):
            pass
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(failed=4, errors=1, passed=1)
    shown = [
        "*_ test_declined _*",
        "E * nothing was paid",
        "-* playmoney -*",
        "2 calls reached the sandbox:",
        "  00:00:00.000  POST    /charge/token  400  order-1 X  token:tok_insufficient_funds  Insufficient Funds: *",
        "  00:00:00.000  POST    /charge/token[?]a=1  no answer  order-1 X  *  reset",
    ]
    result.stdout.fnmatch_lines(["*_ ERROR at teardown of test_declined _*", *shown[2:]])
    result.stdout.fnmatch_lines(shown)
    result.stdout.fnmatch_lines(["No call reached the sandbox at http://127.0.0.1:* with the key sk_test_*_…. Check the *"])
    result.stdout.fnmatch_lines(["51 calls reached the sandbox; the last 50:"])
    assert result.stdout.str().count("- playmoney -") == 4


def test_a_bundle_of_a_failure_opens_elsewhere(
    pytester: pytest.Pytester, running: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYMONEY_BUNDLES", "bundles/of failures")
    pytester.makepyfile(
        """
        import pytest

        class TestShop:
            @pytest.mark.playmoney(scenario="flaky-provider")
            @pytest.mark.parametrize("name", ["../../a b"])
            def test_fails(self, playmoney, name):
                for _ in range(3):
                    playmoney.request("POST", "/charge/token", {"Amount": 20, "Token": "tok_approve"})
                assert False

        def test_passes(playmoney):
            pass
        """
    )
    result = pytester.runpytest_subprocess()
    [file] = (pytester.path / "bundles/of failures").iterdir()
    assert file.name.startswith("TestShop_test_fails_a_b_")
    assert os.name == "nt" or file.stat().st_mode & 0o777 == 0o600
    result.stdout.fnmatch_lines([f"The whole failure: *{file.name}. Open it with: playmoney open '*{file.name}'"])
    program = program_of(os.environ.get("PLAYMONEY_PROGRAM"), Path())
    opened = subprocess.Popen(
        [*program, "open", str(file), "--port", "0", "--quiet"], stdout=subprocess.PIPE, text=True
    )
    with opened:
        assert opened.stdout is not None
        url = opened.stdout.readline().split()[-1]
        replay = [*program, "replay", str(file), "--key", "sk_test_replay", "--against", url]
        replayed = subprocess.run(replay, stdout=subprocess.PIPE, text=True)
        charges = World(Reach(url, "sk_test_local")).charges()
        opened.terminate()
    assert [one["Status"] for one in charges] == ["SUCCESS", "SUCCESS", "FAILED"]
    assert replayed.returncode == 0, replayed.stdout


def test_options_are_those_of_the_command_line_then_of_the_configuration(
    pytester: pytest.Pytester, running: Server
) -> None:
    pytester.makeini("[pytest]\nplaymoney_seed = 5\nplaymoney_dialect = sdk\nplaymoney_scenario = scenarios/poor.yaml")
    folder = pytester.mkdir("scenarios")
    (folder / "poor.yaml").write_text("name: poor\nrules: []\n")
    pytester.makepyfile(
        """
        import pytest

        def seen(playmoney):
            state = playmoney.state()
            return [state[name] for name in ("Seed", "Dialect", "Scenario")] + [state["Clock"]["Mode"]]

        def test_plain(playmoney):
            assert seen(playmoney) == ["6", "sdk", "poor", "manual"]

        @pytest.mark.playmoney(seed="7", clock="real")
        class TestMarked:
            @pytest.mark.playmoney(seed="8", scenario=None)
            def test_closest_marker(self, playmoney):
                assert seen(playmoney) == ["8", "sdk", None, "real"]

            def test_marker_of_the_class(self, playmoney):
                assert seen(playmoney) == ["7", "sdk", "poor", "real"]
        """
    )
    pytester.runpytest_subprocess("--playmoney-seed=6").assert_outcomes(passed=3)
    # A world that was used before keeps nothing of it.
    pytester.runpytest_subprocess("--playmoney-seed=6", "--playmoney-dialect=sdk").assert_outcomes(passed=3)
    pytester.makeini("")
    pytester.makepyfile("def test_plain(playmoney): print('SEED', playmoney.state()['Seed'], playmoney.state()['Scenario'])")
    pytester.runpytest_subprocess("-rP").stdout.fnmatch_lines(["SEED 1 None"])


def test_a_wrong_marker_fails_with_the_reason(pytester: pytest.Pytester, running: Server) -> None:
    pytester.makepyfile(
        """
        import pytest

        @pytest.mark.playmoney("flaky-provider")
        def test_position(playmoney): pass

        @pytest.mark.playmoney(scenaro="flaky-provider")
        def test_typo(playmoney): pass

        @pytest.mark.playmoney(scenario="no-such")
        def test_unknown(playmoney): pass

        @pytest.mark.playmoney(keys="sk_live_a")
        def test_of_the_server(playmoney): pass
        """
    )
    result = pytester.runpytest_subprocess()
    result.assert_outcomes(errors=4)
    result.stdout.fnmatch_lines(["E * the marker playmoney takes keyword arguments only."])
    result.stdout.fnmatch_lines(["E * the marker playmoney has no argument *; did you mean scenario?"])
    result.stdout.fnmatch_lines(['E * Validation Error: *"no-such"*'])
    result.stdout.fnmatch_lines(["E * Validation Error: *Keys*"])


def test_options_of_the_server_are_set_only_where_the_plugin_starts_it(
    pytester: pytest.Pytester, playmoney_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeini("[pytest]\nplaymoney_args = --admin-token secret --key sk_own --strict")
    pytester.makepyfile(
        """
        def test_key(playmoney):
            assert playmoney.request("GET", "/version").status == 200
            assert playmoney.request("POST", "/charge/token", {"Unknown": 1}).json()["Code"] == 90
        """
    )
    pytester.runpytest_subprocess().assert_outcomes(passed=1)
    monkeypatch.setenv("PLAYMONEY_URL", playmoney_server.url)
    result = pytester.runpytest_subprocess()
    result.stdout.fnmatch_lines(["*Failed to use the server at PLAYMONEY_URL: playmoney_args cannot set --admin-token on a running*"])
    assert result.ret != 0


def test_a_server_with_https_is_trusted(
    pytester: pytest.Pytester, playmoney_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytester.makeini("[pytest]\nplaymoney_args = --https --tls-dir tls")
    pytester.makepyfile(
        """
        def test_https(playmoney):
            assert playmoney.url.startswith("https://")
            assert playmoney.request("GET", "/version").status == 200
        """
    )
    # The port of a server that is there already.
    monkeypatch.setenv("PLAYMONEY_PORT", playmoney_server.url.rpartition(":")[2])
    pytester.runpytest_subprocess().assert_outcomes(passed=1)


def test_the_end_of_a_run_shows_the_warnings_of_its_server(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        def test_typo(playmoney):
            order = {"Amount": 20, "Token": "tok_approve", "Referense": "order-1"}
            assert playmoney.request("POST", "/charge/token", order).status == 201
        """
    )
    shown = ["playmoney: 1 request, with warnings:", "*Referense*"]
    pytester.runpytest_subprocess().stdout.fnmatch_lines(shown)
    pytest.importorskip("xdist")
    pytester.runpytest_subprocess("-n1").stdout.fnmatch_lines(shown)


@pytest.mark.parametrize(
    ("program", "reason"),
    [
        ("no-such-program", "*no-such-program*"),
        ("{python} -c 1", "*It printed nothing.*"),
        ("{python} -c print(5)", 'it printed "5" instead of an address.'),
        ("{cli} --prot 1", "*--prot*"),
    ],
)
def test_a_program_that_does_not_start_ends_the_run_with_the_reason(
    pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, program: str, reason: str
) -> None:
    cli = os.environ.get("PLAYMONEY_PROGRAM", "playmoney")
    pytester.makepyfile("def test_a(playmoney): pass\ndef test_b(playmoney): pass")
    result = pytester.runpytest_subprocess("--playmoney-program", program.format(python=sys.executable, cli=cli))
    result.stdout.fnmatch_lines([f"*Failed to start playmoney: {reason}", "*To use a different program, set PLAYMONEY_PROGRAM.*"])
    assert result.ret != 0


def test_a_server_that_is_gone_is_named(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    # The discard port has no server, and no client can be given it.
    monkeypatch.setenv("PLAYMONEY_URL", "http://127.0.0.1:9")
    pytester.makepyfile("def test_a(playmoney): pass")
    result = pytester.runpytest_subprocess()
    result.stdout.fnmatch_lines(["*SandboxError: Nothing answers at http://127.0.0.1:9*playmoney start*"])


def test_a_program_that_ends_during_the_tests_is_told(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import os, signal, time

        def test_a(playmoney, playmoney_server):
            os.kill(playmoney_server.program._process.pid, signal.SIGKILL)
            playmoney_server.program._process.wait()
            playmoney.charges()
        """
    )
    result = pytester.runpytest_subprocess()
    result.stdout.fnmatch_lines(
        ["*SandboxError: Nothing answers at *. The program that the plugin started has ended with signal 9.*"]
    )
    assert result.ret == 1


def test_a_program_that_is_installed_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def install(folder: str, name: str) -> str:
        path = tmp_path / folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("#!/bin/sh\n")
        path.chmod(0o755)
        return str(path)

    monkeypatch.setenv("PATH", str(tmp_path / "bin"))
    # npx would ask a registry for it.
    install("bin", "npx")
    with pytest.raises(pytest.exit.Exception, match="neither in node_modules nor on the PATH"):
        program_of(None, tmp_path)
    on_the_path = install("bin", "playmoney")
    assert program_of(None, tmp_path) == [on_the_path]
    own = install("node_modules/.bin", "playmoney")
    assert program_of("", tmp_path) == [own]
    assert program_of("", tmp_path / "tests" / "api") == [own]
    assert program_of("node 'a b/cli.js'", tmp_path) == ["node", "a b/cli.js"]


def test_a_missing_program_is_said_once(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    pytester.makepyfile("def test_a(playmoney): pass\ndef test_b(playmoney): pass\ndef test_c(playmoney): pass")
    for name in ("PLAYMONEY_URL", "PLAYMONEY_PROGRAM"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PATH", str(pytester.path))
    result = pytester.runpytest_inprocess()
    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert (result.stdout.str() + result.stderr.str()).count("Failed to start playmoney") == 1


def test_a_misspelled_argument_of_the_marker_is_named(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        "import pytest\n@pytest.mark.playmoney(scenrio='flaky-provider')\ndef test_a(playmoney): pass"
    )
    result = pytester.runpytest()
    result.stdout.fnmatch_lines(['*the marker playmoney has no argument "scenrio"; did you mean scenario?*'])


def test_no_server_outlives_tests_that_are_killed(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        """
        import sys

        def test_endless(playmoney):
            print(f"URL {playmoney.url} ", flush=True)
            sys.stdin.read()
        """
    )
    command = [sys.executable, "-m", "pytest", "-s"]
    with subprocess.Popen(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=pytester.path
    ) as run:
        assert run.stdout is not None
        address = next(filter(None, (re.search(r"URL http://(.*):(\d+) ", line) for line in run.stdout)))
        server = (address[1], int(address[2]))
        with socket.create_connection(server, timeout=60) as connection:
            run.kill()
            # Ends when the server does.
            assert connection.recv(1) == b""
    with pytest.raises(OSError):
        socket.create_connection(server, timeout=60)
