"""All operations of the interface, in the order of the description; those of one path stand together."""

from __future__ import annotations

from cranfield.web.api import decisions, exports, judgments, label_imports, labels, pool, projects

OPERATIONS = (
    *projects.OPERATIONS,
    *pool.OPERATIONS,
    *labels.OPERATIONS,
    *label_imports.OPERATIONS,
    *judgments.OPERATIONS,
    *decisions.OPERATIONS,
    *exports.OPERATIONS,
)
