"""A project that looks like one, for pages that are looked at."""

from __future__ import annotations

from typing import Any

from cranfield.data.scale import GRADED
from cranfield.web.judging.slots import add_slots
from cranfield.web.projects.models import Item, Project, ScaleVersion, Topic
from tests.web.judging.making import new_document

NEEDS = [
    (
        "vegetable soup in winter",
        "Which soups can be cooked from vegetables that keep through the winter?",
        "Relevant are recipes, and reports by people who cooked them. A menu that names a soup is not, nor is what only "
        "sells one.",
    ),
    ("stock from bones", "How long are bones boiled for a clear stock?", ""),
]
TEXTS = [
    ("Leek and potato soup", "Leeks stand in the garden until the frost is hard; potatoes lie in the cellar. Sweat the "
     "leeks in butter, add the potatoes and a litre of stock, and boil for twenty minutes.\n\nA winter soup for four. "
     "Some add cream; the vegetables need none."),
    ("Menu of the harbour inn", "Soup of the day. Fish of the day. Cheese.\n\nThe kitchen is open until nine."),
    ("What keeps in a cellar", "Carrots, beetroot, celeriac and swede are vegetables that keep through the winter in "
     "damp sand. Onions want it dry.\n\nWhat one cooks from them is another matter."),
    ("Clear stock", "Bones are put on cold, brought to the boil slowly and skimmed. Six hours on a small flame make a "
     "stock that one can see through."),
    ("Barley broth", "Barley, roots and a ham bone: the soup of long winters. Soak the barley overnight."),
    ("On spoons", "A spoon for soup is round, that for porridge is not."),
]  # fmt: skip
GUIDELINE = (
    "Judge each document **by itself**.\n\n- In doubt, take the lower grade.\n- A recipe need not be a good one."
)


def make_soups(**settings: Any) -> Project:
    """Two topics with six documents each, on the graded scale; in a project of pairs each with the next one."""
    project = Project.objects.create(name="Soups", **settings)
    content = [
        {"value": grade.value, "name": grade.name, "definition": grade.definition, "key": grade.key}
        for grade in GRADED.grades
    ]
    ScaleVersion.objects.create(project=project, number=1, version=GRADED.version, content=content, guideline=GUIDELINE)
    documents = []
    for number, (title, text) in enumerate(TEXTS, 1):
        document = new_document(project, f"d{number}", text)
        document.title, document.fields = title, {"source": "A cook's notes", "page": 10 * number}
        document.save()
        documents.append(document)
    for place, (title, description, narrative) in enumerate(NEEDS, 1):
        topic = Topic.objects.create(
            project=project, name=str(place), title=title, description=description, narrative=narrative, place=place
        )
        others = [*documents[1:], None] if project.mode == Project.Mode.PAIRS else [None] * len(documents)
        for number, (document, other) in enumerate(zip(documents, others, strict=True), 1):
            if project.mode == Project.Mode.GRADES or other is not None:
                Item.objects.create(project=project, topic=topic, document=document, other=other, place=number)
    add_slots(project.items.all())
    return project
