"""Draw the pictures of README and docs/plots.md, from the files of `cranfield demo --small`, into docs/images/."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from cranfield.report import plot, write_chart

FOLDER = Path(__file__).parent.parent / "docs" / "images"
COMMAND = "python tools/plot_images.py"
IMAGES: dict[str, tuple[str, dict[str, Any]]] = {
    "per-topic.svg": ("per-topic", {}),
    "recall-precision.svg": ("recall-precision", {"band": "unjudged"}),
    "difference.svg": ("difference", {"measures": "nDCG@10"}),
    "roc.svg": ("roc", {}),
    "discount.svg": ("discount", {}),
}
"""By the name of the file, the kind of drawing and its options."""


def chart(name: str) -> Any:
    """The drawing that a picture shows."""
    kind, options = IMAGES[name]
    if kind == "discount":
        return plot(kind, **options)
    with resources.as_file(resources.files("cranfield.cli") / "small_example") as folder:
        return plot(kind, folder / "qrels.txt", [folder / "keyword.run", folder / "semantic.run"], **options)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name in IMAGES:
        write_chart(chart(name), FOLDER / name)
