"""Drawn pages as User Behavior Insights 1.3 has them, one JSON object to a line: what another search would have
logged."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence

import numpy as np

from cranfield.data.strings import Ints
from cranfield.logs.simulation.drawing import Drawn
from cranfield.logs.simulation.rows import SHUFFLED
from cranfield.logs.simulation.world import World


class UbiLines:
    """What makes lines of pages; names are quoted once."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._texts, self._documents = _quoted(world.texts), _quoted(world.documents)
        self._applications = _quoted([*world.systems, SHUFFLED])

    def of(self, pages: Drawn) -> Iterator[str]:
        """Each query with the documents it was answered with; then clicks, then purchases. Ordinals begin at 1."""
        codes = (pages.number, pages.session, pages.user, pages.text, pages.system)
        who = [
            f'"application":{self._applications[system]},"query_id":"q{number}","session_id":"s{session}",'
            f'"client_id":"u{user}","user_query":{self._texts[text]}'
            for number, session, user, text, system in zip(*(code.tolist() for code in codes), strict=True)
        ]
        shown = np.where(pages.pair >= 0, self._world.pair_document[pages.pair], -1).tolist()
        for by, time, hits in zip(who, _times(pages.time_ms), shown, strict=True):
            found = ",".join([self._documents[hit] for hit in hits if hit >= 0])
            yield f'{{{by},"timestamp":"{time}","query_response_hit_ids":[{found}]}}\n'
        price = self._world.price.tolist()
        for page, at, time, document, dwell in _done(self._world, pages, buys=False):
            yield (
                f'{{"action_name":"click",{who[page]},"timestamp":"{time}","event_attributes":{{"object":{{"object_id":'
                f'{self._documents[document]}}},"position":{{"ordinal":{at + 1}}},"dwell_time":{dwell / 1000}}}}}\n'
            )
        for page, at, time, document, _ in _done(self._world, pages, buys=True):
            yield (
                f'{{"action_name":"purchase",{who[page]},"timestamp":"{time}","event_attributes":{{"object":{{'
                f'"object_id":{self._documents[document]},"price":{price[document]}}},"position":{{"ordinal":{at + 1}}}'
                "}}\n"
            )


def _done(world: World, pages: Drawn, *, buys: bool) -> Iterator[tuple[int, int, str, int, int]]:
    """Page, place, time, document and stay of each click, or of each purchase, which is when the stay ends."""
    page, at = np.nonzero(pages.bought if buys else pages.clicked)
    dwell = pages.dwell_ms[page, at]
    times = _times(pages.time_ms[page] + pages.click_ms[page, at] + (dwell if buys else 0))
    document = world.pair_document[pages.pair[page, at]]
    return zip(page.tolist(), at.tolist(), times, document.tolist(), dwell.tolist(), strict=True)


def _quoted(names: Sequence[str]) -> list[str]:
    return [json.dumps(name, ensure_ascii=False) for name in names]


def _times(time_ms: Ints) -> list[str]:
    texts: list[str] = np.datetime_as_string(time_ms.astype("datetime64[ms]"), timezone="UTC").tolist()
    return texts
