"""Read a file of JSON lines with iter_documents, and with json.loads line by line, in turn.

Takes the file and how often; prints the seconds of each, and checks that both saw the same documents.
"""

import json
import sys
from time import perf_counter

from cranfield.formats.documents import iter_documents

path, repeats = sys.argv[1], int(sys.argv[2])


def with_loads() -> int:
    count = 0
    with open(path, encoding="utf-8") as lines:
        for line in lines:
            json.loads(line)
            count += 1
    return count


def with_cranfield() -> int:
    count = 0
    for _ in iter_documents(path):
        count += 1
    return count


with open(path, encoding="utf-8") as lines:
    for line, document in zip(lines, iter_documents(path), strict=True):
        record = json.loads(line)
        assert (record.pop("_id"), record) == document
taken: dict[str, list[float]] = {"cranfield": [], "json.loads": []}
for _ in range(repeats):
    for tool, read in (("cranfield", with_cranfield), ("json.loads", with_loads)):
        start = perf_counter()
        read()
        taken[tool].append(perf_counter() - start)
for tool, seconds in taken.items():
    print(tool, *seconds, sep="\t")
