"""Which error a refusal becomes."""

import unittest

from rollcall_client import (
    AccountSetupRequiredError,
    ConflictError,
    CredentialError,
    ForbiddenError,
    InvalidRequestError,
    NotFoundError,
    NotSupportedError,
    PermissionMissingError,
    RollcallError,
    ScopeMissingError,
    SignInRequiredError,
    TokenDisconnectedError,
    UnexpectedReplyError,
)
from rollcall_client.errors import Response, error_of

from .stand_in import answer


def raised(status: int, body: object, **headers: str) -> RollcallError:
    reply = answer(status, body, **headers)
    return error_of(Response(reply.status_code, reply.headers, reply.content))


def account(code: str) -> dict[str, str]:
    return {"error": "authentication_error", "message": "Refused.", "code": code}


class Refusals(unittest.TestCase):
    def test_a_401_of_the_account_has_the_class_of_what_is_to_be_done(self) -> None:
        for code, kind in {
            "reauthentication_required": SignInRequiredError,
            "incorrect_username_or_password": SignInRequiredError,
            "incorrect_mfa_or_otp": SignInRequiredError,
            "additional_account_setup_required": AccountSetupRequiredError,
            "captcha_challenge": AccountSetupRequiredError,
            "insufficient_permission": PermissionMissingError,
            "a_code_of_next_year": SignInRequiredError,
        }.items():
            error = raised(401, account(code))
            self.assertIs(type(error), kind, code)
            self.assertEqual(getattr(error, "code", None), code)

    def test_a_401_of_the_application_asks_no_end_user_to_sign_in(self) -> None:
        error = raised(401, account("reauthentication_required"), www_authenticate="Bearer")
        self.assertIs(type(error), CredentialError)

    def test_a_403_tells_a_token_that_ended_from_one_that_lacks_the_scope(self) -> None:
        ended = raised(403, {"message": "The token was disconnected."})
        scope = 'Bearer error="insufficient_scope", scope="/2023-03-01/xhr/groups"'
        lacking = raised(403, {"message": "This endpoint needs…"}, www_authenticate=scope)
        other = raised(403, {"message": "The token is of another environment."})
        self.assertEqual(
            [type(error) for error in (ended, lacking, other)],
            [TokenDisconnectedError, ScopeMissingError, ForbiddenError],
        )

    def test_an_error_has_what_its_body_tells(self) -> None:
        invalid = raised(400, {"message": "No.", "validation_error": "start_date: missing"})
        missing = raised(404, {"message": "No.", "id": "p1"})
        conflict = raised(409, {"error": "conflict", "code": "c", "token": "t"})
        assert isinstance(invalid, InvalidRequestError)
        self.assertIn("start_date: missing", str(invalid))
        assert isinstance(missing, NotFoundError)
        assert isinstance(conflict, ConflictError)
        self.assertEqual(
            (invalid.validation_error, missing.id, conflict.token),
            ("start_date: missing", "p1", "t"),
        )

    def test_the_log_gets_status_and_request_and_the_end_user_a_sentence(self) -> None:
        error = raised(501, {"message": "The provider has no pay runs."}, x_request_id="r1")
        self.assertIsInstance(error, NotSupportedError)
        self.assertEqual(str(error), "The provider has no pay runs. (501, request r1)")
        self.assertEqual(error.sentence, "Your HR or payroll system does not offer this data.")

    def test_a_refusal_without_a_message_is_not_of_the_service(self) -> None:
        self.assertIs(type(raised(502, {"detail": "Bad gateway"})), UnexpectedReplyError)
        self.assertIs(type(raised(401, ["no"])), UnexpectedReplyError)
