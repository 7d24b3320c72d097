"""A TCP proxy on loopback before a service. Subclasses handle a client's connection (serve). They do what a simulation of
aztables-server cannot: TLS, responses of a wrong service, and calls of the test while a request is under way.
"""

import socket
import threading


class LoopbackProxy:
    def __init__(self, port):
        self.target = ("127.0.0.1", port)
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        if self.listener.fileno() >= 0:  # a test may have ended it already
            self.listener.shutdown(socket.SHUT_RDWR)
            self.listener.close()

    def serve(self, client):
        """Handles one connection of a client, in its own thread."""
        raise NotImplementedError

    def _accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.serve, args=(client,), daemon=True).start()
