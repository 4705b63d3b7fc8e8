"""`cranfield confusion` as a user meets it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.running import run_cranfield, run_in_terminal

# The example of the notes: D = d1..d8, relevant {1, 5, 7}, returned {1, 3, 5, 6}.
QRELS = "q 0 d1 1\nq 0 d5 1\nq 0 d7 1\n"
RUN = "q Q0 d1 1 0.9 t\nq Q0 d3 2 0.8 t\nq Q0 d5 3 0.7 t\nq Q0 d6 4 0.6 t\n"
LABELS = "item,true,predicted\n1,cat,cat\n2,cat,dog\n3,dog,dog\n4,fox,dog\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "qrels.txt").write_text(QRELS)
    (tmp_path / "a.run").write_text(RUN)
    (tmp_path / "labels.csv").write_text(LABELS)
    (tmp_path / "true.tsv").write_text("1\tcat\n2\tcat\n3\tdog\n4\tfox\n")
    (tmp_path / "predicted.tsv").write_text("4\tdog\n3\tdog\n2\tdog\n1\tcat\n")
    return tmp_path


def test_the_matrix_in_a_terminal(folder: Path) -> None:
    shown = run_in_terminal("confusion", "qrels.txt", "a.run", "-N", "8", cwd=folder, columns=80)
    assert shown == (
        "a: everything retrieved; 1 topic pooled\n"
        "\n"
        "┌────────────────────┬───────────┬───────────────┬───────┐\n"
        "│ actual \\ predicted │ retrieved │ not retrieved │ total │\n"
        "├────────────────────┼───────────┼───────────────┼───────┤\n"
        "│ relevant           │      TP 2 │          FN 1 │     3 │\n"
        "│                    │     66.7% │         33.3% │       │\n"
        "├────────────────────┼───────────┼───────────────┼───────┤\n"
        "│ not relevant       │      FP 2 │          TN 3 │     5 │\n"
        "│                    │     40.0% │         60.0% │       │\n"
        "├────────────────────┼───────────┼───────────────┼───────┤\n"
        "│ total              │         4 │             4 │     8 │\n"
        "└────────────────────┴───────────┴───────────────┴───────┘\n"
        "Percentages: shares of the relevant documents, and of the others.\n"
        "FP are Type I errors, FN are Type II errors. A document that is not judged counts as not relevant.\n"
        "\n"
        "rate                        micro   macro  weighted\n"
        "precision                  0.5000  0.5000    0.5000\n"
        "recall (sensitivity, TPR)  0.6667  0.6667    0.6667\n"
        "F1                         0.5714  0.5714    0.5714\n"
        "G                          0.5774  0.5774    0.5774\n"
        "Jaccard                    0.4000  0.4000    0.4000\n"
        "miss rate (FNR)            0.3333  0.3333    0.3333\n"
        "fallout (FPR)              0.4000  0.4000    0.4000\n"
        "specificity (TNR)          0.6000  0.6000    0.6000\n"
        "accuracy                   0.6250  0.6250    0.6250\n"
        "error rate                 0.3750  0.3750    0.3750\n"
        "\n"
        "micro: topics pooled; macro: mean of topics; weighted: by relevant documents\n"
        "1 of 1 topic; 4 documents, up to 4 a topic; top 10: 50.0% judged; no ties\n"
        "cranfield: accuracy 0.625 says little: returning nothing at all would reach 0.625. "
        "Look at precision and recall.\n"
    )


def test_the_other_way_round_and_without_the_size_of_the_collection(folder: Path) -> None:
    shown = run_in_terminal(
        "confusion", "qrels.txt", "a.run", "-k", "2", "--layout", "actual-columns", "--percent", "-q", cwd=folder
    )
    lines = shown.splitlines()
    assert lines[0] == "a: the first 2 documents of each topic; 1 topic pooled"
    assert lines[3:9] == [
        "│ predicted \\ actual │ relevant │ not relevant │ total │",
        "├────────────────────┼──────────┼──────────────┼───────┤",
        "│ retrieved          │     TP 1 │         FP 1 │     2 │",
        "│                    │    33.3% │              │       │",
        "├────────────────────┼──────────┼──────────────┼───────┤",
        "│ not retrieved      │     FN 2 │         TN ? │     ? │",
    ]
    assert "TN, and what needs it, is unknown without the size of the collection (-N)." in lines
    assert "q       1   1   2   ?     50.00%  33.33%  40.00%" in lines
    assert "accuracy                        ?       ?         ?" in lines


def test_lines_for_programs(folder: Path) -> None:
    done = run_cranfield("confusion", "qrels.txt", "a.run", "-q", cwd=folder)
    header, topic, micro, *_ = (line.split("\t") for line in done.text.splitlines())
    assert header[:8] == ["of", "name", "tp", "fp", "fn", "tn", "precision", "recall"]
    assert topic[:7] == ["topic", "q", "2", "2", "1", "", "0.5"]
    assert micro[:2] == ["average", "micro"]
    assert (done.exit_code, done.stderr) == (0, "")


def test_json(folder: Path) -> None:
    done = run_cranfield("confusion", "qrels.txt", "a.run", "-N", "8", "--format", "json", cwd=folder)
    content = json.loads(done.text)
    assert content["schema"] == "cranfield.confusion/1"
    assert content["matrix"]["counts"] == [[2, 1], [2, 3]]
    assert content["pooled"]["accuracy"] == 5 / 8
    assert content["warnings"][0].startswith("accuracy 0.625 says little")
    assert "per_query" not in content
    assert done.stderr == ""


@pytest.mark.parametrize("options", [["--threshold", "0.9", "--threshold", "0.7"], ["--sweep", "2"]])
def test_precision_and_recall_over_thresholds(folder: Path, options: list[str]) -> None:
    if options[0] == "--sweep":  # the highest and the lowest score are left of four
        (folder / "a.run").write_text("".join(RUN.splitlines(keepends=True)[:3]))
    shown = run_in_terminal("confusion", "qrels.txt", "a.run", *options, cwd=folder, columns=80)
    # By hand: {d1} has P 1/1, R 1/3, F 2/4; {d1, d3, d5} has P 2/3, R 2/3, F 4/6.
    assert shown.splitlines()[2:5] == [
        "threshold  TP  FP  FN  micro P  micro R  micro F1  macro P  macro R  macro F1",
        "0.9         1   0   2   1.0000   0.3333    0.5000   1.0000   0.3333    0.5000",
        "0.7         2   1   1   0.6667   0.6667    0.6667   0.6667   0.6667    0.6667",
    ]
    done = run_cranfield("confusion", "qrels.txt", "a.run", *options, "--format", "json", cwd=folder)
    assert [step["threshold"] for step in json.loads(done.text)["thresholds"]] == [0.9, 0.7]
    rows = run_cranfield("confusion", "qrels.txt", "a.run", *options, cwd=folder).text.splitlines()
    assert rows[1].split("\t")[:8] == ["0.9", "micro", "1", "0", "2", "", "1.0", "0.3333333333333333"]
    of_eight = run_cranfield("confusion", "qrels.txt", "a.run", *options, "-N", "8", cwd=folder)
    assert of_eight.text.splitlines()[1].split("\t")[5] == "5"  # all but d1, d5 and d7
    assert "accuracy 0.75 says little: returning nothing at all would reach 0.625." in of_eight.stderr


@pytest.mark.parametrize("files", [["labels.csv"], ["true.tsv", "predicted.tsv"]])
def test_labels(folder: Path, files: list[str]) -> None:
    shown = run_in_terminal("confusion", "--labels", *files, cwd=folder, columns=80)
    # By hand: 2 cats, one of them taken for a dog; a dog; a fox taken for a dog.
    assert shown == (
        "4 items of 3 classes\n"
        "\n"
        "┌────────────────────┬───────┬────────┬──────┬───────┐\n"
        "│ actual \\ predicted │   cat │    dog │  fox │ total │\n"
        "├────────────────────┼───────┼────────┼──────┼───────┤\n"
        "│ cat                │     1 │      1 │    0 │     2 │\n"
        "│                    │ 50.0% │  50.0% │ 0.0% │       │\n"
        "├────────────────────┼───────┼────────┼──────┼───────┤\n"
        "│ dog                │     0 │      1 │    0 │     1 │\n"
        "│                    │  0.0% │ 100.0% │ 0.0% │       │\n"
        "├────────────────────┼───────┼────────┼──────┼───────┤\n"
        "│ fox                │     0 │      1 │    0 │     1 │\n"
        "│                    │  0.0% │ 100.0% │ 0.0% │       │\n"
        "├────────────────────┼───────┼────────┼──────┼───────┤\n"
        "│ total              │     1 │      3 │    0 │     4 │\n"
        "└────────────────────┴───────┴────────┴──────┴───────┘\n"
        "Percentages: shares of the actual class.\n"
        "\n"
        "class     TP  FP  FN  TN  precision  recall      F1\n"
        "cat        1   0   1   2     1.0000  0.5000  0.6667\n"
        "dog        1   2   0   1     0.3333  1.0000  0.5000\n"
        "fox        0   0   1   3     0.0000  0.0000  0.0000\n"
        "micro                        0.5000  0.5000  0.5000\n"
        "macro                        0.4444  0.5000  0.3889\n"
        "weighted                     0.5833  0.5000  0.4583\n"
        "\n"
        "FP of a class (Type I errors): items of other classes taken for it.\n"
        "FN of a class (Type II errors): items of it taken for other classes.\n"
        "micro: classes pooled; macro: mean of classes; weighted: by items of the class\n"
        "accuracy 0.5000, error rate 0.5000\n"
        "cranfield: accuracy 0.5 is to be seen beside 0.5, which answering 'cat' every time would reach. "
        "Look at precision and recall of each class.\n"
    )


def test_labels_for_programs(folder: Path) -> None:
    done = run_cranfield("confusion", "--labels", "labels.csv", cwd=folder)
    header, cat, *_, overall = (line.split("\t") for line in done.text.splitlines())
    # Two of four items have the right label.
    assert {name: cell for name, cell in zip(header, overall, strict=True) if cell} == {
        "of": "all",
        "name": "items",
        "accuracy": "0.5",
        "error_rate": "0.5",
    }
    assert header[-3:] == ["as cat", "as dog", "as fox"]
    assert (cat[:6], cat[-3:]) == (["class", "cat", "1", "0", "1", "2"], ["1", "1", "0"])
    assert {line.count("\t") for line in done.text.splitlines()} == {len(header) - 1}
    assert "accuracy 0.5 is to be seen beside" in done.stderr
    content = json.loads(run_cranfield("confusion", "--labels", "labels.csv", "--format", "json", cwd=folder).text)
    assert content["matrix"]["counts"] == [[1, 1, 0], [0, 1, 0], [0, 1, 0]]


@pytest.mark.parametrize(("classes", "begins"), [(4, "┌"), (12, "actual \\ predicted"), (60, "Too many classes")])
def test_many_classes_fit_the_terminal(folder: Path, classes: int, begins: str) -> None:
    right = [f"right{at} class{at} class{at}\n" for at in range(classes)]
    wrong = [f"wrong{at} class{at} class{(at + 1) % classes}\n" for at in range(classes)]
    (folder / "many.txt").write_text("".join(right + wrong))
    shown = run_in_terminal("confusion", "--labels", "many.txt", cwd=folder, columns=80).splitlines()
    assert shown[2].startswith(begins)
    assert max(map(len, shown[:-1])) <= 80  # the last is the warning
    if classes == 12:  # by hand: each class once right and once taken for the next one in number, class0 for class1
        assert shown[3].split() == ["1", "class0", "1", "1", *"." * 10, "2"]
        assert shown[15].split() == ["total", *"2" * 12, "24"]


def test_pairs_of_many_classes(folder: Path) -> None:
    rows = [f"{at} class{at} class{at}\n" for at in range(60)] + ["a class1 class2\n", "b class1 class2\n"]
    (folder / "many.txt").write_text("".join(rows))
    shown = run_in_terminal("confusion", "--labels", "many.txt", cwd=folder, columns=80)
    # By hand: of three items of class1 two were taken for class2.
    assert shown.splitlines()[2:6] == [
        "Too many classes to draw. Most often confused, 1 of 1 pairs:",
        "",
        "actual  predicted  times  of the class",
        "class1  class2         2         66.7%",
    ]


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        ([], 2, "Missing argument"),
        (["qrels.txt"], 2, "cranfield: expected two files, judgments and a run, found 1; --labels compares labels"),
        (["qrels.txt", "a.run", "-N", "-8"], 2, "cranfield: documents must be a whole number from 1 to 10^12, not -8"),
        (["qrels.txt", "a.run", "-N", "4"], 1, "cranfield: 5 documents are retrieved or judged for query 'q', but documents (-N) is 4. It is the size of the whole collection."),
        (["qrels.txt", "a.run", "-k", "0"], 2, "cranfield: cutoff must be a whole number from 1 to 10^12, not 0"),
        (["qrels.txt", "a.run", "-k", "1", "--threshold", "1"], 2, "cranfield: a set ends at a rank (-k), at a score (--threshold) or at several (--sweep): choose one"),
        (["qrels.txt", "a.run", "--threshold", "nan"], 2, "cranfield: threshold must be a number, not nan"),
        (["qrels.txt", "a.run", "--sweep", "3", "-q"], 2, "cranfield: -q shows topics at one threshold only"),
        (["qrels.txt", "a.run", "--percent", "--format", "json"], 2, "cranfield: --percent is for table and tsv"),
        (["qrels.txt", "a.run", "--layout", "actual-columns"], 2, "cranfield: --layout says how the matrix is drawn, and tsv draws none; add --format table"),
        (["--labels", "labels.csv", "--layout", "actual-rows", "--format", "json"], 2, "cranfield: --layout says how the matrix is drawn, and json draws none"),
        (["qrels.txt", "a.run", "--layout", "actual-columns", "--sweep", "3", "--format", "table"], 2, "cranfield: --layout says how the matrix is drawn, and several thresholds have none"),
        (["a.run", "qrels.txt"], 1, "cranfield: a.run: this looks like a run, not like judgments"),
        (["true.tsv", "predicted.tsv"], 1, "Are these true and predicted labels? Then add --labels."),
        (["--labels", "true.tsv"], 1, "cranfield: true.tsv:1: expected 3 cells (item true predicted), found 2. Two files have item and label each"),
        (["--labels", "true.tsv", "other.tsv"], 1, "cranfield: true.tsv: 3 items have no label in other.tsv: '2', '3', '4'"),
        (["--labels", "other.tsv", "true.tsv"], 1, "cranfield: other.tsv: 1 item has no label in true.tsv: '9'"),
        (["--labels", "twice.tsv", "true.tsv"], 1, "cranfield: twice.tsv:2: item '1' has a label already (at line 1). Keep one of them."),
        (["--labels", "true.tsv", "predicted.tsv", "labels.csv"], 2, "cranfield: --labels takes one file or two, found 3"),
        (["--labels", "labels.csv", "-N", "8", "-k", "1"], 2, "cranfield: -N, -k: for judgments and a run, not for --labels"),
        (["--labels", "labels.csv", "--beta", "-1"], 2, "cranfield: beta must be a number from 0 to 10^9, not -1.0"),
    ],
)  # fmt: skip
def test_wrong_input_gives_a_line_and_an_exit_code(folder: Path, arguments: list[str], code: int, message: str) -> None:
    (folder / "other.tsv").write_text("1\tcat\n9\tdog\n")
    (folder / "twice.tsv").write_text("1\tcat\n1\tdog\n")
    done = run_cranfield("confusion", *arguments, cwd=folder)
    assert message in done.stderr
    assert (done.exit_code, done.stdout) == (code, b"")
    assert "Traceback" not in done.stderr


def test_a_perfect_classifier_needs_no_warning(folder: Path) -> None:
    done = run_cranfield("confusion", "--labels", "true.tsv", "true.tsv", cwd=folder)
    assert (done.exit_code, done.stderr) == (0, "")
    (folder / "one.tsv").write_text("1\tcat\n2\tcat\n")
    one_class = run_cranfield("confusion", "--labels", "one.tsv", "one.tsv", cwd=folder)
    assert "accuracy 1 is to be seen beside 1, which answering 'cat' every time would reach." in one_class.stderr
    (folder / "perfect.run").write_text("q Q0 d1 1 3 t\nq Q0 d5 2 2 t\nq Q0 d7 3 1 t\n")
    assert run_cranfield("confusion", "qrels.txt", "perfect.run", "-N", "8", cwd=folder).stderr == ""


def test_decimal_places(folder: Path) -> None:
    shown = run_cranfield(
        *("confusion", "qrels.txt", "a.run", "-N", "8841823", "--digits", "8", "--format", "table"), cwd=folder
    ).text
    # By hand: FPR 2/8841820, accuracy (2 + 8841818)/8841823
    assert "fallout (FPR)              0.00000023  0.00000023  0.00000023" in shown
    assert "accuracy                   0.99999966  0.99999966  0.99999966" in shown
    percent = run_cranfield(
        "confusion", "--labels", "labels.csv", "--percent", "--digits", "2", "--format", "table", cwd=folder
    )
    (macro,) = (line.split() for line in percent.text.splitlines() if line.startswith("macro "))
    assert macro == ["macro", "44%", "50%", "39%"]  # (1 + 1/3 + 0)/3, (1/2 + 1 + 0)/3, (2/3 + 1/2 + 0)/3


def test_topics_without_documents_are_counted(folder: Path) -> None:
    (folder / "two.txt").write_text(QRELS + "r 0 d1 1\n")
    (folder / "two.run").write_text(RUN + "r Q0 d1 1 0.5 t\n")
    done = run_cranfield("confusion", "two.txt", "two.run", "--threshold", "0.9", "--format", "table", cwd=folder)
    assert "1 of 2 topics have an empty set: their precision is 0" in done.text.splitlines()
    several = run_cranfield("confusion", "two.txt", "two.run", "--sweep", "9", "--format", "table", cwd=folder)
    assert "at 0.9, 1 of 2 topics have an empty set: their precision is 0" in several.text.splitlines()
    everything = run_cranfield("confusion", "two.txt", "two.run", "--format", "table", cwd=folder)
    assert "empty set" not in everything.text


def test_the_size_of_the_collection_in_a_table_of_thresholds(folder: Path) -> None:
    done = run_cranfield("confusion", "qrels.txt", "a.run", "--sweep", "4", "-N", "8", "--format", "table", cwd=folder)
    # By hand, of 5 documents that are not relevant: {d1} has none, {d1, d3} one, {d1, d3, d5} one, with d6 two.
    rows = [line.split() for line in done.text.splitlines()[2:7]]
    header = rows[0]
    assert (header.count("TN"), header.count("FPR")) == (1, 2)
    assert [row[4] for row in rows[1:]] == ["5", "4", "4", "3"]
    assert [row[8] for row in rows[1:]] == [row[12] for row in rows[1:]] == ["0.0000", "0.2000", "0.2000", "0.4000"]


def test_a_share_that_is_not_quite_all_does_not_look_so(folder: Path) -> None:
    shown = run_in_terminal("confusion", "qrels.txt", "a.run", "-N", "1000000", cwd=folder, columns=80)
    assert "│                    │     <0.1% │        >99.9% │" in shown
