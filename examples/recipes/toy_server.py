"""A search engine in fifty lines, to stand for yours: it counts words that query and recipe share, rare ones more.

python toy_server.py            # answers http://127.0.0.1:8765/search?q=soup&k=10
python toy_server.py --port 0   # any free port, which it prints
"""

import argparse
import json
import math
import re
from collections import Counter
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.parse import parse_qs, urlsplit


def words(text: str) -> set[str]:
    """The words of a text, without the s at their end."""
    return {word.removesuffix("s") for word in re.findall(r"\w+", text.lower())}


RECIPES = [json.loads(line) for line in Path(__file__).with_name("documents.jsonl").read_text("utf-8").splitlines()]
WORDS = {recipe["id"]: words(f"{recipe['title']} {recipe['text']}") for recipe in RECIPES}
SPREAD = Counter(word for found in WORDS.values() for word in found)


def search(query: str, k: int) -> list[dict[str, object]]:
    """The best k recipes: each word they share with the query counts the logarithm of how rare it is."""
    sought = words(query)
    scores = {
        name: sum(math.log(1 + len(RECIPES) / SPREAD[word]) for word in sought & found) for name, found in WORDS.items()
    }
    best = sorted(scores, key=lambda name: (-scores[name], name))[:k]
    return [{"id": name, "score": scores[name]} for name in best if scores[name] > 0]


class Answering(BaseHTTPRequestHandler):
    """`GET /search?q=...&k=...`, answered with `{"hits": [{"id": ..., "score": ...}]}`."""

    protocol_version = "HTTP/1.1"
    wbufsize = -1  # head and body in one piece

    def do_GET(self) -> None:
        asked = parse_qs(urlsplit(self.path).query)
        hits = search(asked.get("q", [""])[0], int(asked.get("k", ["10"])[0]))
        content = json.dumps({"hits": hits}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, format: str, *arguments: object) -> None:
        """Nothing is said of every request."""


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--port", type=int, default=8765)
    server = ThreadingHTTPServer(("127.0.0.1", parser.parse_args().port), Answering)
    print(f"http://127.0.0.1:{server.server_port}/search", flush=True)
    server.serve_forever()
