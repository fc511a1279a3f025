"""The link, and the callback that is not believed."""

import base64
import hashlib
import json
import unittest
from functools import partial
from typing import Any
from urllib.parse import parse_qs, urlsplit

from rollcall_client import Rollcall, SignInFailedError, StateMismatchError

from .stand_in import BASE_URL, ROLLCALL, LOST, StandIn, answer, both

REDIRECT = "https://app.example.com/callback"
TOKEN = answer(201, {"access_token": "rc_at_1", "token": "t1", "mode": "xhr"})


def begin() -> Any:
    with Rollcall(BASE_URL, "id", "secret") as rollcall:
        return rollcall.begin_sign_in(REDIRECT, ["/2023-03-01/xhr/employees"], sandbox=True)


def named(kept: Any, query: Any, given: Any, rollcall: Any) -> Any:
    return rollcall.finish_sign_in(kept, query, **given)


class Links(unittest.TestCase):
    def test_carry_a_state_and_the_digest_of_a_verifier_that_stays_here(self) -> None:
        sign_in = begin()
        address = urlsplit(sign_in.url)
        query = {name: values[0] for name, values in parse_qs(address.query).items()}
        digest = hashlib.sha256(sign_in.kept["code_verifier"].encode()).digest()
        challenge = base64.urlsafe_b64encode(digest).decode().rstrip("=")
        self.assertEqual(
            query,
            {
                "client_id": "id",
                "redirect_uri": REDIRECT,
                "scope": "/2023-03-01/xhr/employees",
                "state": sign_in.kept["state"],
                "code_challenge": challenge,
                "code_challenge_method": "S256",
                "sandbox": "true",
            },
        )
        self.assertNotIn(sign_in.kept["code_verifier"], sign_in.url)

    def test_are_new_for_each_sign_in(self) -> None:
        first, second = begin().kept, begin().kept
        self.assertNotEqual(first["state"], second["state"])
        self.assertNotEqual(first["code_verifier"], second["code_verifier"])


class Callbacks(unittest.TestCase):
    def refused(self, query: dict[str, str], kept: dict[str, str] | None = None) -> Any:
        given = begin().kept if kept is None else kept
        filled = {
            name: value.replace("KEPT", given.get("state", "")) for name, value in query.items()
        }
        outcomes = both(ROLLCALL, lambda it: it.finish_sign_in(given, filled))
        self.assertEqual([outcome.stand_in.requests for outcome in outcomes], [[], []])
        return outcomes[0].error

    def test_of_another_browser_are_refused_before_anything_is_sent(self) -> None:
        for state in ("other", "", "é"):
            query = {"code": "c", "state": state, "iss": BASE_URL}
            self.assertIs(type(self.refused(query)), StateMismatchError)
        self.assertIs(type(self.refused({"code": "c", "iss": BASE_URL})), StateMismatchError)

    def test_without_a_sign_in_are_refused_also_when_both_states_are_missing(self) -> None:
        query = {"code": "c", "state": "", "iss": BASE_URL}
        self.assertIs(type(self.refused(query, kept={})), StateMismatchError)

    def test_of_another_service_are_refused(self) -> None:
        query = {"code": "c", "state": "KEPT"}
        issuers: list[dict[str, str]] = [{"iss": "https://evil.example.com"}, {}]
        for issuer in issuers:
            self.assertIs(type(self.refused({**query, **issuer})), StateMismatchError)

    def test_that_tell_an_error_are_that_error(self) -> None:
        error = self.refused({"error": "access_denied", "state": "KEPT", "iss": BASE_URL})
        self.assertIs(type(error), SignInFailedError)
        self.assertEqual(error.error, "access_denied")

    def test_are_exchanged_once_more_when_the_answer_was_lost(self) -> None:
        kept = begin().kept
        query = {"code": "c", "state": kept["state"], "iss": BASE_URL}
        for outcome in both(ROLLCALL, lambda it: it.finish_sign_in(kept, query), LOST, TOKEN):
            self.assertEqual(outcome.value["token"], "t1")
            self.assertEqual(len(outcome.stand_in.requests), 2)

    def test_can_give_the_connection_a_name_of_your_own(self) -> None:
        kept = begin().kept
        query = {"code": "c", "state": kept["state"], "iss": BASE_URL}
        choices: list[dict[str, str]] = [{"reference": "customer-1"}, {}]
        for given in choices:
            for outcome in both(ROLLCALL, partial(named, kept, query, given), TOKEN):
                body = json.loads(outcome.stand_in.requests[0].content)
                self.assertEqual(body.get("reference"), given.get("reference"))
                self.assertNotIn("metadata", body)


class Secrets(unittest.TestCase):
    def test_are_in_no_text_of_an_object(self) -> None:
        sign_in = begin()
        rollcall = Rollcall(BASE_URL, "id", "top-secret", http=StandIn([]).http)
        texts = (
            repr(sign_in) + repr(rollcall._account) + repr(rollcall.connection("rc_at_9")._account)
        )
        for secret in (sign_in.kept["code_verifier"], "top-secret", "rc_at_9"):
            self.assertNotIn(secret, texts)
