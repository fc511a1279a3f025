"""Receives webhooks, checks their Standard Webhooks signature and prints what changed.

Run it with Python 3.8 or newer: CLIENT_SECRET=rc_cs_… python3 receiver.py
"""

import base64
import hashlib
import hmac
import json
import os
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

TOLERANCE_SECONDS = 300
MAX_BODY_BYTES = 64 << 20
KEPT_IDS = 10_000
SECRET = os.environ.get("CLIENT_SECRET", "").encode()
if not SECRET:
    raise SystemExit("Set CLIENT_SECRET to the secret of your client.")
# Your application keeps the ids in its database, for 14 days.
known_ids = {}
lock = threading.Lock()


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


def take(webhook_id, said):
    """Works on it once. Remembers it, and forgets the oldest one when there are too many."""
    with lock:
        if webhook_id in known_ids:
            return
        work(webhook_id, said)
        # Not before the work: a webhook whose work fails has to come again.
        known_ids[webhook_id] = True
        if len(known_ids) > KEPT_IDS:
            del known_ids[next(iter(known_ids))]


def work(webhook_id, said):
    """Where `event_uri` is the same address, events come here too. Those have a type."""
    if "type" not in said:
        counts = [len(said[name]) for name in ("added", "removed", "updated")]
        print(webhook_id, *counts, flush=True)


class Receiver(BaseHTTPRequestHandler):
    timeout = 20

    def do_POST(self):
        body = self.read_body()
        signed = body is not None and is_signed(self.headers, body)
        if signed:
            take(self.headers["webhook-id"], json.loads(body))
        self.send_response(204 if signed else 401)
        self.end_headers()

    def read_body(self):
        """None for one without a length or with too many bytes, which strangers send too."""
        length = self.headers.get("content-length", "")
        if not length.isdecimal() or int(length) > MAX_BODY_BYTES:
            return None
        return self.rfile.read(int(length))

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
