"""A program that searches: `searching_program.py DOCUMENTS.json K`, topics on standard input, a run on standard output."""

import json
import re
import sys
from pathlib import Path


def main(documents: str, k: str) -> None:
    words = {name: re.findall(r"\w+", text.lower()) for name, text in json.loads(Path(documents).read_text()).items()}
    sys.stdin.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    sys.stdout.reconfigure(encoding="utf-8")  # type: ignore[union-attr]
    for line in sys.stdin:
        topic, _, query = line.rstrip("\n").partition("\t")
        asked = set(re.findall(r"\w+", query.lower()))
        scores = {name: sum(word in asked for word in found) for name, found in words.items()}
        best = sorted(((score, name) for name, score in scores.items() if score), reverse=True)
        for rank, (score, name) in enumerate(best[: int(k)], 1):
            print(topic, "Q0", name, rank, score, "words")


if __name__ == "__main__":
    main(*sys.argv[1:])
