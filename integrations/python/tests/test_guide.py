"""The pages of the manual do what they say."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import List

import pytest
from conftest import ROOT

from pytest_playmoney.server import Server

GUIDE = ROOT / "docs/guides/pytest.md"
README = ROOT / "integrations/python/README.md"
SOURCES = sorted((ROOT / "integrations/python").rglob("src/**/*.py"))


def blocks_of(page: Path, language: str) -> List[str]:
    text = page.read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def test_the_tests_of_the_pages_pass(pytester: pytest.Pytester) -> None:
    [configuration] = blocks_of(GUIDE, "ini")
    # The scenario of the example would decline charges of the others.
    pytester.makeini(re.sub("^playmoney_scenario.*$", "", configuration, flags=re.MULTILINE))
    files = [*blocks_of(GUIDE, "python"), *blocks_of(README, "python")]
    pytester.makepyfile(**{f"test_{n}": text for n, text in enumerate(files)})
    pytester.runpytest_subprocess().assert_outcomes(passed=6)


def test_a_failure_looks_like_the_one_of_the_guide(
    pytester: pytest.Pytester, playmoney_server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PLAYMONEY_URL", playmoney_server.url)
    [checkout, *_] = blocks_of(GUIDE, "python")
    pytester.makepyfile(test_checkout=checkout.replace('["FAILED", "SUCCESS"]', "[]"))
    [shown] = blocks_of(GUIDE, "text")
    lines = shown.replace("…", "*").splitlines()
    pytester.runpytest_subprocess().stdout.fnmatch_lines(["-* playmoney -*", *lines[1:]])


def test_the_configuration_of_the_guide_is_accepted(pytester: pytest.Pytester) -> None:
    pytester.makeini(blocks_of(GUIDE, "ini")[0])
    pytester.makepyfile("def test_a(playmoney): assert playmoney.state()['Scenario'] == 'flaky-provider'")
    pytester.runpytest_subprocess("--strict-config").assert_outcomes(passed=1)


@pytest.mark.parametrize("path", SOURCES, ids=[path.name for path in SOURCES])
def test_the_sources_are_those_of_python_3_9(path: Path) -> None:
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 9))
