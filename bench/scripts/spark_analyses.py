"""Analyses of a log on Spark: MASTER SETTINGS SMALL LOG REPEATS ANALYSIS... Prints as JSON the seconds until a session
was there, and of each analysis the seconds from the files to the numbers, once per repetition, and the numbers.

The small log is gone through before the clock starts, as `log_analyses.py` does, whose analyses they are.
"""

import json
import sys
from time import perf_counter

from log_analyses import described, found_of

from cranfield.logs.log import Log
from cranfield.logs.spark_engine import SparkEngine
from cranfield.spark.session import Cluster


def main(master: str, settings: str, small: str, folder: str, repeats: str, *analyses: str) -> None:
    cluster = Cluster(master, json.loads(settings))
    begin = perf_counter()
    cluster.session()
    found = {"session": perf_counter() - begin}
    engine = SparkEngine(cluster)
    for name in analyses:
        found_of(Log(small, engine=engine), name)
        seconds, last = [], None
        for _ in range(int(repeats)):
            begin = perf_counter()
            last = found_of(Log(folder, engine=engine), name)
            seconds.append(perf_counter() - begin)
        found[name] = {"seconds": seconds, "found": described(last, name)}
    print(json.dumps(found))


if __name__ == "__main__":
    main(*sys.argv[1:])
