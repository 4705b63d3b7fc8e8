"""Ask a server for topics, some at once, with the engine http or with nothing but a client of HTTP.

Takes the tool, the URL, how many topics and how many at once; prints the seconds from the first request to the last
hit, and how many hits there were.
"""

import asyncio
import sys
from collections.abc import Awaitable, Callable
from time import perf_counter
from typing import Any

tool, url = sys.argv[1:3]
count, at_once = map(int, sys.argv[3:])
QUERIES = {str(number): f"what is the lift of wing number {number}" for number in range(count)}
K = 1000
Found = dict[str, list[tuple[str, float]]]


def with_cranfield() -> int:
    from cranfield.data.topics import Topic, Topics
    from cranfield.engines.http_endpoint import HttpEngine
    from cranfield.engines.searching import search

    topics = Topics(Topic(name, {"title": query}) for name, query in QUERIES.items())
    places = f"{url}/search?q={{{{query}}}}&k={{{{k}}}}"
    with HttpEngine(url=places, hits="$.hits", id="id", score="score", concurrency=at_once) as engine:
        outcome = search(engine, topics, k=K)
    assert outcome.complete
    return len(outcome.run)


async def shared(get: Callable[[str], Awaitable[Any]]) -> int:
    """As many loops as may ask at once, over the same topics."""
    left, found = iter(QUERIES.items()), Found()

    async def ask() -> None:
        for name, query in left:
            answer = await get(query)
            found[name] = [(hit["id"], hit["score"]) for hit in answer["hits"]]

    await asyncio.gather(*(ask() for _ in range(at_once)))
    return sum(map(len, found.values()))


async def with_httpx() -> int:
    import httpx

    async with httpx.AsyncClient(limits=httpx.Limits(max_connections=at_once)) as client:

        async def get(query: str) -> Any:
            return (await client.get(f"{url}/search", params={"q": query, "k": K})).json()

        return await shared(get)


async def with_aiohttp() -> int:
    import aiohttp

    async with aiohttp.ClientSession() as client:

        async def get(query: str) -> Any:
            async with client.get(f"{url}/search", params={"q": query, "k": K}) as answer:
                return await answer.json()

        return await shared(get)


start = perf_counter()
hits = with_cranfield() if tool == "cranfield" else asyncio.run(with_httpx() if tool == "httpx" else with_aiohttp())
print(perf_counter() - start, hits)
