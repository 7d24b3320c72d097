"""A sign-in server on loopback, as Microsoft Entra and the identity endpoints of hosts behave, and tokens
for aztables-server --oauth.

    with login_server.LoginServer() as login:
        login.answer(login_server.token_response(login_server.token()))   # the next response; the last one stays
        login.requests                                                    # what was asked: Asked(...)
"""

import base64
import collections
import http.server
import json
import threading
import time
import urllib.parse

TENANT = "22222222-2222-4222-8222-222222222222"
CLIENT = "11111111-1111-4111-8111-111111111111"

Asked = collections.namedtuple("Asked", "method path headers body")


def token(seconds=3600, **claims):
    """An unsigned token that ends after `seconds`."""
    now = int(time.time())
    known = {"iss": f"https://sts.windows.net/{TENANT}/", "aud": "https://storage.azure.com", "iat": now - 10,
             "nbf": now - 10, "exp": now + seconds, "appid": CLIENT, "tid": TENANT, "oid": "3"}
    parts = [json.dumps(part).encode() for part in ({"alg": "none", "typ": "JWT"}, {**known, **claims})]
    return ".".join(base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in parts) + "."


def token_response(text, expires_in=3599):
    return 200, {"token_type": "Bearer", "expires_in": expires_in, "ext_expires_in": expires_in, "access_token": text}


def refusal(number, error="invalid_client", status=401, text="Refused."):
    return status, {"error": error, "error_description": f"AADSTS{number}: {text}\r\nTrace ID: t\r\nCorrelation ID: c0ffee",
                    "error_codes": [number], "timestamp": "2026-11-28 10:00:00Z", "trace_id": "t",
                    "correlation_id": "c0ffee"}


class LoginServer:
    def __init__(self):
        self.requests = []
        self.delay = 0  # seconds before each response
        self._answers = []
        outer = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def _serve(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0)).decode()
                form = dict(urllib.parse.parse_qsl(body, keep_blank_values=True, strict_parsing=bool(body)))
                outer.requests.append(Asked(self.command, self.path, dict(self.headers), form))
                time.sleep(outer.delay)
                status, document, *more = outer._answers[0]
                if len(outer._answers) > 1:
                    outer._answers.pop(0)
                text = document if isinstance(document, bytes) else json.dumps(document).encode()
                self.send_response(status)
                for name, value in (more[0] if more else {}).items():
                    self.send_header(name, value)
                self.send_header("Content-Type", "application/json; charset=utf-8")
                self.send_header("Content-Length", str(len(text)))
                try:
                    self.end_headers()
                    self.wfile.write(text)
                except OSError:  # the client has gone
                    pass

            do_GET = do_POST = _serve

            def log_message(self, *_):
                pass

        self._server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self._server.server_address[1]
        self.authority = f"http://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._server.serve_forever, daemon=True)
        self._thread.start()

    def answer(self, *answers):
        self._answers = list(answers)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._server.shutdown()
        self._server.server_close()
