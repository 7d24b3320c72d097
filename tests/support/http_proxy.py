"""An HTTP proxy on loopback before a table service, whose subclasses change requests and responses.

The self-check of the oracle of reads needs a service that is wrong (read_broken). A simulation of aztables-server is
always right: it only fails, or ends pages early. SharedKeyLite signs date and path, so the query string may change.
"""

import socket
import threading
import urllib.parse

from loopback_proxy import LoopbackProxy

TOKENS = ("NextPartitionKey", "NextRowKey")


class Message:
    """A request or a response: first line, headers as (name, value), body."""

    def __init__(self, first, headers, body=b""):
        self.first, self.headers, self.body = first, headers, body

    def header(self, name):
        return next((value for key, value in self.headers if key.lower() == name.lower()), None)

    def without(self, *names):
        dropped = {name.lower() for name in names}
        self.headers = [(key, value) for key, value in self.headers if key.lower() not in dropped]

    def bytes(self):
        self.without("Content-Length", "Transfer-Encoding")
        bare = self.first.split(" ")[1] in ("204", "304") or (self.first.startswith("GET") and not self.body)
        length = [] if bare else [f"Content-Length: {len(self.body)}"]
        lines = [self.first, *(f"{key}: {value}" for key, value in self.headers), *length, "", ""]
        return "\r\n".join(lines).encode("latin-1") + self.body


class Stream:
    """Messages of a connection, one after the other."""

    def __init__(self, connection):
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.connection, self.data = connection, b""

    def _more(self):
        chunk = self.connection.recv(1 << 18)
        if not chunk:
            raise ConnectionError("closed")
        self.data += chunk

    def _until(self, mark):
        while mark not in self.data:
            self._more()
        head, _, self.data = self.data.partition(mark)
        return head

    def _bytes(self, count):
        while len(self.data) < count:
            self._more()
        taken, self.data = self.data[:count], self.data[count:]
        return taken

    def read(self):
        first, *lines = self._until(b"\r\n\r\n").decode("latin-1").split("\r\n")
        message = Message(first, [tuple(part.strip() for part in line.split(":", 1)) for line in lines])
        if (message.header("Transfer-Encoding") or "").lower() == "chunked":
            while size := int(self._until(b"\r\n").split(b";")[0], 16):
                message.body += self._bytes(size)
                self._until(b"\r\n")
            self._until(b"\r\n")
        else:
            message.body = self._bytes(int(message.header("Content-Length") or 0))
        return message


class Query:
    """The parsed address of a query for entities: `options` in order, decoded."""

    def __init__(self, address):
        self.path, _, query = address.partition("?")
        self.options = dict(urllib.parse.parse_qsl(query, keep_blank_values=True))

    def address(self):
        return self.path + "?" + "&".join(f"{key}={urllib.parse.quote(value, safe='')}" for key,
                                          value in self.options.items())


class Proxy(LoopbackProxy):
    """Forwards unchanged. While `active`, subclasses may change a Query before it is sent (ask), or change a response
    (answered; pointed for a read of one entity)."""
    active = True

    def ask(self, query):
        """Changes a query."""

    def answered(self, query, message):
        """Changes the response to a query."""

    def pointed(self, address, message):
        """Changes the response to a read of one entity."""

    def serve(self, client):
        """One connection to the service for each one of a client."""
        with client:
            try:
                with socket.create_connection(self.target) as service:
                    near, far = Stream(client), Stream(service)
                    while True:
                        request = near.read()
                        client.sendall(self._pass(request, far).bytes())
            except OSError:
                return  # one side is closed, which the other notices

    def _pass(self, request, far):
        method, address, version = request.first.split(" ")
        active = self.active and method == "GET"
        query = Query(address) if active and address.partition("?")[0].endswith("()") else None
        if query:
            self.ask(query)
            request.first = f"{method} {query.address()} {version}"
        far.connection.sendall(request.bytes())
        response = far.read()
        if query and response.first.split(" ")[1] == "200":
            self.answered(query, response)
        elif active and not query:
            self.pointed(address, response)
        return response
