"""Run as a program: an installation with a project that is being judged, and two tokens for it.

`python -m tests.web.api.making` prints, one to a line, the project, a token that reads and writes, and one that reads.
With `shortest`, the project has a topic and a document that requests which are made up will find.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cranfield.web.projects.models import Project


def judged_project() -> Project:
    """Two topics with four documents each, for two judgments; two assessors have graded, one of them skipped one."""
    from cranfield.web.judging.handing_out import hand_out
    from cranfield.web.judging.recording import record
    from tests.web.judging.making import answer, make_assessor, make_project

    project = make_project(topics=2, documents=4, wanted=2)
    for name, grade in (("anna", 1), ("bob", 2)):
        assessor = make_assessor(project, name)
        slots = hand_out(project, assessor, 5)
        answers = [answer(slot, grade=grade if number % 2 else 1) for number, slot in enumerate(slots[:-1])]
        outcomes = record(project, assessor, [*answers, answer(slots[-1], "skip")])
        assert {outcome.status for outcome in outcomes} == {"recorded"}
    return project


def add_shortest_names(project: Project) -> None:
    """A topic and a document called what programs that make up requests try first."""
    from cranfield.data.documents import Document
    from cranfield.web.projects.adding import Wanted, add_to_pool
    from cranfield.web.projects.models import Topic

    Topic.objects.create(project=project, name="0", place=9)
    add_to_pool(project, [Wanted("0", "0", Document("0", {"text": "0"}))])


def main(arguments: list[str]) -> None:
    from cranfield.web.loading import load

    load()
    from django.core.management import call_command

    from cranfield.web.accounts.tokens import make_token

    call_command("migrate", verbosity=0)
    project = judged_project()
    if arguments == ["shortest"]:
        add_shortest_names(project)
    print(project.pk)
    for may_write in (True, False):
        print(make_token(project, None, "a program", may_write=may_write)[1])


if __name__ == "__main__":
    main(sys.argv[1:])
