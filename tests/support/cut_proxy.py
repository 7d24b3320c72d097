"""A TCP proxy on loopback before a service; it breaks the n-th batch in a chosen way.

    with cut_proxy.CutProxy(service.port) as proxy:
        proxy.plan = {3: "drop response"}      # the third POST of a batch

Ways: "refuse" closes before the service gets the request; "drop response" drops the response; "half
response" sends half of it; "hang" keeps it until the proxy stops; "busy" responds 503 itself. A function
is called when the service has the request; it returns the way, or None to forward the response.
Before(function) is called before the service gets the request. Requests are counted from 1; others pass.

    proxy.reads = {1: db.interrupt}              # the same for GET requests

A simulation (aztables-server --simulate) breaks requests, too, but its plan is fixed. This proxy remains, because it
works before Azurite, its plan changes during a test, and it calls functions of the test.
"""

import socket
import threading

from loopback_proxy import LoopbackProxy

BUSY = (b"HTTP/1.1 503 Server Busy\r\nContent-Type: application/json\r\nContent-Length: 97\r\n\r\n"
        b'{"odata.error":{"code":"ServerBusy","message":{"lang":"en-US","value":"The server is busy.\\n"}}}\n')


class Before:
    def __init__(self, function):
        self.function = function


class CutProxy(LoopbackProxy):
    def __init__(self, port):
        self.plan = {}
        self.reads = {}
        self.batches = 0
        self.gets = 0
        self.lock = threading.Lock()
        self.stopped = threading.Event()
        super().__init__(port)

    def __exit__(self, *_):
        self.stopped.set()
        super().__exit__()

    def serve(self, client):
        """Forwards the requests of one client in order, each on its own connection to the service."""
        with client:
            while True:
                request = _read_message(client)
                if not request:
                    return
                way = self._way(request.split(b"\r\n", 1)[0])
                if isinstance(way, Before):
                    way = way.function()
                if way == "refuse":
                    return
                if way == "busy":
                    client.sendall(BUSY)
                    continue
                try:
                    with socket.create_connection(self.target) as service:
                        service.sendall(request.replace(b"\r\n", b"\r\nConnection: close\r\n", 1))
                        if callable(way):
                            way = way()
                        response = b""
                        while chunk := service.recv(65536):
                            response += chunk
                except OSError:
                    return  # the service closed the connection
                if way == "drop response" or not response:
                    return
                if way == "half response":
                    client.sendall(response[: len(response) // 2])
                    return
                if way == "hang":
                    self.stopped.wait(60)
                    return
                client.sendall(response)
                if b"onnection: close" in response.split(b"\r\n\r\n", 1)[0]:
                    return

    def _way(self, line):
        with self.lock:
            if b"/$batch" in line:
                self.batches += 1
                return self.plan.get(self.batches)
            if line.startswith(b"GET "):
                self.gets += 1
                return self.reads.get(self.gets)
        return None


def _read_message(client):
    data = b""
    while b"\r\n\r\n" not in data:
        chunk = client.recv(65536)
        if not chunk:
            return b""
        data += chunk
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n")[1:]:
        name, _, value = line.partition(b":")
        if name.strip().lower() == b"content-length":
            length = int(value)
    while len(body) < length:
        chunk = client.recv(65536)
        if not chunk:
            return b""  # the client abandoned the request
        body += chunk
    return head + b"\r\n\r\n" + body
