"""Active learning over made-up documents: DOCUMENTS JUDGMENTS FOLDER.

Writes documents, topic, pool and as many judgments into the folder, for `cranfield pool next`. Prints how long it took
to weigh the words of all documents, and then for each judgment the seconds from it to the next document.
"""

import json
import sys
from pathlib import Path
from time import perf_counter

import numpy as np

from cranfield.data.pool import Pool
from cranfield.formats.pools import write_pool
from cranfield.pooling.orders.named import NamedOrder
from cranfield.pooling.pool_orders import PoolOrders
from cranfield.pooling.term_matrix import TermMatrix

TOPIC, VOCABULARY, LENGTH = "1", 100_000, 90
LIKE_IT = 5
"""Of each hundred documents so many are about the topic, and have some of its words."""


def made_up(count: int) -> tuple[dict[str, str], set[str], str]:
    """Documents whose words follow Zipf's law, those that are relevant, and what the topic asks."""
    random = np.random.default_rng(0)
    words = np.array([f"w{number}" for number in range(VOCABULARY)])
    chances = 1 / np.arange(1, VOCABULARY + 1)
    drawn = random.choice(words, (count, LENGTH), p=chances / chances.sum())
    about = random.choice(words[100:2000], 12, replace=False)
    relevant = random.random(count) < LIKE_IT / 100
    drawn[relevant, :6] = random.choice(about, (int(relevant.sum()), 6))
    texts = {f"doc{number:06}": " ".join(row) for number, row in enumerate(drawn.tolist())}
    return texts, {name for name, is_so in zip(texts, relevant.tolist(), strict=True) if is_so}, " ".join(about[:3])


def main(count: int, judgments: int, folder: Path) -> None:
    texts, relevant, query = made_up(count)
    names = list(texts)
    with (folder / "documents.jsonl").open("w") as out:
        out.writelines(json.dumps({"id": name, "text": text}) + "\n" for name, text in texts.items())
    (folder / "topics.tsv").write_text(f"{TOPIC}\t{query}\n")
    write_pool(Pool.from_dict({TOPIC: names}), folder / "pool.tsv")
    begin = perf_counter()
    terms = TermMatrix.of(texts)
    print("weighing", perf_counter() - begin, sep="\t")
    order = PoolOrders(NamedOrder.parse("active"), terms=terms, queries={TOPIC: query})(TOPIC, names)
    (document,) = order.next()
    lines, seconds = [], []
    for _ in range(judgments):
        grade = int(names[document] in relevant)
        lines.append(f"{TOPIC} 0 {names[document]} {grade}\n")
        begin = perf_counter()
        order.tell(document, grade)
        (document,) = order.next()
        seconds.append(perf_counter() - begin)
    (folder / "judged.qrels").write_text("".join(lines))
    print("between", *seconds, sep="\t")


main(int(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
