"""`cranfield spark package`."""

from __future__ import annotations

import click

from cranfield.cli.completion import FILE
from cranfield.cli.options import formats_option
from cranfield.cli.progress import showing_progress
from cranfield.cli.sections import Section, show_sections
from cranfield.spark.packaging import FOLDER, pack


@click.command("package", epilog="Example: cranfield spark package -o cranfield-workers.tar.gz")
@click.option("-o", "--output", required=True, metavar="FILE", type=FILE, help="The archive to write: a .tar.gz.")
@formats_option
def command(output: str, layout: str | None) -> None:
    """Make an archive of what workers need, from what is installed here: the same versions, and no network.

    \b
    --conf spark.archives=FILE.tar.gz#cranfield
    --conf spark.executorEnv.PYTHONPATH=./cranfield

    Workers need a Python of the same version, on the same operating system and kind of processor, and nothing else.
    """
    with showing_progress():
        packed = pack(output)
    show_sections(
        {"packages": Section(("package", "version"), list(packed.versions.items()))},
        layout,
        None,
        usual=("packages",),
        whole={"file": output, "python": packed.python, "files": packed.files, "packages": packed.versions},
        said=[f"{output}: {packed.files:,} files, for workers with Python {packed.python}"],
        notes=[
            "use it with",
            f"--conf spark.archives={output}#{FOLDER} \\",
            f"--conf spark.executorEnv.PYTHONPATH=./{FOLDER}",
        ],
    )
