"""Import made-up UBI events: FOLDER EVENTS. Prints seconds of reading and of making tables, rows kept, and the most
memory in bytes."""

import json
import resource
import sys
from pathlib import Path
from time import perf_counter

from cranfield.logs import importing
from cranfield.logs.importing import Ways, import_files
from cranfield.logs.renewing import renew
from cranfield.logs.settling import Rules

SHOWN = 10
BEGIN = 1_772_323_200_000


def write_events(path: Path, events: int) -> None:
    """Queries a second apart: ten documents shown for each, and a click on one of them."""
    with open(path, "w") as out:
        for number in range(events // (SHOWN + 2)):
            who = {
                "application": "shop",
                "query_id": f"5f1c2d3e-{number:012}",
                "session_id": f"s-{number // 4}",
                "client_id": f"c-{number * 7919 % 200_000}",
                "timestamp": BEGIN + 1000 * number,
            }
            out.write(json.dumps({**who, "user_query": f"futon frames {number % 5000}", "query_attributes": {}}) + "\n")
            for rank in range(1, SHOWN + 1):
                out.write(json.dumps(_event(who, "impression", number, rank)) + "\n")
            out.write(json.dumps(_event(who, "click", number, number % SHOWN + 1)) + "\n")


def _event(who: dict[str, object], action: str, number: int, rank: int) -> dict[str, object]:
    attributes = {
        "object": {"object_id": f"B07{(number + rank) % 30_000}", "object_id_field": "asin"},
        "position": {"ordinal": rank},
    }
    return {"action_name": action, **who, "message_type": None, "message": None, "event_attributes": attributes}


def main(folder: str, events: int) -> None:
    source = Path(folder) / "events.ndjson"
    write_events(source, events)
    marks = [perf_counter()]

    def timed(*arguments: object) -> object:
        marks.append(perf_counter())
        return renew(*arguments)  # type: ignore[arg-type]

    setattr(importing, "renew", timed)  # noqa: B010
    found = import_files([source], Path(folder) / "log", Ways(salt="pepper"), Rules())
    read, settled = marks[1] - marks[0], perf_counter() - marks[1]
    memory = 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    print(read, settled, found.added[0].rows_kept, memory, sep="\t")


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
