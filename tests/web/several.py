"""Run as a program: several commands one after the other in one process, which takes the time of one.

The commands are on standard input, a JSON list of lists; what each left behind goes to standard output.
"""

from __future__ import annotations

import contextlib
import io
import json
import sys

from cranfield.cli.main import run


def main() -> None:
    done = []
    for arguments in json.load(sys.stdin):
        sys.argv = ["cranfield", *arguments]
        out, error = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(error):
            code = run()
        texts = [stream.buffer.getvalue().decode() for stream in (out, error)]
        done.append([code, *texts])
    json.dump(done, sys.stdout)


if __name__ == "__main__":
    main()
