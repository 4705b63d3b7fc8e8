"""A server that answers every request with the same hits, as fast as Python can; prints its port and runs until its
standard input is closed."""

import asyncio
import json
import sys

hits = [{"id": f"document-{number}", "score": 100 - number / 10} for number in range(int(sys.argv[1]))]
content = json.dumps({"took": 3, "hits": hits}).encode()
ANSWER = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n%b" % (len(content), content)


class Answering(asyncio.Protocol):
    """Requests have no body here, so an empty line ends each."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        self.pending = b""

    def data_received(self, data: bytes) -> None:
        *requests, self.pending = (self.pending + data).split(b"\r\n\r\n")
        self.transport.write(ANSWER * len(requests))  # type: ignore[attr-defined]


async def serve() -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Answering, "127.0.0.1", 0)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


asyncio.run(serve())
