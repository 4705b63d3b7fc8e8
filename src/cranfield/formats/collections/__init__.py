"""Test collections on disk: a folder with documents, topics, judgments and a manifest, and the layouts they come in.

- `open_collection`: from a folder with a manifest, a BEIR folder, loose files, or a dataset of `ir_datasets`;
- `import_collection`: from one of the classic layouts into a folder with a manifest;
- `verify_collection`: whether a folder still holds what its manifest says.
"""

from cranfield.formats.collections.importing import import_collection, save_collection
from cranfield.formats.collections.layouts import LAYOUTS, layout
from cranfield.formats.collections.opening import open_collection
from cranfield.formats.collections.verifying import PartVerified, verify_collection

__all__ = [
    "LAYOUTS",
    "PartVerified",
    "import_collection",
    "layout",
    "open_collection",
    "save_collection",
    "verify_collection",
]
