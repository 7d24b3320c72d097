"""Starts the pinned Azurite's table service on a free loopback port, and stops it again.

A module for test drivers:

    with azurite.start() as service:          # or azurite.start(main_js)
        run(..., env={**os.environ, "AZTABLES_CONNECTION_DEMO": service.connection_string})

The service keeps everything in memory. It always ends with the process that started it.
"""

import atexit
import ctypes
import http.client
import os
import pathlib
import shutil
import signal
import socket
import subprocess
import tempfile
import time

ACCOUNT = "devstoreaccount1"
# The emulator's account key, the same everywhere and published in its documentation: no secret.
ACCOUNT_KEY = (
    "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw=="
)
HOST = "127.0.0.1"
ATTEMPTS = 5
START_SECONDS = 60

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG = 1


class AzuriteError(Exception):
    """Azurite is not installed, or did not start."""


def default_main_js():
    """The path that scripts/azurite.sh prints: from AZTABLES_AZURITE, else under build/azurite."""
    root = pathlib.Path(__file__).resolve().parents[3]
    installed = root / "build/azurite/node_modules/azurite/dist/src/table/main.js"
    return os.environ.get("AZTABLES_AZURITE") or str(installed)


def die_with_parent():
    """A preexec_fn: the kernel kills the child when the thread that started it ends."""
    parent = os.getpid()

    def in_child():
        _LIBC.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL, 0, 0, 0)
        if os.getppid() != parent:  # it ended before prctl
            os.kill(os.getpid(), signal.SIGKILL)

    return in_child


class Azurite:
    """A running table service: port, connection_string, log (a path), pid; stop() ends it."""

    def __init__(self, process, port, log):
        self.port = port
        self.log = log
        self.pid = process.pid
        self.endpoint = f"http://{HOST}:{port}/{ACCOUNT}"
        self.connection_string = (
            f"DefaultEndpointsProtocol=http;AccountName={ACCOUNT};AccountKey={ACCOUNT_KEY};"
            f"TableEndpoint={self.endpoint};"
        )
        self._process = process
        atexit.register(self.stop)

    def log_text(self):
        """The service's output so far."""
        return _read(self.log)

    def stop(self):
        """Ends the service; may be repeated. The log stays until the interpreter exits."""
        atexit.unregister(self.stop)
        _end(self._process)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.stop()


def start(main_js=None, access_log=False, options=()):
    """Starts the service and returns an Azurite once it responds.

    main_js: see default_main_js(). access_log: one line per request in the log (slower). options:
    additional options of Azurite. The calling thread must outlive the service.
    """
    main_js = main_js or default_main_js()
    if not os.path.isfile(main_js):
        raise AzuriteError(f"no Azurite at {main_js}; scripts/azurite.sh installs it")
    if shutil.which("node") is None:
        raise AzuriteError("no command node; scripts/deps.sh demo installs it")
    folder = tempfile.mkdtemp(prefix="aztables-azurite-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    command = ["node", main_js, "--tableHost", HOST, "--disableTelemetry", "--inMemoryPersistence"]
    command += ["--skipApiVersionCheck", *([] if access_log else ["--silent"]), *options]
    for attempt in range(1, ATTEMPTS + 1):
        port = _free_port()
        log = os.path.join(folder, f"azurite-{attempt}.log")
        with open(log, "wb") as output:
            process = subprocess.Popen(
                [*command, "--tablePort", str(port)],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=folder,
                preexec_fn=die_with_parent(),
            )
        try:
            if _wait_until_it_answers(process, port, log):
                return Azurite(process, port, log)
        except BaseException:
            _end(process)
            raise
        _end(process)
        if "EADDRINUSE" not in _read(log):
            break  # another port would not help
    raise AzuriteError(f"Azurite did not start; its log:\n{_read(log)}")


def _wait_until_it_answers(process, port, log):
    # The log line proves that the port belongs to this process; the request proves that it serves.
    deadline = time.monotonic() + START_SECONDS
    while time.monotonic() < deadline and process.poll() is None:
        if f"successfully started on {HOST}:{port}" in _read(log):
            try:
                connection = http.client.HTTPConnection(HOST, port, timeout=5)
                connection.request("GET", f"/{ACCOUNT}/Tables")
                connection.getresponse().read()
                connection.close()
                return True
            except OSError:
                pass
        time.sleep(0.02)
    return False


def _free_port():
    with socket.socket() as listener:
        listener.bind((HOST, 0))
        return listener.getsockname()[1]


def _read(path):
    return pathlib.Path(path).read_text(encoding="utf-8", errors="replace")


def _end(process):
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            process.kill()
    process.wait()
