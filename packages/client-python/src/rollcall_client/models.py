"""The shapes of the API's JSON. Written by `npm run client:python` from /openapi.json.

They are dictionaries as they came: a field that a newer service adds is there, and not in the type.
"""

from typing import Any, Literal, NotRequired, TypeAlias, TypedDict

API_VERSION = "2023-03-01"

Country: TypeAlias = Literal[
    "BZ",
    "CA",
    "CR",
    "GT",
    "MX",
    "PA",
    "SV",
    "US",
    "AR",
    "BR",
    "CL",
    "CO",
    "PE",
    "AT",
    "BE",
    "CH",
    "CY",
    "CZ",
    "DE",
    "DK",
    "EE",
    "ES",
    "FI",
    "FR",
    "GB",
    "GR",
    "IE",
    "IM",
    "IS",
    "IT",
    "LI",
    "LT",
    "LU",
    "LV",
    "MK",
    "NL",
    "NO",
    "PL",
    "PT",
    "RO",
    "RU",
    "SE",
    "SK",
    "BD",
    "CN",
    "HK",
    "ID",
    "IL",
    "IN",
    "JP",
    "KR",
    "KZ",
    "MO",
    "MY",
    "PH",
    "PK",
    "PS",
    "SA",
    "SG",
    "TH",
    "TJ",
    "TM",
    "TR",
    "TW",
    "VN",
    "ZA",
    "AU",
    "NZ",
]
"""ISO 3166-1 two-letter country code, in upper case. A country that is not of this list is null."""

AuthErrorCode: TypeAlias = Literal[
    "incorrect_username_or_password",
    "incorrect_mfa_or_otp",
    "reauthentication_required",
    "additional_account_setup_required",
    "captcha_challenge",
    "insufficient_permission",
    "no_valid_accounts",
]
"""Why a credential was refused.

- `incorrect_username_or_password`: the provider refuses the end user's credentials; with a
  `WWW-Authenticate` header, the client's own credentials are missing or wrong
- `incorrect_mfa_or_otp`: the provider refused the second factor
- `reauthentication_required`: the session at the provider has ended; with a
  `WWW-Authenticate` header, the access token is missing or not known
- `additional_account_setup_required`: the provider wants something set up in the account
  first, such as a new password
- `captcha_challenge`: the provider asks for a captcha that cannot be solved at the moment
- `insufficient_permission`: the end user's account lacks the rights to read this data
- `no_valid_accounts`: reserved; never sent
"""

WebhookStatus: TypeAlias = Literal[
    "active",
    "paused",
    "gone",
]
"""How webhooks stand at an address.

- `active`: webhooks are sent
- `paused`: every attempt failed for five days; none is sent until the address is set again
- `gone`: the receiver answered 410; none is sent until the address is set again
"""

EventType: TypeAlias = Literal[
    "connection.created",
    "connection.reauthentication_required",
    "connection.healed",
    "connection.rights_changed",
    "connection.ended",
    "data.ready",
    "data.failed",
    "data.changed",
    "provider.degraded",
    "provider.recovered",
]
"""What an event tells.

- `connection.created`: a code was exchanged: there is a new connection
- `connection.reauthentication_required`: the end user has to sign in again
- `connection.healed`: the end user has signed in again, and the same token works on
- `connection.rights_changed`: the account may read other resources than before
- `connection.ended`: the token has ended, and all that was stored for it is deleted
- `data.ready`: what a caller was told to wait for is there
- `data.failed`: what a caller was told to wait for could not be read
- `data.changed`: a poll found changes in a resource
- `provider.degraded`: many reads of a provider fail
- `provider.recovered`: reads of the provider succeed again
"""

PollableResource: TypeAlias = Literal[
    "employees",
    "company",
    "groups",
    "work-locations",
    "payruns",
    "time-off-entries",
    "timesheets",
]
"""A resource that is polled for changes when a client wants it.

- `employees`: all people
- `company`: the company
- `groups`: its teams and departments
- `work-locations`: its work locations
- `payruns`: the pay runs of the month before, of this one and of the next one
- `time-off-entries`: the absences of the month before, of this one and of the three that
  follow
- `timesheets`: the timesheets of the month before and of this one
"""

FieldOff: TypeAlias = Literal[
    "bank_account",
    "date_of_birth",
    "ethnicity",
    "relatives",
    "tax_id",
]
"""What of an employee a client can switch off.

- `bank_account`: `bank_account`
- `date_of_birth`: `date_of_birth`
- `ethnicity`: `ethnicity`
- `relatives`: `dependents` and `emergency_contacts`
- `tax_id`: `tax_id`, the employee's and not the company's
"""

CompensationPayPeriod: TypeAlias = Literal[
    "hour",
    "day",
    "week",
    "month",
    "year",
]
"""The time for which `pay_rate` is paid: the values of PayPeriod in lower case.

- `hour`: an hour
- `day`: a day
- `week`: a week
- `month`: a month
- `year`: a year
"""

PayFrequency: TypeAlias = Literal[
    "year",
    "weekly",
    "biweekly",
    "semimonthly",
    "monthly",
    "other",
]
"""How often pay is paid out.

- `year`: once a year
- `weekly`: every week
- `biweekly`: every two weeks
- `semimonthly`: twice a month
- `monthly`: every month
- `other`: at any other interval
"""

EmploymentType: TypeAlias = Literal[
    "full_time",
    "part_time",
    "contractor",
    "other",
]
"""The kind of work contract.

- `full_time`: employed full time
- `part_time`: employed part time
- `contractor`: works under a contract of their own, not as an employee
- `other`: any other kind
"""

Mode: TypeAlias = Literal[
    "official",
    "xhr",
]
"""How a connection reads the provider.

- `official`: with the vendor's own API
- `xhr`: with a customer's own sign-in
"""

Scope: TypeAlias = Literal[
    "/2023-03-01/official/company",
    "/2023-03-01/official/employee",
    "/2023-03-01/official/employees",
    "/2023-03-01/official/groups",
    "/2023-03-01/official/identity",
    "/2023-03-01/official/time-off-balances",
    "/2023-03-01/official/time-off-entries",
    "/2023-03-01/official/timesheets",
    "/2023-03-01/official/work-locations",
    "/2023-03-01/xhr/company",
    "/2023-03-01/xhr/employee",
    "/2023-03-01/xhr/employees",
    "/2023-03-01/xhr/groups",
    "/2023-03-01/xhr/identity",
    "/2023-03-01/xhr/payruns",
    "/2023-03-01/xhr/payruns/:payrun_id",
    "/2023-03-01/xhr/time-off-balances",
    "/2023-03-01/xhr/time-off-entries",
    "/2023-03-01/xhr/timesheets",
    "/2023-03-01/xhr/work-locations",
]
"""What a token may read: the path of the endpoint that the scope opens."""

EndedBy: TypeAlias = Literal[
    "client",
    "end_user",
    "operator",
    "provider",
]
"""Who ended a connection.

- `client`: the client disconnected the token
- `end_user`: the end user took the access away
- `operator`: the operator of this service disconnected the token
- `provider`: reserved; not sent at present
"""

SentAuthErrorCode: TypeAlias = Literal[
    "incorrect_username_or_password",
    "incorrect_mfa_or_otp",
    "reauthentication_required",
    "additional_account_setup_required",
    "captcha_challenge",
    "insufficient_permission",
]
"""Why a credential was refused: the codes that are sent.

- `incorrect_username_or_password`: the provider refuses the end user's credentials; with a
  `WWW-Authenticate` header, the client's own credentials are missing or wrong
- `incorrect_mfa_or_otp`: the provider refused the second factor
- `reauthentication_required`: the session at the provider has ended; with a
  `WWW-Authenticate` header, the access token is missing or not known
- `additional_account_setup_required`: the provider wants something set up in the account
  first, such as a new password
- `captcha_challenge`: the provider asks for a captcha that cannot be solved at the moment
- `insufficient_permission`: the end user's account lacks the rights to read this data
"""

Resource: TypeAlias = Literal[
    "company",
    "employees",
    "groups",
    "payruns",
    "payslips",
    "timesheets",
    "time-off-entries",
    "time-off-balances",
    "work-locations",
]
"""A kind of data of a provider, by the name of its endpoint."""

ReadError: TypeAlias = Literal[
    "incorrect_username_or_password",
    "incorrect_mfa_or_otp",
    "reauthentication_required",
    "additional_account_setup_required",
    "captcha_challenge",
    "insufficient_permission",
    "unavailable",
    "broken",
    "unsupported",
]
"""Why data could not be read.

- `incorrect_username_or_password`: the `code` of the 401 that the endpoint gives
- `incorrect_mfa_or_otp`: the `code` of the 401 that the endpoint gives
- `reauthentication_required`: the `code` of the 401 that the endpoint gives
- `additional_account_setup_required`: the `code` of the 401 that the endpoint gives
- `captcha_challenge`: the `code` of the 401 that the endpoint gives
- `insufficient_permission`: the `code` of the 401 that the endpoint gives
- `unavailable`: the endpoint gives 503
- `broken`: the endpoint gives 500
- `unsupported`: the endpoint gives 501
"""

DeliveryStatus: TypeAlias = Literal[
    "pending",
    "delivered",
    "failed",
]
"""How a delivery stands.

- `pending`: it is in flight, or waits for its next attempt
- `delivered`: the receiver answered 2xx
- `failed`: all attempts failed; whom a webhook about employees tells of is in the next one
  again, and an event is in the list of events alone
"""

DeliveryError: TypeAlias = Literal[
    "status",
    "timeout",
    "unresolvable",
    "connection_failed",
    "tls",
    "refused_target",
]
"""Why an attempt failed.

- `status`: the receiver answered, and not with 2xx: see `last_status`
- `timeout`: no answer came within 20 seconds
- `unresolvable`: the name of the address has no IP address
- `connection_failed`: the connection was refused, not made within 5 seconds, or lost
- `tls`: no TLS: the certificate is not valid for the name, or the server does not speak it
- `refused_target`: the address is not public, or its `https` is missing; nothing was sent
"""

Gender: TypeAlias = Literal[
    "male",
    "female",
    "not_specified",
]
"""Gender, as the provider lists it.

- `male`: male
- `female`: female
- `not_specified`: neither of both, or the person did not want to say
"""

Ethnicity: TypeAlias = Literal[
    "asian",
    "black",
    "hispanic",
    "mixed",
    "not_specified",
    "other",
    "white",
]
"""Ethnicity, as the provider lists it.

- `asian`: Asian
- `black`: Black
- `hispanic`: Hispanic or Latino
- `mixed`: of several
- `not_specified`: the person did not want to say
- `other`: any other
- `white`: White
"""

MaritalStatus: TypeAlias = Literal[
    "single",
    "married",
    "divorced",
    "not_specified",
    "other",
]
"""Marital status, as the provider lists it.

- `single`: never married
- `married`: married, or in a registered partnership
- `divorced`: divorced
- `not_specified`: the person did not want to say
- `other`: any other
"""

EmploymentStatus: TypeAlias = Literal[
    "active",
    "inactive",
    "pending",
    "leave",
]
"""Whether a person works there.

- `active`: employed and at work
- `inactive`: no longer employed
- `pending`: hired, and has not begun yet
- `leave`: employed, and away for a longer time
"""

PayPeriod: TypeAlias = Literal[
    "HOUR",
    "DAY",
    "WEEK",
    "MONTH",
    "YEAR",
]
"""The time for which `pay_rate` is paid.

- `HOUR`: an hour
- `DAY`: a day
- `WEEK`: a week
- `MONTH`: a month
- `YEAR`: a year
"""

GroupType: TypeAlias = Literal[
    "department",
    "team",
    "cost_centre",
    "pay_group",
]
"""What a group is.

- `department`: a department
- `team`: a team
- `cost_centre`: those whose cost is counted together
- `pay_group`: those who are paid together
"""

LimitableField: TypeAlias = Literal[
    "employee_number",
    "nationality",
    "job_title",
    "work_email",
    "personal_email",
    "mobile_phone_number",
    "tax_id",
    "gender",
    "ethnicity",
    "marital_status",
    "date_of_birth",
    "employment_status",
    "employment_type",
    "start_date",
    "termination_date",
    "remote_created_at",
    "avatar",
    "manager",
    "bank_account",
    "employment_history",
    "compensation_history",
    "custom_fields",
    "dependents",
    "emergency_contacts",
]
"""A field of employees that need not be there.

- `employee_number`: hides `employee_number`
- `nationality`: hides `nationality`
- `job_title`: hides `job_title`
- `work_email`: hides `work_email`
- `personal_email`: hides `personal_email`
- `mobile_phone_number`: hides `mobile_phone_number`
- `tax_id`: hides `tax_id`
- `gender`: hides `gender`
- `ethnicity`: hides `ethnicity`
- `marital_status`: hides `marital_status`
- `date_of_birth`: hides `date_of_birth`
- `employment_status`: hides `employment_status`
- `employment_type`: hides `employment_type`
- `start_date`: hides `start_date`
- `termination_date`: hides `termination_date`
- `remote_created_at`: hides `remote_created_at`
- `avatar`: hides `avatar`
- `manager`: hides `manager`
- `bank_account`: hides `bank_account`
- `employment_history`: hides `employment_history`
- `compensation_history`: hides `compensation_history`
- `custom_fields`: hides `custom_fields`
- `dependents`: hides `dependents`
- `emergency_contacts`: hides `emergency_contacts`
"""

PayrunState: TypeAlias = Literal[
    "paid",
    "pending",
]
"""Whether a pay run has been paid.

- `paid`: paid out
- `pending`: not paid out yet
"""

PayrunType: TypeAlias = Literal[
    "regular",
    "one_time",
    "off_cycle",
    "correction",
    "reversal",
]
"""What a pay run is for.

- `regular`: the usual pay of a period
- `one_time`: a single payment, such as a bonus
- `off_cycle`: pay outside of the usual schedule
- `correction`: mends an earlier pay run
- `reversal`: takes an earlier pay run back
"""

PayslipCurrency: TypeAlias = Literal[
    "usd",
    "gbp",
    "eur",
    "sek",
    "cad",
]
"""Lower-case ISO 4217 code of a currency.

- `usd`: US dollar
- `gbp`: pound sterling
- `eur`: euro
- `sek`: Swedish krona
- `cad`: Canadian dollar
"""

ProblemKind: TypeAlias = Literal[
    "sign_in_ended",
    "right_missing",
    "fields_limited",
    "provider_away",
    "answers_broken",
    "quota_used_up",
    "receiver_failing",
    "receiver_stopped",
    "polls_late",
    "reads_late",
    "no_worker",
    "older_process",
    "key_not_retired",
]
"""What is wrong.

- `sign_in_ended`: the provider no longer accepts the sign-in
- `right_missing`: the account may not read a resource that the token covers
- `fields_limited`: the account may not read some fields of a resource that the token covers
- `provider_away`: reads fail because the provider gives no answer
- `answers_broken`: reads fail because an answer of the provider could not be used
- `quota_used_up`: reads wait because the provider takes no more requests for a while
- `receiver_failing`: an address of the client refuses what is sent to it, and is tried again
- `receiver_stopped`: an address of the client is paused or gone, and nothing is sent to it
- `polls_late`: connections are not polled in time
- `reads_late`: reads wait for a worker
- `no_worker`: no worker runs
- `older_process`: a process of another version runs
- `key_not_retired`: a former master key is still needed
"""

ProblemTurn: TypeAlias = Literal[
    "end_user",
    "developer",
    "operator",
    "vendor",
]
"""Who can end it.

- `end_user`: the person who signed in, or who administers the account
- `developer`: who runs the application
- `operator`: who runs this service
- `vendor`: who runs the system of the provider; it ends by itself
"""

ReadOutcome: TypeAlias = Literal[
    "stored",
    "unavailable",
    "broken",
    "unsupported",
    "forbidden",
    "refused",
]
"""How a read ended.

- `stored`: its data is stored
- `unavailable`: the provider was away
- `broken`: the answer of the provider could not be used
- `unsupported`: the provider, or this account, does not have the data
- `forbidden`: the account may not read the data
- `refused`: the provider no longer accepts the sign-in
"""

ReadState: TypeAlias = Literal[
    "idle",
    "running",
    "waiting",
]
"""Whether the data is being read.

- `idle`: no read was asked for
- `running`: a read runs
- `waiting`: a read waits, for what `waits_for` says
"""

WaitsFor: TypeAlias = Literal[
    "place",
    "quota",
    "provider",
]
"""What a read waits for.

- `place`: other reads run, and it has its turn as soon as one ends
- `quota`: the provider takes no more requests for a while
- `provider`: the provider was away, and is tried again
"""

SandboxList: TypeAlias = Literal[
    "employees",
    "payruns",
    "payslips",
    "time-off-entries",
]
"""A list that can be set.

- `employees`: the employees
- `payruns`: the pay runs
- `payslips`: the payslips of all pay runs
- `time-off-entries`: absences
"""

SandboxPollState: TypeAlias = Literal[
    "pending",
    "idle",
]
"""Whether a poll is under way.

- `pending`: a poll is under way
- `idle`: no poll is under way
"""

TimeOffBalanceUnit: TypeAlias = Literal[
    "hours",
    "days",
]
"""What a balance of time off is counted in.

- `hours`: hours
- `days`: working days
"""

TimeOffPolicyType: TypeAlias = Literal[
    "bereavement",
    "holiday",
    "jury_duty",
    "personal",
    "sick",
    "vacation",
    "volunteer",
]
"""What an absence is for.

- `bereavement`: a death in the family
- `holiday`: a public holiday
- `jury_duty`: service as a juror
- `personal`: a personal reason
- `sick`: an illness
- `vacation`: paid holidays
- `volunteer`: voluntary work
"""

TimeOffUnit: TypeAlias = Literal[
    "hours",
    "days",
    "months",
]
"""What an amount of time off is counted in.

- `hours`: hours
- `days`: working days
- `months`: months
"""

TimeOffStatus: TypeAlias = Literal[
    "approved",
    "pending",
    "rejected",
]
"""Whether an absence is agreed.

- `approved`: agreed
- `pending`: asked for, not decided yet
- `rejected`: refused
"""

TokenStatus: TypeAlias = Literal[
    "active",
    "reauthentication_required",
    "disconnected",
]
"""Whether a token gives data.

- `active`: it gives data
- `reauthentication_required`: the end user has to sign in again; the same token works on
  after that
- `disconnected`: it was ended, and never gives data again
"""


class Address(TypedDict):
    """A postal address. Every member is null when it is unknown."""

    street_address: str | None
    """Street and house number. Null when unknown."""
    locality: str | None
    """City, town or village. Null when unknown."""
    administrative_area: str | None
    """State, province or region: the two-letter abbreviation in the US and Canada, the name
    elsewhere. Null when unknown.
    """
    country: Country | None
    """The country. Null when unknown."""
    post_code: str | None
    """Postal code, in the form of its country. Null when unknown."""


class BankAccount(TypedDict):
    """The account to which pay is sent."""

    account_number: str | None
    """National account number, as the provider writes it. Null when unknown."""
    bank_name: str | None
    """Name of the bank. Null when unknown."""
    bic: str | None
    """BIC (SWIFT code) of the bank. Null when unknown."""
    holder_name: str | None
    """Name of the account's holder. Null when unknown."""
    iban: str | None
    """IBAN without spaces. Null when unknown."""
    sort_code: str | None
    """Sort code of the branch, in the United Kingdom. Null when unknown."""


class Changes(TypedDict):
    """Records that changed in one way."""

    count: int
    """How many records"""
    ids: list[str]
    """The ids of these records, as in the data endpoint"""


class Client(TypedDict):
    """A client: the application that reads data."""

    client_id: str
    """The client's id"""
    client_secret: list[str]
    """The current secrets, masked to their last four characters. The first one signs webhooks."""
    redirect_uris: list[str]
    """The addresses to which a sign-in may lead back"""
    name: str
    """The name that end users see"""
    webhook_uri: str | None
    """Where webhooks are sent. Null when there are none."""
    webhook_status: WebhookStatus | None
    """How webhooks stand at `webhook_uri`. Null without one."""
    event_uri: str | None
    """Where events are sent. Null when they are not sent."""
    event_types: list[EventType] | None
    """The events that are sent to `event_uri`. Null when all are."""
    event_status: WebhookStatus | None
    """How events stand at `event_uri`. Null without one."""
    poll_resources: list[PollableResource]
    """What is polled for changes, each of which is a `data.changed`"""
    logo_url: str | None
    """Where the sign-in pages load the logo from. Null without one."""
    brand_color: str | None
    """The colour of the client's sign-in pages. Null without one."""
    purpose: str | None
    """What the data is for, as end users see it. Null when it is not said."""
    privacy_url: str | None
    """Where the client says how it treats data. Null when it is not said."""
    support_url: str | None
    """Where end users find help. Null when it is not said."""
    allow_sandbox: bool
    """Whether end users may sign in to the sandbox in the environment `prod`"""
    fields_off: list[FieldOff]
    """What is not read of employees: null in each record. Usually empty."""


class Company(TypedDict):
    """A company whose people are in the HR or payroll system."""

    id: str | None
    """The company's id at Rollcall; stable for a connection. Null when unknown."""
    remote_id: str | None
    """The company's id at the provider. Null when unknown."""
    legal_name: str | None
    """The registered name. Null when unknown."""
    display_name: str | None
    """The name by which the company goes. Null when unknown."""
    tax_id: str | None
    """The company's tax number. Null when unknown."""
    address: Address | None
    """The company's address. Null when unknown."""


class Compensation(TypedDict):
    """The pay of a person from one day on: `employments` without the position."""

    pay_rate: float | None
    """Pay for one `pay_period`, in major units of `currency` (euros, not cents). Null when
    unknown.
    """
    pay_period: CompensationPayPeriod | None
    """The time for which `pay_rate` is paid. Null when unknown."""
    pay_frequency: PayFrequency | None
    """How often pay is paid out. Null when unknown."""
    employment_type: EmploymentType | None
    """The kind of work contract. Null when unknown."""
    currency: str | None
    """Lower-case ISO 4217 code of the currency of `pay_rate`. Null when unknown."""
    effective_date: str | None
    """The first day on which this pay holds, YYYY-MM-DD. Null when unknown."""
    notes: str | None
    """A note about the change of pay. Null when unknown."""


class ConnectSession(TypedDict):
    """A one-time sign-in link."""

    connect_url: str
    """Send the end user there. The link belongs to the browser that first sends a form of its
    page.
    """
    session_id: str
    """The id of the link, for your log"""
    expires_at: str
    """Until when it can be opened, RFC 3339 in UTC"""


class ConnectionCreatedData(TypedDict):
    """What an event of the type `connection.created` tells."""

    token: str
    """The id of the connection's token, as in the list of tokens"""
    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""
    scopes: list[Scope]
    """What the token may read"""


class ConnectionEndedData(TypedDict):
    """What an event of the type `connection.ended` tells."""

    token: str
    """The id of the connection's token, as in the list of tokens"""
    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""
    by: EndedBy
    """Who ended it"""


class ConnectionHealedData(TypedDict):
    """What an event of the type `connection.healed` tells."""

    token: str
    """The id of the connection's token, as in the list of tokens"""
    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""


class ConnectionReauthenticationRequiredData(TypedDict):
    """What an event of the type `connection.reauthentication_required` tells."""

    token: str
    """The id of the connection's token, as in the list of tokens"""
    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""
    error: SentAuthErrorCode
    """The code of the 401 of data requests"""


class ConnectionRightsChangedData(TypedDict):
    """What an event of the type `connection.rights_changed` tells."""

    token: str
    """The id of the connection's token, as in the list of tokens"""
    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""
    gained: list[Resource]
    """Resources that the account may read again"""
    lost: list[Resource]
    """Resources that the account may read no longer"""
    replaces: list[str]
    """The ids of older events that were not acknowledged and that this one stands for"""


class Contribution(TypedDict):
    """What the employer pays on top; not a part of gross pay."""

    name: str
    """What it is, as the payslip says"""
    amount: float
    """The amount, in minor units of the currency (cents)"""


class DataChangedData(TypedDict):
    """What an event of the type `data.changed` tells."""

    token: str
    """The id of the connection's token, as in the list of tokens"""
    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""
    resource: PollableResource
    """What was polled"""
    added: Changes
    """Records that were not there before"""
    updated: Changes
    """Records of which a field changed"""
    removed: Changes
    """Records that are no longer there"""
    truncated: bool
    """True when there are more changes than the 1,000 whose ids are named"""


class DataFailedData(TypedDict):
    """What an event of the type `data.failed` tells."""

    token: str
    """The id of the connection's token, as in the list of tokens"""
    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""
    resource: Resource
    """What was asked for"""
    parameters: dict[str, str]
    """The parameters of the request, as in the query or the path of its data endpoint"""
    error: ReadError
    """Why it could not be read"""


class DataReadyData(TypedDict):
    """What an event of the type `data.ready` tells."""

    token: str
    """The id of the connection's token, as in the list of tokens"""
    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""
    resource: Resource
    """What was read"""
    parameters: dict[str, str]
    """The parameters of the request, as in the query or the path of its data endpoint"""
    version: str
    """The `ETag` of the data, without `W/` and quotes"""


class Deduction(TypedDict):
    """What is taken off gross pay."""

    name: str
    """What it is, as the payslip says"""
    amount: float
    """The amount, in minor units of the currency (cents)"""


class Deleted(TypedDict):
    """What was deleted with the connection."""

    credentials: Literal[True]
    """What the end user signed in with, the session, and their key"""
    lists: int
    """Stored lists of records"""
    pay_run_ids: int
    """Ids of pay runs that were given out"""
    webhooks: int
    """Bodies of webhooks that were kept"""


class Delivery(TypedDict):
    """A webhook that was sent or is pending: counts of employees, never their data."""

    id: str
    """The delivery's id, the same as `webhook-id`"""
    token: str | None
    """The id of the token whose connection it is about. Null for an event of a provider."""
    event: EventType | None
    """The type of an event. Null for a webhook about employees."""
    status: DeliveryStatus
    """How the delivery stands"""
    attempts: int
    """How many attempts were made"""
    created_at: str
    """When the change was found, RFC 3339 in UTC"""
    next_attempt_at: str | None
    """When it is tried next, RFC 3339 in UTC. Null when it is settled, while its address is
    paused or gone, and for an event that waits for the one before it.
    """
    last_status: int | None
    """The status that the receiver answered last. Null when it gave none."""
    last_error: DeliveryError | None
    """Why the last attempt failed. Null when it succeeded, and before the first one."""
    added: int
    """How many employees were added"""
    removed: int
    """How many employees were removed"""
    updated: int
    """How many employees changed"""


class DeliveryWithBody(TypedDict):
    """A webhook, with what the receiver replied; of a connection of the sandbox with its body."""

    id: str
    """The delivery's id, the same as `webhook-id`"""
    token: str | None
    """The id of the token whose connection it is about. Null for an event of a provider."""
    event: EventType | None
    """The type of an event. Null for a webhook about employees."""
    status: DeliveryStatus
    """How the delivery stands"""
    attempts: int
    """How many attempts were made"""
    created_at: str
    """When the change was found, RFC 3339 in UTC"""
    next_attempt_at: str | None
    """When it is tried next, RFC 3339 in UTC. Null when it is settled, while its address is
    paused or gone, and for an event that waits for the one before it.
    """
    last_status: int | None
    """The status that the receiver answered last. Null when it gave none."""
    last_error: DeliveryError | None
    """Why the last attempt failed. Null when it succeeded, and before the first one."""
    added: int
    """How many employees were added"""
    removed: int
    """How many employees were removed"""
    updated: int
    """How many employees changed"""
    last_reply: str | None
    """How the reply of the last attempt began, at most 1 kB of it as text, when that attempt
    failed. Null when it succeeded, without a reply, and for a receiver whose address is not
    public
    """
    body: str | None
    """The JSON text that is signed, for a connection of the sandbox; null for every other one"""


class Dependent(TypedDict):
    """A person for whom an employee provides, such as a child."""

    name: str | None
    """Full name. Null when unknown."""
    relationship: str | None
    """What they are to the employee, in the provider's words. Null when unknown."""


class Disconnection(TypedDict):
    """The token has ended."""

    disconnected: Literal[True]
    """Always true"""


class Earning(TypedDict):
    """A part of gross pay."""

    name: str
    """What it is, as the payslip says"""
    amount: float
    """The amount, in minor units of the currency (cents)"""
    hours: float | None
    """The hours that are paid. Also null for a fixed amount. Null when unknown."""


class EmergencyContact(TypedDict):
    """A person to call when something happens."""

    first_name: str | None
    """First name. Null when unknown."""
    last_name: str | None
    """Last name. Null when unknown."""
    relationship: str | None
    """What they are to the employee, in the provider's words. Null when unknown."""
    mobile_phone_number: str | None
    """Phone number, as the provider writes it. Null when unknown."""
    primary_contact: bool | None
    """Whether this person is called first. Null when unknown."""


class WorkLocation(TypedDict):
    """An address that can be associated with an employee."""

    id: str | None
    """The location's id at Rollcall; stable for a connection. Null when unknown."""
    remote_id: str | None
    """The location's id at the provider. Null when unknown."""
    name: str | None
    """The location's name. Null when unknown."""
    type: str | None
    """What the location is, in the provider's words, such as `office`. Null when unknown."""
    address: Address | None
    """The location's address. Null when unknown."""


class Manager(TypedDict):
    """The person to whom an employee reports."""

    id: str | None
    """The manager's id, as in employees. Null when unknown."""
    remote_id: str | None
    """The manager's id at the provider. Null when unknown."""
    first_name: str | None
    """First name. Null when unknown."""
    last_name: str | None
    """Last name. Null when unknown."""
    work_email: str | None
    """Email address at work. Null when unknown."""


class Employment(TypedDict):
    """A job of a person and its pay, from one day on. A new one begins when either changes."""

    job_title: str | None
    """The job title. Null when unknown."""
    effective_date: str | None
    """The first day on which this holds, YYYY-MM-DD. Null when unknown."""
    employment_type: EmploymentType | None
    """The kind of work contract. Null when unknown."""
    pay_rate: float | None
    """Pay for one `pay_period`, in major units of `currency` (euros, not cents). Null when
    unknown.
    """
    pay_period: PayPeriod | None
    """The time for which `pay_rate` is paid. Null when unknown."""
    pay_frequency: PayFrequency | None
    """How often pay is paid out. Null when unknown."""
    currency: str | None
    """Lower-case ISO 4217 code of the currency of `pay_rate`. Null when unknown."""


class EmploymentHistory(TypedDict):
    """The position of a person from one day on: `employments` without the pay."""

    job_title: str | None
    """The job title. Null when unknown."""
    effective_date: str | None
    """The first day on which this holds, YYYY-MM-DD. Null when unknown."""
    group_id: str | None
    """Id of the person's department, as in groups. Null when unknown."""
    group_remote_id: str | None
    """Id of the department at the provider. Null when unknown."""
    group_name: str | None
    """Name of the department. Null when unknown."""
    manager_id: str | None
    """Id of the person's manager, as in employees. Null when unknown."""
    manager_remote_id: str | None
    """Id of the manager at the provider. Null when unknown."""


class Group(TypedDict):
    """Any subset of employees, such as a pay group, team or department. A person can be in
    several.
    """

    id: str | None
    """The group's id at Rollcall; stable for a connection. Null when unknown."""
    remote_id: str | None
    """The group's id at the provider. Null when unknown."""
    name: str | None
    """The group's name. Null when unknown."""
    type: GroupType | None
    """What the group is. Null when unknown."""


class Employee(TypedDict):
    """An individual (employee, contractor, accountant or other) listed in the HR or payroll
    system.
    """

    id: str
    """The person's id at Rollcall; stable for a connection"""
    remote_id: str
    """The person's id at the provider"""
    employee_number: str | None
    """The number by which the company knows the person. Null when unknown."""
    first_name: str
    """First name"""
    last_name: str
    """Last name. Empty when the provider has one name only."""
    display_full_name: str
    """The name as the provider writes it in full"""
    nationality: str | None
    """Nationality, as the provider writes it. Null when unknown."""
    job_title: str | None
    """The job title of today. Null when unknown."""
    work_email: str | None
    """Email address at work. Null when unknown."""
    personal_email: str | None
    """Private email address. Null when unknown."""
    mobile_phone_number: str | None
    """Mobile phone number, as the provider writes it. Null when unknown."""
    tax_id: str | None
    """The person's tax number, as the provider writes it. Null when unknown."""
    gender: Gender | None
    """Gender, as the provider lists it. Null when unknown."""
    ethnicity: Ethnicity | None
    """Ethnicity, as the provider lists it. Null when unknown."""
    marital_status: MaritalStatus | None
    """Marital status, as the provider lists it. Null when unknown."""
    date_of_birth: str | None
    """Date of birth, YYYY-MM-DD. Null when unknown."""
    employment_status: EmploymentStatus | None
    """Whether the person works there. Null when unknown."""
    employment_type: EmploymentType | None
    """The kind of work contract of today. Null when unknown."""
    start_date: str | None
    """First day of work, YYYY-MM-DD. Null when unknown."""
    termination_date: str | None
    """Last day of work, YYYY-MM-DD, which may lie ahead. Also null without one. Null when
    unknown.
    """
    remote_created_at: str | None
    """The day on which the provider's record was made, YYYY-MM-DD. Null when unknown."""
    avatar: str | None
    """URL of a picture of the person. Null when unknown."""
    home_location: Address
    """Where the person lives. Its members are null when unknown."""
    work_location: WorkLocation
    """Where the person works. Its members are null when unknown."""
    manager: Manager | None
    """The person to whom this one reports. Null when unknown."""
    bank_account: BankAccount | None
    """The account to which pay is sent. Null when unknown."""
    employments: list[Employment]
    """The person's jobs and their pay, newest first"""
    employment_history: list[EmploymentHistory] | None
    """The positions of `employments`, newest first. Null when unknown."""
    compensation_history: list[Compensation] | None
    """The pay of `employments`, newest first. Null when unknown."""
    custom_fields: dict[str, Any] | None
    """Fields that the company added at the provider, by their names; any JSON. Null when
    unknown.
    """
    groups: list[Group]
    """The groups to which the person belongs"""
    dependents: list[Dependent] | None
    """Persons for whom this one provides. Null when unknown."""
    emergency_contacts: list[EmergencyContact] | None
    """Persons to call when something happens. Null when unknown."""


class EmployeesWebhook(TypedDict):
    """What changed in the list of employees since the webhook before. All three arrays are
    always there.
    """

    added: list[Employee]
    """Employees who were not in the list of the poll before"""
    removed: list[Employee]
    """Employees who are no longer in the list, as they were last seen"""
    updated: list[Employee]
    """Employees of whom a field changed, as they are now"""


class ListedConnectionCreatedEvent(TypedDict):
    """An event of the type `connection.created` in a list."""

    type: Literal["connection.created"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: ConnectionCreatedData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class ListedConnectionReauthenticationRequiredEvent(TypedDict):
    """An event of the type `connection.reauthentication_required` in a list."""

    type: Literal["connection.reauthentication_required"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: ConnectionReauthenticationRequiredData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class ListedConnectionHealedEvent(TypedDict):
    """An event of the type `connection.healed` in a list."""

    type: Literal["connection.healed"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: ConnectionHealedData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class ListedConnectionRightsChangedEvent(TypedDict):
    """An event of the type `connection.rights_changed` in a list."""

    type: Literal["connection.rights_changed"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: ConnectionRightsChangedData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class ListedConnectionEndedEvent(TypedDict):
    """An event of the type `connection.ended` in a list."""

    type: Literal["connection.ended"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: ConnectionEndedData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class ListedDataReadyEvent(TypedDict):
    """An event of the type `data.ready` in a list."""

    type: Literal["data.ready"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: DataReadyData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class ListedDataFailedEvent(TypedDict):
    """An event of the type `data.failed` in a list."""

    type: Literal["data.failed"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: DataFailedData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class ListedDataChangedEvent(TypedDict):
    """An event of the type `data.changed` in a list."""

    type: Literal["data.changed"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: DataChangedData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class ProviderDegradedData(TypedDict):
    """What an event of the type `provider.degraded` tells."""

    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    replaces: list[str]
    """The ids of older events that were not acknowledged and that this one stands for"""


class ListedProviderDegradedEvent(TypedDict):
    """An event of the type `provider.degraded` in a list."""

    type: Literal["provider.degraded"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: ProviderDegradedData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class ProviderRecoveredData(TypedDict):
    """What an event of the type `provider.recovered` tells."""

    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connections"""
    replaces: list[str]
    """The ids of older events that were not acknowledged and that this one stands for"""


class ListedProviderRecoveredEvent(TypedDict):
    """An event of the type `provider.recovered` in a list."""

    type: Literal["provider.recovered"]
    """What happened"""
    timestamp: str
    """When it happened, RFC 3339 in UTC"""
    data: ProviderRecoveredData
    """What the event tells"""
    id: str
    """The id of the event, the same as `webhook-id`"""


class EventPage(TypedDict):
    """A part of the client's events."""

    events: list[ListedConnectionCreatedEvent | ListedConnectionReauthenticationRequiredEvent | ListedConnectionHealedEvent | ListedConnectionRightsChangedEvent | ListedConnectionEndedEvent | ListedDataReadyEvent | ListedDataFailedEvent | ListedDataChangedEvent | ListedProviderDegradedEvent | ListedProviderRecoveredEvent]
    """The events, oldest first"""
    after: str
    """What to ask with next"""
    more: bool
    """Whether there are more events now"""


class Identity(TypedDict):
    """The user of the connected account, as captured at sign-in."""

    name: str
    """Full name of the person who signed in"""
    email: str
    """Email address of that person"""
    phone_number: str | None
    """Phone number of that person, as the provider writes it. Null when unknown."""


class StoredList(TypedDict):
    """What is stored of one request for data."""

    resource: Resource
    """The resource, by the last part of its path"""
    parameters: dict[str, str]
    """The parameters of its request, as in the query or the path of the data endpoint"""
    read_at: str
    """When the provider was asked, RFC 3339 in UTC"""
    data: Any
    """As the data endpoint has it"""


class Export(TypedDict):
    """All that is stored of a connection but its credentials."""

    token: str
    """The id of the token"""
    client_id: str
    """The client to which it belongs"""
    provider: str
    """The name of the provider"""
    mode: Mode
    """The mode of the connection"""
    scopes: list[Scope]
    """What the token may read"""
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""
    exported_at: str
    """When this was written, RFC 3339 in UTC"""
    identity: Identity | None
    """Who signed in, as the provider named them then; null when it named nobody"""
    stored: list[StoredList]
    """All that is stored of the provider's data"""


class Health(TypedDict):
    """It is well."""

    status: Literal["ok"]
    """Always `ok`"""


class Introspection(TypedDict):
    """What a token is for, and whether it works."""

    token: str
    """The id of the token, as in the tokens list and in the header of webhooks; no secret"""
    client_id: str
    """The client to which the token belongs"""
    mode: Mode
    """The mode of its connection"""
    provider: str
    """The name of the provider"""
    scopes: list[Scope]
    """What the token may read"""
    active: bool
    """False once the token was disconnected"""


class MadeSandboxConnection(TypedDict):
    """A connection of the sandbox, with its access token."""

    token: str
    """The id of the token, for the other requests of the sandbox"""
    access_token: str
    """Reads the data, like one that was exchanged for a code"""
    mode: Mode
    """The mode of the connection"""
    provider: Literal["sandbox"]
    """Always the sandbox"""
    scopes: list[Scope]
    """What the token gives access to"""
    token_type: Literal["Bearer"]
    """How the token is sent"""


class Payrun(TypedDict):
    """A run of payroll for a period. Its payslips are read with its `id`."""

    id: str
    """The pay run's id at Rollcall; stable for a connection"""
    remote_id: str
    """The pay run's id at the provider"""
    state: PayrunState | None
    """Whether it has been paid. Null when unknown."""
    type: PayrunType | None
    """What it is for. Null when unknown."""
    start_date: str | None
    """First day of the period that is paid, YYYY-MM-DD. Null when unknown."""
    end_date: str | None
    """Last day of the period that is paid, YYYY-MM-DD. Null when unknown."""
    payment_date: str | None
    """The day of payment, YYYY-MM-DD. Null when unknown."""


class Tax(TypedDict):
    """A tax or a duty."""

    name: str
    """What it is, as the payslip says"""
    amount: float
    """The amount, in minor units of the currency (cents)"""
    employer_tax: bool | None
    """Whether the employer pays it on top of gross pay. Null when unknown."""


class Reimbursement(TypedDict):
    """What is paid back to the employee, such as travel expenses."""

    name: str
    """What it is, as the payslip says"""
    amount: float
    """The amount, in minor units of the currency (cents)"""


class Payslip(TypedDict):
    """What one person is paid in one pay run. Amounts are in the currency's minor unit: 47611
    with `eur` is 476.11 €, 350000 with the code `jpy`, which has no decimals, 350,000 ¥.
    """

    id: str | None
    """The payslip's id at Rollcall; stable for a connection. Null when unknown."""
    remote_id: str | None
    """The payslip's id at the provider. Null when unknown."""
    employee_id: str
    """Id of the employee, as in employees"""
    employee_remote_id: str
    """Id of the employee at the provider"""
    payrun_id: str
    """Id of the pay run, as in payruns"""
    payrun_remote_id: str
    """Id of the pay run at the provider"""
    payrun_type: PayrunType | None
    """What the pay run is for. Null when unknown."""
    currency: PayslipCurrency | None
    """The currency of all amounts of the payslip. Null when unknown."""
    currency_code: NotRequired[str]
    """Beyond the specification, and only there when `currency` is null because it lists no such
    currency: the currency of all amounts, as a lower-case ISO 4217 code
    """
    gross_pay: float | None
    """Gross pay, in minor units of the currency (cents). Null when unknown."""
    net_pay: float | None
    """Net pay, in minor units of the currency (cents). Null when unknown."""
    start_date: str
    """First day of the period that is paid, YYYY-MM-DD"""
    end_date: str
    """Last day of the period that is paid, YYYY-MM-DD"""
    payment_date: str
    """The day of payment, YYYY-MM-DD"""
    earnings: list[Earning] | None
    """Breakdown of gross pay. Null when unknown."""
    contributions: list[Contribution] | None
    """Employer-paid items that are not part of gross pay. Null when unknown."""
    deductions: list[Deduction] | None
    """Items that are taken off gross pay. Null when unknown."""
    taxes: list[Tax] | None
    """Taxes and duties. Null when unknown."""
    reimbursements: list[Reimbursement] | None
    """Items that are paid back to the employee. Null when unknown."""


class Problem(TypedDict):
    """Something that is wrong now. It is listed no more once its cause has ended."""

    kind: ProblemKind
    """What is wrong"""
    turn: ProblemTurn
    """Who can end it"""
    what: str
    """What is wrong, in a sentence for people"""
    todo: str
    """What there is to do, in a sentence for people"""
    since: str | None
    """Since when; null where nobody wrote it down"""
    until: str | None
    """When it ends by itself; null where that is not known"""
    times: int
    """How often it happened, or how many reads or attempts it is about"""
    token: str | None
    """The id of the token; null when it is not about one connection"""
    reference: str | None
    """What you call its connection; null when nothing was given"""
    provider: str | None
    """The name of the provider; null when it is about none"""
    mode: Mode | None
    """The mode of the connection; null when it is not about one"""
    resource: Resource | None
    """Which kind of data; null when it is about none in particular"""
    detail: str | None
    """A code, a status or names of fields, which tell more; null when there are none"""


class ProblemList(TypedDict):
    """What is wrong with the connections, reads and receivers of the client."""

    problems: list[Problem]
    """What is wrong now"""
    has_more: bool
    """Whether there are more of a kind than are listed"""


class ProviderListingEntry(TypedDict):
    """The providers of one mode."""

    mode: Mode
    """The mode"""
    providers: list[str]
    """The names of its providers, in order of the alphabet"""


class Receipt(TypedDict):
    """What was deleted when a token ended."""

    token: str
    """The id of the token"""
    client_id: str
    """The client to which it belonged"""
    connection: str
    """The id of the connection"""
    disconnected_at: str
    """When the token ended and all this was deleted, RFC 3339 in UTC"""
    by: EndedBy
    """Who ended it"""
    deleted: Deleted
    """What was deleted"""


class ResourceState(TypedDict):
    """How a kind of data of a connection stands."""

    resource: Resource
    """Which kind of data"""
    read_at: str | None
    """When stored data was read last; null when none is stored"""
    records: int | None
    """How many records the last read brought; of employees, how many are stored. Null before the
    first read
    """
    took_seconds: float | None
    """How long the last read that ended took, from its request on. Null before the first one"""
    outcome: ReadOutcome | None
    """How that read ended; null before the first one"""
    state: ReadState
    """Whether a read runs or waits now"""
    waits_for: WaitsFor | None
    """What it waits for; null when it does not wait"""
    waits_until: str | None
    """Until when it waits, where that is known; null for a place"""
    next_read_at: str | None
    """When the data is polled next; null where only a request begins a read"""


class SandboxPoll(TypedDict):
    """How the poll for changed employees stands."""

    state: SandboxPollState
    """Whether a poll is under way"""
    outcome: str | None
    """How the last poll ended; null before the first"""
    polled_at: str | None
    """When the last poll ended, RFC 3339 in UTC; null before the first"""


class SandboxConnection(TypedDict):
    """What the simulated system of a connection does, and how its poll stands."""

    token: str
    """The id of the token"""
    scenario: str
    """The user name that selects what happens"""
    hour: int
    """How many simulated hours have passed"""
    failure: SentAuthErrorCode | None
    """The code with which reads fail until the next sign-in; null when they do not"""
    limited: list[str]
    """Fields of employees that the account may not read: null in each record"""
    forbidden: list[Resource]
    """Resources that the account may not read: 401 `insufficient_permission`"""
    set: list[SandboxList]
    """The lists that were set, in the place of those of the scenario"""
    poll: SandboxPoll | None
    """Null when the scopes do not include the employees"""


class TimeOffBalance(TypedDict):
    """How much time off an employee has left under one policy."""

    employee_id: str
    """Id of the employee, as in employees"""
    employee_remote_id: str
    """Id of the employee at the provider"""
    balance: float | None
    """The time that is left, counted in `unit`. Null when unknown."""
    used: float | None
    """The time that was taken, counted in `unit`. Null when unknown."""
    unit: TimeOffBalanceUnit | None
    """What `balance` and `used` are counted in. Null when unknown."""
    policy_id: str | None
    """Id of the policy under which time is taken off; stable for a connection. Null when
    unknown.
    """
    policy_remote_id: str | None
    """Id of the policy at the provider. Null when unknown."""
    policy_name: str | None
    """Name of the policy. Null when unknown."""
    policy_type: TimeOffPolicyType | None
    """What the policy is for. Null when unknown."""
    remote_created_at: str | None
    """The day on which the provider's record was made, YYYY-MM-DD. Null when unknown."""
    remote_modified_at: str | None
    """The day on which the provider's record last changed, YYYY-MM-DD. Null when unknown."""


class TimeOffEntry(TypedDict):
    """An absence of an employee."""

    id: str
    """The absence's id at Rollcall; stable for a connection"""
    remote_id: str
    """The absence's id at the provider"""
    employee_id: str
    """Id of the employee, as in employees"""
    employee_remote_id: str
    """Id of the employee at the provider"""
    start_date: str | None
    """First day of the absence, YYYY-MM-DD. Null when unknown."""
    end_date: str | None
    """Last day of the absence, YYYY-MM-DD. Null when unknown."""
    amount: float
    """How much time is taken off, counted in `unit`"""
    unit: TimeOffUnit
    """What `amount` is counted in"""
    status: TimeOffStatus | None
    """Whether the absence is agreed. Null when unknown."""
    employee_note: str | None
    """What the employee wrote about it. Null when unknown."""
    policy_id: str | None
    """Id of the policy under which time is taken off; stable for a connection. Null when
    unknown.
    """
    policy_remote_id: str | None
    """Id of the policy at the provider. Null when unknown."""
    policy_name: str | None
    """Name of the policy. Null when unknown."""
    policy_type: TimeOffPolicyType | None
    """What the policy is for. Null when unknown."""
    remote_created_at: str | None
    """The day on which the provider's record was made, YYYY-MM-DD. Null when unknown."""
    remote_modified_at: str | None
    """The day on which the provider's record last changed, YYYY-MM-DD. Null when unknown."""


class Timesheet(TypedDict):
    """A record of time that an employee worked."""

    id: str
    """The timesheet's id at Rollcall; stable for a connection"""
    remote_id: str
    """The timesheet's id at the provider"""
    employee_id: str
    """Id of the employee, as in employees"""
    employee_remote_id: str
    """Id of the employee at the provider"""
    start_time: str | None
    """When the work began, RFC 3339 in UTC. Null when unknown."""
    end_time: str | None
    """When the work ended, RFC 3339 in UTC. Null when unknown."""
    hours_worked: float
    """Hours of work, without breaks"""
    remote_created_at: str | None
    """The day on which the provider's record was made, YYYY-MM-DD. Null when unknown."""
    remote_modified_at: str | None
    """The day on which the provider's record last changed, YYYY-MM-DD. Null when unknown."""


class Token(TypedDict):
    """An access token. It has no expiry; it works until it is disconnected."""

    token: str
    """The id of the token, as in the tokens list and in the header of webhooks; no secret"""
    access_token: str
    """The credential for the data endpoints. It is shown this once; keep it secret."""
    mode: Mode
    """The mode of the connection"""
    provider: str
    """The name of the provider at which the end user signed in"""
    scopes: list[Scope]
    """What the token may read"""
    token_type: Literal["Bearer"]
    """The scheme for the `Authorization` header"""


class TokenEntry(TypedDict):
    """A token of the client, and how it stands."""

    token: str
    """The token's id, never the credential"""
    scopes: list[Scope]
    """What the token may read"""
    mode: Mode
    """The mode of its connection"""
    provider: str
    """The name of the provider"""
    created_at: str
    """When the token was made, RFC 3339 in UTC"""
    valid: bool
    """False once the token was disconnected"""
    status: TokenStatus
    """Whether the token gives data"""
    forbidden: list[Resource]
    """Resources that the end user's account may not read. Empty when it may read all."""
    limited: dict[str, list[str]]
    """By resource, the fields that the account may not read, of every record or of some. They
    are null there.
    """
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""


class TokenState(TypedDict):
    """A token of the client, its connection, and how the data of it stands."""

    token: str
    """The token's id, never the credential"""
    scopes: list[Scope]
    """What the token may read"""
    mode: Mode
    """The mode of its connection"""
    provider: str
    """The name of the provider"""
    created_at: str
    """When the token was made, RFC 3339 in UTC"""
    valid: bool
    """False once the token was disconnected"""
    status: TokenStatus
    """Whether the token gives data"""
    forbidden: list[Resource]
    """Resources that the end user's account may not read. Empty when it may read all."""
    limited: dict[str, list[str]]
    """By resource, the fields that the account may not read, of every record or of some. They
    are null there.
    """
    reference: str | None
    """What the client calls the connection; null when it set none, and after a disconnect"""
    metadata: dict[str, Any] | None
    """What the client keeps beside the connection; null as `reference` is"""
    since: str | None
    """Since when it has this status; null where an earlier version did not write it down"""
    reason: SentAuthErrorCode | None
    """Why the end user has to sign in again, as the `code` of a 401; else null"""
    unsupported: list[Resource]
    """Resources that the provider, or this account, did not have at the last sign-in"""
    resources: list[ResourceState]
    """The data that the scopes cover; empty once the token was disconnected"""


class UpdatedClient(TypedDict):
    """A client after a change."""

    client_id: str
    """The client's id"""
    client_secret: list[str]
    """The current secrets, masked to their last four characters. The first one signs webhooks."""
    redirect_uris: list[str]
    """The addresses to which a sign-in may lead back"""
    name: str
    """The name that end users see"""
    webhook_uri: str | None
    """Where webhooks are sent. Null when there are none."""
    webhook_status: WebhookStatus | None
    """How webhooks stand at `webhook_uri`. Null without one."""
    event_uri: str | None
    """Where events are sent. Null when they are not sent."""
    event_types: list[EventType] | None
    """The events that are sent to `event_uri`. Null when all are."""
    event_status: WebhookStatus | None
    """How events stand at `event_uri`. Null without one."""
    poll_resources: list[PollableResource]
    """What is polled for changes, each of which is a `data.changed`"""
    logo_url: str | None
    """Where the sign-in pages load the logo from. Null without one."""
    brand_color: str | None
    """The colour of the client's sign-in pages. Null without one."""
    purpose: str | None
    """What the data is for, as end users see it. Null when it is not said."""
    privacy_url: str | None
    """Where the client says how it treats data. Null when it is not said."""
    support_url: str | None
    """Where end users find help. Null when it is not said."""
    allow_sandbox: bool
    """Whether end users may sign in to the sandbox in the environment `prod`"""
    fields_off: list[FieldOff]
    """What is not read of employees: null in each record. Usually empty."""
    new_client_secret: NotRequired[str]
    """After `rotate_secret`: the new secret, which is shown this once"""
