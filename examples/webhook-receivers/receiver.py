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
KEPT_IDS = 10_000
SECRET = os.environ["CLIENT_SECRET"].encode()
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


def is_known(webhook_id):
    """Whether it came before. Remembers it, and forgets the oldest one when there are too many."""
    with lock:
        if webhook_id in known_ids:
            return True
        known_ids[webhook_id] = True
        if len(known_ids) > KEPT_IDS:
            del known_ids[next(iter(known_ids))]
        return False


class Receiver(BaseHTTPRequestHandler):
    timeout = 20

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        signed = is_signed(self.headers, body)
        if signed and not is_known(self.headers["webhook-id"]):
            change = json.loads(body)
            counts = [len(change[name]) for name in ("added", "removed", "updated")]
            print(self.headers["webhook-id"], *counts, flush=True)
        self.send_response(204 if signed else 401)
        self.end_headers()

    def log_message(self, *_):
        pass


ThreadingHTTPServer(("127.0.0.1", int(os.environ.get("PORT", "4000"))), Receiver).serve_forever()
