"""Make a depth pool with trectools: DEPTH RUN... [--list]. Prints how many documents it has, or all of them."""

import sys
import warnings

warnings.simplefilter("ignore")

from trectools import TrecPoolMaker, TrecRun  # noqa: E402


def main() -> None:
    """Parse, read and pool."""
    arguments = [argument for argument in sys.argv[1:] if argument != "--list"]
    depth, *paths = arguments
    made = TrecPoolMaker().make_pool([TrecRun(path) for path in paths], strategy="topX", topX=int(depth))
    if len(arguments) < len(sys.argv) - 1:
        for topic, documents in made.pool.items():
            for document in documents:
                print(topic, document, sep="\t")
    else:
        print(sum(map(len, made.pool.values())))


main()
