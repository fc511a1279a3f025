"""Receives webhooks, checks their Standard Webhooks signature and prints what changed.

Run it with Python 3.8 or newer: CLIENT_SECRET=rc_cs_… python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
SECRET = os.environ["CLIENT_SECRET"].encode()


def is_signed(headers, body):
    """Works on the bytes as they arrived. Parsed and printed again, they would be other bytes."""
    webhook_id = headers.get("webhook-id", "")
    timestamp = headers.get("webhook-timestamp", "")
    if not webhook_id or not timestamp.isdecimal():
        return False
    if abs(time.time() - int(timestamp)) > TOLERANCE_SECONDS:
        return False
    signed = f"{webhook_id}.{timestamp}.".encode() + body
    digest = hmac.new(SECRET, signed, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    entries = headers.get("webhook-signature", "").split(" ")
    return any(hmac.compare_digest(entry.encode(), expected) for entry in entries)


class Receiver(BaseHTTPRequestHandler):
    timeout = 20

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        signed = is_signed(self.headers, body)
        if signed:
            # Your application first looks up webhook-id. One that it has processed needs a 204
            # and no more.
            change = json.loads(body)
            counts = [len(change[name]) for name in ("added", "removed", "updated")]
            print(self.headers["webhook-id"], *counts, flush=True)
        self.send_response(204 if signed else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
