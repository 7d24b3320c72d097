"""Starts page_server, the benchmark's table service in memory.

    with page_server.start(programs, entities=100_000, latency=20, authority=authority) as server:
        ... server.endpoint, server.counters() ...
"""

import json
import os
import re
import ssl
import subprocess
import urllib.request

import azurite
import bench_data

STOP_SECONDS = 30
# The distributions of keys in tests/support/key_distributions.h.
KEYS = ["GUIDs", "100 partitions", "one partition, padded", "one partition, ticks", "one partition, GUIDs", "most in one partition",
        "dates", "names, Zipf", "long prefix", "two clusters", "unpadded", "composite", "Cyrillic", "8 hexadecimal digits"]


class PageServer:
    """A running page_server: endpoint, ca_file (None without TLS)."""

    def __init__(self, process, port, authority):
        self.ca_file = authority.ca_file if authority else None
        self.origin = f"{'https' if authority else 'http'}://127.0.0.1:{port}"
        self.endpoint = f"{self.origin}/acc"
        self.connection_string = f"TableEndpoint={self.endpoint};AccountName=acc;AccountKey=a2V5a2V5" + (
            f";CaFile={self.ca_file}" if authority else "")
        self._process = process
        context = ssl.create_default_context(cafile=self.ca_file) if authority else None
        handlers = [urllib.request.ProxyHandler({})]
        if context:
            handlers.append(urllib.request.HTTPSHandler(context=context))
        self._opener = urllib.request.build_opener(*handlers)

    def counters(self):
        """CPU seconds of the process, requests, entities, inserts, deletes, refused."""
        with self._opener.open(f"{self.origin}/_bench", timeout=30) as response:
            return json.load(response)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.terminate()
        try:
            code = self._process.wait(timeout=STOP_SECONDS)
        except subprocess.TimeoutExpired:
            self._process.kill()
            raise
        if code != 0:
            raise RuntimeError(f"page_server ended with {code}")


def start(programs, entities, latency=0, authority=None, rate=0, keys=None):
    """A PageServer that waits `latency` ms before each response and sends at most `rate` entities per second (0: any
    number). `authority` (tls_proxy.Authority) makes it speak TLS. `keys` is one of KEYS; without it, the keys are those of
    bench_data. It ends with this process."""
    command = [os.path.join(programs, "page_server"), "--entities", str(entities), "--latency", str(latency), "--rate", str(rate)]
    command += ["--keys", keys] if keys else ["--each", str(bench_data.EACH)]
    if authority:
        command += ["--certificate", authority.certificate, "--key", authority.key]
    process = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True,
                               preexec_fn=azurite.die_with_parent())
    listening = re.match(r"listening on 127\.0\.0\.1:(\d+)\n", process.stdout.readline())
    if not listening:
        raise RuntimeError(f"page_server did not start: exit code {process.wait()}")
    return PageServer(process, int(listening.group(1)), authority)
