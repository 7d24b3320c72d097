"""A TLS proxy on loopback before a service with plain HTTP, and certificates for it.

    authority = tls_proxy.Authority(folder)                  # a CA of its own: authority.ca_file
    with tls_proxy.TlsProxy(service.port, authority) as proxy:
        ... https://127.0.0.1:{proxy.port} ...               # proxy.handshakes counts connections

Needs the program openssl.
"""

import os
import select
import socket
import ssl
import subprocess
import threading

from loopback_proxy import LoopbackProxy

NEW_KEY = ["openssl", "req", "-x509", "-nodes", "-newkey", "ec", "-pkeyopt",
           "ec_paramgen_curve:prime256v1", "-days", "2"]


class Authority:
    """A certificate authority in a folder, with one certificate for 127.0.0.1."""

    def __init__(self, folder):
        self.ca_file = os.path.join(folder, "ca.pem")
        ca_key = os.path.join(folder, "ca_key.pem")
        self.certificate = os.path.join(folder, "server.pem")
        self.key = os.path.join(folder, "server_key.pem")
        _run(NEW_KEY + ["-subj", "/CN=aztables test authority", "-keyout", ca_key, "-out", self.ca_file])
        _run(NEW_KEY + ["-subj", "/CN=127.0.0.1", "-CA", self.ca_file, "-CAkey", ca_key, "-addext",
                        "subjectAltName=IP:127.0.0.1", "-addext", "basicConstraints=critical,CA:FALSE",
                        "-keyout", self.key, "-out", self.certificate])


class TlsProxy(LoopbackProxy):
    def __init__(self, port, authority):
        self.handshakes = 0
        self.lock = threading.Lock()
        self.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        self.context.load_cert_chain(authority.certificate, authority.key)
        super().__init__(port)

    def serve(self, client):
        """Forwards bytes in both directions until either side ends."""
        try:
            with self.context.wrap_socket(client, server_side=True) as secure:
                with self.lock:
                    self.handshakes += 1
                with socket.create_connection(self.target) as service:
                    _copy(secure, service)
        except OSError:  # for example a client that refuses the certificate
            client.close()


def _copy(secure, service):
    # One thread: an SSL socket must not be read and written at once.
    while True:
        ready = [secure] if secure.pending() else select.select([secure, service], [], [])[0]
        for source in ready:
            data = source.recv(65536)
            if not data:
                return
            (service if source is secure else secure).sendall(data)


def _run(command):
    done = subprocess.run(command, stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{command[:2]} failed (scripts/deps.sh installs openssl): {done.stderr}")
