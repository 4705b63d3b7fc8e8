"""Drawn pages as User Behavior Insights 1.3 has them, one JSON object to a line: what another search would have logged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.data.strings import Ints
from cranfield.logs.simulation.drawing import Drawn
from cranfield.logs.simulation.rows import SHUFFLED
from cranfield.logs.simulation.world import World


def ubi_lines(world: World, pages: Drawn) -> Iterator[str]:
    """Each query, and the clicks and purchases after it; ordinals are counted from 1."""
    texts, documents = _quoted(world.texts), _quoted(world.documents)
    applications = _quoted([*world.systems, SHUFFLED])
    asked = _times(pages.time_ms)
    clicks = _events(pages)
    for page, (number, session, user, text, system) in enumerate(
        zip(*(each.tolist() for each in (pages.number, pages.session, pages.user, pages.text, pages.system)), strict=True)
    ):
        hits = ",".join(documents[world.pair_document[pair]] for pair in pages.pair[page].tolist() if pair >= 0)
        who = (
            f'"application":{applications[system]},"query_id":"q{number}","session_id":"s{session}",'
            f'"client_id":"u{user}","user_query":{texts[text]}'
        )
        yield f'{{{who},"timestamp":"{asked[page]}","query_response_hit_ids":[{hits}]}}\n'
        for action, pair, rank, time, more in clicks.get(page, ()):
            yield (
                f'{{"action_name":"{action}",{who},"timestamp":"{time}","event_attributes":{{"object":{{"object_id":'
                f'{documents[world.pair_document[pair]]}{more[0]}}},"position":{{"ordinal":{rank}}}{more[1]}}}}}\n'
                if action == "click"
                else f'{{"action_name":"{action}",{who},"timestamp":"{time}","event_attributes":{{"object":{{"object_id":'
                f'{documents[world.pair_document[pair]]},"price":{world.price[world.pair_document[pair]]}}},'
                f'"position":{{"ordinal":{rank}}}}}}}\n'
            )
