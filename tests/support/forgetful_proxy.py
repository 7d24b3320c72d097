"""A proxy before aztables-server that gives each attempt of a request its own id. So the server does not know that an EGT
arrives again, as Azure Table Storage does not.

Everything else passes unchanged, also a reset or a response that is cut off.
"""

import contextlib
import itertools
import socket
import struct
import threading

from http_proxy import Stream
from loopback_proxy import LoopbackProxy

REQUEST_ID = "x-ms-client-request-id"
RESET = struct.pack("ii", 1, 0)  # SO_LINGER: close() resets the connection


class ForgetfulProxy(LoopbackProxy):
    _numbers = itertools.count(1)

    def serve(self, client):
        """One connection to the service for each one of a client."""
        with client:
            try:
                with socket.create_connection(self.target) as service:
                    requests = threading.Thread(target=self._requests, args=(client, service), daemon=True)
                    requests.start()
                    try:
                        while chunk := service.recv(1 << 18):
                            client.sendall(chunk)
                    finally:
                        client.shutdown(socket.SHUT_RD)  # close() would not end a recv() of the other thread
                        requests.join()
            except OSError:  # the service refused or reset it
                client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, RESET)

    def _requests(self, client, service):
        try:
            near = Stream(client)
            while True:
                request = near.read()
                request.headers = [(name, f"attempt-{next(self._numbers)}" if name.lower() == REQUEST_ID else value)
                                   for name, value in request.headers]
                service.sendall(request.bytes())
        except OSError:
            with contextlib.suppress(OSError):
                service.shutdown(socket.SHUT_RDWR)
