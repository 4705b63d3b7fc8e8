"""`cranfield measures` as a user meets it."""

from __future__ import annotations

import json

import click.testing
import pytest

import cranfield
from cranfield.cli.measures import command
from cranfield.measures import FAMILIES, REGISTRY, parse
from cranfield.measures.description import describe
from cranfield.measures.spelling import in_python, ways_to_write
from cranfield.measures.trec_eval import NICKNAMES
from tests.cli.running import run_cranfield, run_in_terminal


def test_the_list_of_measures() -> None:
    rows = run_cranfield("measures").text.splitlines()
    assert rows[0] == "name\tother names\tmeaning"
    assert {row.split("\t")[0] for row in rows[1:]} == set(REGISTRY)


def test_the_list_as_json() -> None:
    content = json.loads(run_cranfield("measures", "--format", "json").text)
    assert sorted(entry["name"] for entry in content) == sorted(REGISTRY)
    assert list(dict.fromkeys(entry["family"] for entry in content)) == list(FAMILIES)
    (success,) = (entry for entry in content if entry["name"] == "SetP")
    assert success["other_names"] == ["set_P", "set_relative_P"]
    relative = success["parameters"][1]
    assert (relative["name"], relative["values"], relative["default"]) == ("relative", "True or False", False)
    assert "share of the best that a set of this size could reach" in relative["meaning"]


@pytest.mark.parametrize("columns", [60, 100, 140])
def test_the_list_fits_the_terminal_and_loses_nothing(columns: int) -> None:
    text = run_in_terminal("measures", columns=columns)
    assert max(map(len, text.splitlines())) <= columns
    assert ("other names" in text) == (columns == 140)
    words = text.split()
    assert all(word in words for definition in REGISTRY.values() for word in definition.meaning.split())
    assert all(name in text for name in NICKNAMES)
    assert "P@5,10 stands for two measures and P@1..10 for ten" in " ".join(words)
    headings = [line for line in text.splitlines() if line in FAMILIES]
    assert headings == list(FAMILIES)


def test_one_measure() -> None:
    text = run_cranfield("measures", "map").text
    assert text.startswith("AP: average precision\n\nThe mean of the precision at each relevant document")
    assert "    AP = 1/R Σ(i=1..n) rel_i P@i" in text
    assert "Values: from 0 to 1; more is better.\n" in text
    assert "Also called: map, map_cut, " in text
    on_one_line = " ".join(text.split())
    assert " rel: The least grade that counts as relevant. A number from 0 to 10^9; default the level of" in on_one_line
    assert " cutoff: Only the first so many documents count. A whole number from 1 to 10^12; default" in on_one_line
    assert "\nElsewhere:\n  trec_eval: `map`, `map_cut_k`.\n" in text
    assert "Buckley" in text


@pytest.mark.parametrize(
    ("name", "called"),
    [
        ("RBP", "rbp = RBP(p=0.9,gain=topic)"),
        ("SetP", "set_P, set_relative_P = SetP(relative=True)"),
        ("Rprec", "Rprec_mult_0.20 = Rprec(multiple=0.2)"),
        ("nDCG", "ndcg_burges = nDCG(gain=exponential)"),
    ],
)
def test_names_with_parameters_of_their_own(name: str, called: str) -> None:
    text = run_cranfield("measures", name).text
    assert called in text
    for one in (part for part in called.split(", ") if " = " in part):
        theirs, _, ours = one.partition(" = ")
        assert parse(theirs) == parse(ours)


def test_one_measure_as_json() -> None:
    content = json.loads(run_cranfield("measures", "ndcg_cut_10", "--format", "json").text)
    assert (content["name"], content["at"]) == ("nDCG", "cutoff")
    assert content["full_name"] == "normalised discounted cumulative gain"
    assert content["write"] == ["nDCG", "nDCG@10", "nDCG(gain=exponential)@10"]
    assert content["python"] == ["nDCG", "nDCG @ 10", 'nDCG(gain="exponential") @ 10']
    assert content["formulas"][0].startswith(r"\mathrm{nDCG}@k = \frac{")
    assert content["properties"]["Computed from"] == "judgments"
    assert content["examples"][0].startswith(">>> evaluate_one(")
    assert {"trec_eval", "ranx"} <= {entry["tool"] for entry in content["elsewhere"]}
    assert content["references"][0].startswith("K. Järvelin, J. Kekäläinen.")


def test_one_measure_in_a_narrow_terminal() -> None:
    lines = run_in_terminal("measures", "RBP", columns=50).splitlines()
    assert max(len(line) for line in lines if not line.startswith(">>>")) <= 50
    assert '>>> evaluate_one("RBP(p=0.5)", [1, 0, 1])  # 0.5 · (1 + 0.25)' in lines


@pytest.mark.parametrize(("name", "default"), [("MeanP", "10"), ("P", "all of 5, 10, 15, 20, 30, 100, 200, 500, 1000")])
def test_a_cutoff_that_is_needed(name: str, default: str) -> None:
    assert f"default {default}." in " ".join(run_cranfield("measures", name).text.split())


def test_an_erratum_stands_out() -> None:
    lines = run_in_terminal("measures", "SetP", columns=80).splitlines()
    erratum = [line for line in lines if line.startswith("  │ ")]
    assert erratum[0].startswith("  │ Erratum: ")
    assert len(erratum) > 1
    assert max(map(len, erratum)) <= 80


@pytest.mark.parametrize("name", REGISTRY)
def test_every_measure_can_be_explained(name: str) -> None:
    done = click.testing.CliRunner().invoke(command, [name])
    assert done.exit_code == 0
    assert "\\" not in done.stdout, "a formula was not turned into plain text"
    told = describe(REGISTRY[name])
    words = done.stdout.replace("│", "").split()
    for text in [told.meaning, *told.errata, *(text for _, text in told.elsewhere)]:
        assert " ".join(text.split()) in " ".join(words)


@pytest.mark.parametrize("name", REGISTRY)
def test_every_way_to_write_a_measure_is_one(name: str) -> None:
    for measure in ways_to_write(REGISTRY[name]):
        assert measure.name == name
        measure.check_parameters()
        assert parse(str(measure)) == [measure]
        assert eval(in_python(measure), {name: getattr(cranfield, name)}) == measure


@pytest.mark.parametrize("name", NICKNAMES)
def test_every_set_is_listed(name: str) -> None:
    rows = [row.split("\t") for row in run_cranfield("measures", name).text.splitlines()]
    assert [row[0] for row in rows[1:]] == list(NICKNAMES[name])
    content = json.loads(run_cranfield("measures", name, "--format", "json").text)
    inside = [measure for entry in content["measures"] for measure in entry["measures"]]
    assert inside == [str(measure) for measure in parse(name)]


def test_a_measure_that_is_not_there() -> None:
    done = run_cranfield("measures", "nDGC")
    assert (done.exit_code, done.stdout) == (2, b"")
    assert "Did you mean nDCG" in done.stderr


def test_the_tag_is_not_a_measure() -> None:
    done = run_cranfield("measures", "runid")
    assert (done.exit_code, done.stdout) == (2, b"")
    assert "runid is not a measure: it is the tag of the run" in done.stderr
