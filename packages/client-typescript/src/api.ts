// Made by `npm run client:types` from /openapi.json. Change the description, not this file.

/** The version of the API that this library is for. */
export const apiVersion = "2023-03-01";

/** A postal address. Every member is null when it is unknown. */
export interface Address {
  /** Street and house number. Null when unknown. */
  street_address: string | null;
  /** City, town or village. Null when unknown. */
  locality: string | null;
  /** State, province or region: the two-letter abbreviation in the US and Canada, the name elsewhere. Null when unknown. */
  administrative_area: string | null;
  /** The country. Null when unknown. */
  country: Country | null;
  /** Postal code, in the form of its country. Null when unknown. */
  post_code: string | null;
}

/**
 * Why a credential was refused.
 *
 * - `incorrect_username_or_password`: the provider refuses the end user's credentials; with a `WWW-Authenticate` header, the client's own credentials are missing or wrong
 * - `incorrect_mfa_or_otp`: the provider refused the second factor
 * - `reauthentication_required`: the session at the provider has ended; with a `WWW-Authenticate` header, the access token is missing or not known
 * - `additional_account_setup_required`: the provider wants something set up in the account first, such as a new password
 * - `captcha_challenge`: the provider asks for a captcha that cannot be solved at the moment
 * - `insufficient_permission`: the end user's account lacks the rights to read this data
 * - `no_valid_accounts`: reserved; never sent
 */
export type AuthErrorCode =
  | "incorrect_username_or_password"
  | "incorrect_mfa_or_otp"
  | "reauthentication_required"
  | "additional_account_setup_required"
  | "captcha_challenge"
  | "insufficient_permission"
  | "no_valid_accounts";

/** A credential was refused. With a `WWW-Authenticate` header it is the one of the request; without, the provider refused the end user's account. */
export interface AuthenticationError {
  /** Always `authentication_error` */
  error: "authentication_error";
  /** What is wrong, for a person who reads the log */
  message: string;
  /** Why the credential was refused */
  code: AuthErrorCode;
}

/** The request is not valid. `validation_error` says what to change. */
export interface BadRequest {
  /** What is wrong, for a person who reads the log */
  message: string;
  /** What is wrong, by field, header or position */
  validation_error: string;
}

/** The account to which pay is sent. */
export interface BankAccount {
  /** National account number, as the provider writes it. Null when unknown. */
  account_number: string | null;
  /** Name of the bank. Null when unknown. */
  bank_name: string | null;
  /** BIC (SWIFT code) of the bank. Null when unknown. */
  bic: string | null;
  /** Name of the account's holder. Null when unknown. */
  holder_name: string | null;
  /** IBAN without spaces. Null when unknown. */
  iban: string | null;
  /** Sort code of the branch, in the United Kingdom. Null when unknown. */
  sort_code: string | null;
}

/** The body is larger than is taken: 64 KiB, and 200 kB for the update of a client. */
export interface BodyTooLarge {
  /** What is wrong, for a person who reads the log */
  message: string;
}

/** Records that changed in one way. */
export interface Changes {
  /** How many records */
  count: number;
  /** The ids of these records, as in the data endpoint */
  ids: string[];
}

/** A client: the application that reads data. */
export interface Client {
  /** The client's id */
  client_id: string;
  /** The current secrets, masked to their last four characters. The first one signs webhooks. */
  client_secret: string[];
  /** The addresses to which a sign-in may lead back */
  redirect_uris: string[];
  /** The name that end users see */
  name: string;
  /** Where webhooks are sent. Null when there are none. */
  webhook_uri: string | null;
  /** How webhooks stand at `webhook_uri`. Null without one. */
  webhook_status: WebhookStatus | null;
  /** Where events are sent. Null when they are not sent. */
  event_uri: string | null;
  /** The events that are sent to `event_uri`. Null when all are. */
  event_types: EventType[] | null;
  /** How events stand at `event_uri`. Null without one. */
  event_status: WebhookStatus | null;
  /** What is polled for changes, each of which is a `data.changed` */
  poll_resources: PollableResource[];
  /** Where the sign-in pages load the logo from. Null without one. */
  logo_url: string | null;
  /** The colour of the client's sign-in pages. Null without one. */
  brand_color: string | null;
  /** What the data is for, as end users see it. Null when it is not said. */
  purpose: string | null;
  /** Where the client says how it treats data. Null when it is not said. */
  privacy_url: string | null;
  /** Where end users find help. Null when it is not said. */
  support_url: string | null;
  /** Whether end users may sign in to the sandbox in the environment `prod` */
  allow_sandbox: boolean;
  /** What is not read of employees: null in each record. Usually empty. */
  fields_off: FieldOff[];
}

/** The fields to change, at least one. */
export interface ClientUpdate {
  /** The name that end users see: 1 to 100 characters */
  name?: string | undefined;
  /** All secrets that are valid from now on, one or a list of up to three, each of 32 to 255 printable ASCII characters at random. The first one signs webhooks. */
  client_secret?: string | string[] | undefined;
  /** Where webhooks are sent: an https address. Null switches them off. */
  webhook_uri?: string | null | undefined;
  /** Where events are sent: an https address. Null switches that off. */
  event_uri?: string | null | undefined;
  /** The events that are sent to `event_uri`. Null means all. */
  event_types?: EventType[] | null | undefined;
  /** Read-only; taken, also as null, when it is unchanged */
  event_status?: string | null | undefined;
  /** What is polled for changes, each of which is a `data.changed`. Null means the usual: employees, as long as there is an address. */
  poll_resources?: PollableResource[] | null | undefined;
  /** All addresses to which a sign-in may lead back: https, or http on loopback */
  redirect_uris?: string[] | undefined;
  /** A PNG up to 100 kB, in base64; null takes it away */
  logo?: string | null | undefined;
  /** The colour of buttons and links of the client's sign-in pages, where the operator allows it: such as #1f5aa6, with a contrast of 4.5 on #f3f4f8. Null takes it away. */
  brand_color?: string | null | undefined;
  /** What the data is for: one sentence, shown to end users. Null takes it away. */
  purpose?: string | null | undefined;
  /** Where the client says how it treats data: an https address, or null */
  privacy_url?: string | null | undefined;
  /** Where end users find help: an https address, or mailto:. Null takes it away. */
  support_url?: string | null | undefined;
  /** Whether end users may sign in to the sandbox in the environment `prod` */
  allow_sandbox?: boolean | undefined;
  /** All that is not read of employees from now on; an empty list switches everything on again. What was stored of employees is removed. */
  fields_off?: FieldOff[] | undefined;
  /** Puts a new secret first, keeps the latest two, and shows the new one once */
  rotate_secret?: boolean | undefined;
  /** Read-only; taken when it is unchanged */
  client_id?: string | undefined;
  /** Read-only; taken, also as null, when it is unchanged */
  webhook_status?: string | null | undefined;
  /** Read-only; taken, also as null, when it is unchanged */
  logo_url?: string | null | undefined;
}

/** A company whose people are in the HR or payroll system. */
export interface Company {
  /** The company's id at Rollcall; stable for a connection. Null when unknown. */
  id: string | null;
  /** The company's id at the provider. Null when unknown. */
  remote_id: string | null;
  /** The registered name. Null when unknown. */
  legal_name: string | null;
  /** The name by which the company goes. Null when unknown. */
  display_name: string | null;
  /** The company's tax number. Null when unknown. */
  tax_id: string | null;
  /** The company's address. Null when unknown. */
  address: Address | null;
}

/** The pay of a person from one day on: `employments` without the position. */
export interface Compensation {
  /** Pay for one `pay_period`, in major units of `currency` (euros, not cents). Null when unknown. */
  pay_rate: number | null;
  /** The time for which `pay_rate` is paid. Null when unknown. */
  pay_period: CompensationPayPeriod | null;
  /** How often pay is paid out. Null when unknown. */
  pay_frequency: PayFrequency | null;
  /** The kind of work contract. Null when unknown. */
  employment_type: EmploymentType | null;
  /** Lower-case ISO 4217 code of the currency of `pay_rate`. Null when unknown. */
  currency: string | null;
  /** The first day on which this pay holds, YYYY-MM-DD. Null when unknown. */
  effective_date: string | null;
  /** A note about the change of pay. Null when unknown. */
  notes: string | null;
}

/**
 * The time for which `pay_rate` is paid: the values of PayPeriod in lower case.
 *
 * - `hour`: an hour
 * - `day`: a day
 * - `week`: a week
 * - `month`: a month
 * - `year`: a year
 */
export type CompensationPayPeriod = "hour" | "day" | "week" | "month" | "year";

/** Another request came first. */
export interface Conflict {
  /** Always `conflict` */
  error: "conflict";
  /** What is wrong, for a person who reads the log */
  message: string;
  /** The authorization code that was exchanged before */
  code?: string | undefined;
  /** Id of the token that the code gave */
  token?: string | undefined;
}

/** A one-time sign-in link. */
export interface ConnectSession {
  /** Send the end user there. The link belongs to the browser that first sends a form of its page. */
  connect_url: string;
  /** The id of the link, for your log */
  session_id: string;
  /** Until when it can be opened, RFC 3339 in UTC */
  expires_at: string;
}

/** The parameters of a sign-in link. */
export interface ConnectSessionRequest {
  /** What the token may read: scopes, separated by spaces. Required without `token` */
  scope?: string | undefined;
  /** The mode, `official` or `xhr`: that of the scopes, which is also the default */
  mode?: string | undefined;
  /** The name of the provider, as in `/providers`. Without it the end user chooses */
  provider?: string | undefined;
  /** Whether the provider is the simulated one */
  sandbox?: boolean | "true" | "false" | undefined;
  /** Comes back to the redirect address as it is. Compare it with what you sent */
  state?: string | undefined;
  /** The PKCE challenge: the base64url of the SHA-256 of the `code_verifier` */
  code_challenge?: string | undefined;
  /** Always `S256`, beside a `code_challenge` */
  code_challenge_method?: string | undefined;
  /** Always `code` */
  response_type?: string | undefined;
  /** The language of the pages, as a tag such as `de-AT`: en, de, fr, es, it, nl, pl, pt */
  locale?: string | undefined;
  /** Words, separated by spaces, that narrow the choice of providers, such as `payroll` */
  tags?: string | undefined;
  /** Known from the credentials; when given, it is theirs */
  client_id?: string | undefined;
  /** A registered address, to which the sign-in leads back. Required without `token` */
  redirect_uri?: string | undefined;
  /** For how many seconds the link can be opened */
  expires_in?: number | undefined;
  /** The id of a token: the link signs in to the same account again, and the same access token works on */
  token?: string | undefined;
  /** Settings of the provider, by their names in its guide, such as `timesheets`. The end user is not asked for them. With `provider` or `token` */
  settings?: Record<string, string> | undefined;
  /** Whether the end user may send the sign-in to a colleague who has the credentials. The code goes to the browser of the end user all the same */
  allow_handover?: boolean | undefined;
  /** Your own id for the connection, 1 to 200 characters of printable ASCII. Lists and webhooks show it; the end user never sees it */
  reference?: string | undefined;
  /** What you want to find beside the connection: a JSON object of at most 2 kB. The end user never sees it */
  metadata?: Record<string, unknown> | undefined;
}

/** What an event of the type `connection.created` tells. */
export interface ConnectionCreatedData {
  /** The id of the connection's token, as in the list of tokens */
  token: string;
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
  /** What the token may read */
  scopes: Scope[];
}

/** A code was exchanged for a token. */
export interface ConnectionCreatedEvent {
  /** What happened */
  type: "connection.created";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionCreatedData;
}

/** What an event of the type `connection.ended` tells. */
export interface ConnectionEndedData {
  /** The id of the connection's token, as in the list of tokens */
  token: string;
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
  /** Who ended it */
  by: EndedBy;
}

/** A token has ended. */
export interface ConnectionEndedEvent {
  /** What happened */
  type: "connection.ended";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionEndedData;
}

/** What an event of the type `connection.healed` tells. */
export interface ConnectionHealedData {
  /** The id of the connection's token, as in the list of tokens */
  token: string;
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
}

/** The end user has signed in again. */
export interface ConnectionHealedEvent {
  /** What happened */
  type: "connection.healed";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionHealedData;
}

/** What an event of the type `connection.reauthentication_required` tells. */
export interface ConnectionReauthenticationRequiredData {
  /** The id of the connection's token, as in the list of tokens */
  token: string;
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
  /** The code of the 401 of data requests */
  error: SentAuthErrorCode;
}

/** The end user has to sign in again. */
export interface ConnectionReauthenticationRequiredEvent {
  /** What happened */
  type: "connection.reauthentication_required";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionReauthenticationRequiredData;
}

/** What an event of the type `connection.rights_changed` tells. */
export interface ConnectionRightsChangedData {
  /** The id of the connection's token, as in the list of tokens */
  token: string;
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
  /** Resources that the account may read again */
  gained: Resource[];
  /** Resources that the account may read no longer */
  lost: Resource[];
  /** The ids of older events that were not acknowledged and that this one stands for */
  replaces: string[];
}

/** The account may read other resources than before. */
export interface ConnectionRightsChangedEvent {
  /** What happened */
  type: "connection.rights_changed";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionRightsChangedData;
}

/** What the employer pays on top; not a part of gross pay. */
export interface Contribution {
  /** What it is, as the payslip says */
  name: string;
  /** The amount, in minor units of the currency (cents) */
  amount: number;
}

/** ISO 3166-1 two-letter country code, in upper case. A country that is not of this list is null. */
export type Country =
  | "BZ"
  | "CA"
  | "CR"
  | "GT"
  | "MX"
  | "PA"
  | "SV"
  | "US"
  | "AR"
  | "BR"
  | "CL"
  | "CO"
  | "PE"
  | "AT"
  | "BE"
  | "CH"
  | "CY"
  | "CZ"
  | "DE"
  | "DK"
  | "EE"
  | "ES"
  | "FI"
  | "FR"
  | "GB"
  | "GR"
  | "IE"
  | "IM"
  | "IS"
  | "IT"
  | "LI"
  | "LT"
  | "LU"
  | "LV"
  | "MK"
  | "NL"
  | "NO"
  | "PL"
  | "PT"
  | "RO"
  | "RU"
  | "SE"
  | "SK"
  | "BD"
  | "CN"
  | "HK"
  | "ID"
  | "IL"
  | "IN"
  | "JP"
  | "KR"
  | "KZ"
  | "MO"
  | "MY"
  | "PH"
  | "PK"
  | "PS"
  | "SA"
  | "SG"
  | "TH"
  | "TJ"
  | "TM"
  | "TR"
  | "TW"
  | "VN"
  | "ZA"
  | "AU"
  | "NZ";

/** What an event of the type `data.changed` tells. */
export interface DataChangedData {
  /** The id of the connection's token, as in the list of tokens */
  token: string;
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
  /** What was polled */
  resource: PollableResource;
  /** Records that were not there before */
  added: Changes;
  /** Records of which a field changed */
  updated: Changes;
  /** Records that are no longer there */
  removed: Changes;
  /** True when there are more changes than the 1,000 whose ids are named */
  truncated: boolean;
}

/** A poll found changes in a resource. */
export interface DataChangedEvent {
  /** What happened */
  type: "data.changed";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: DataChangedData;
}

/** What an event of the type `data.failed` tells. */
export interface DataFailedData {
  /** The id of the connection's token, as in the list of tokens */
  token: string;
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
  /** What was asked for */
  resource: Resource;
  /** The parameters of the request, as in the query or the path of its data endpoint */
  parameters: Record<string, string>;
  /** Why it could not be read */
  error: ReadError;
}

/** Data that a caller was told to wait for could not be read. */
export interface DataFailedEvent {
  /** What happened */
  type: "data.failed";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: DataFailedData;
}

/** What an event of the type `data.ready` tells. */
export interface DataReadyData {
  /** The id of the connection's token, as in the list of tokens */
  token: string;
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
  /** What was read */
  resource: Resource;
  /** The parameters of the request, as in the query or the path of its data endpoint */
  parameters: Record<string, string>;
  /** The `ETag` of the data, without `W/` and quotes */
  version: string;
}

/** Data that a caller was told to wait for is there. */
export interface DataReadyEvent {
  /** What happened */
  type: "data.ready";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: DataReadyData;
}

/** What is taken off gross pay. */
export interface Deduction {
  /** What it is, as the payslip says */
  name: string;
  /** The amount, in minor units of the currency (cents) */
  amount: number;
}

/** What was deleted with the connection. */
export interface Deleted {
  /** What the end user signed in with, the session, and their key */
  credentials: true;
  /** Stored lists of records */
  lists: number;
  /** Ids of pay runs that were given out */
  pay_run_ids: number;
  /** Bodies of webhooks that were kept */
  webhooks: number;
}

/** A webhook that was sent or is pending: counts of employees, never their data. */
export interface Delivery {
  /** The delivery's id, the same as `webhook-id` */
  id: string;
  /** The id of the token whose connection it is about. Null for an event of a provider. */
  token: string | null;
  /** The type of an event. Null for a webhook about employees. */
  event: EventType | null;
  /** How the delivery stands */
  status: DeliveryStatus;
  /** How many attempts were made */
  attempts: number;
  /** When the change was found, RFC 3339 in UTC */
  created_at: string;
  /** When it is tried next, RFC 3339 in UTC. Null when it is settled, while its address is paused or gone, and for an event that waits for the one before it. */
  next_attempt_at: string | null;
  /** The status that the receiver answered last. Null when it gave none. */
  last_status: number | null;
  /** Why the last attempt failed. Null when it succeeded, and before the first one. */
  last_error: DeliveryError | null;
  /** How many employees were added */
  added: number;
  /** How many employees were removed */
  removed: number;
  /** How many employees changed */
  updated: number;
}

/**
 * Why an attempt failed.
 *
 * - `status`: the receiver answered, and not with 2xx: see `last_status`
 * - `timeout`: no answer came within 20 seconds
 * - `unresolvable`: the name of the address has no IP address
 * - `connection_failed`: the connection was refused, not made within 5 seconds, or lost
 * - `tls`: no TLS: the certificate is not valid for the name, or the server does not speak it
 * - `refused_target`: the address is not public, or its `https` is missing; nothing was sent
 */
export type DeliveryError =
  "status" | "timeout" | "unresolvable" | "connection_failed" | "tls" | "refused_target";

/**
 * How a delivery stands.
 *
 * - `pending`: it is in flight, or waits for its next attempt
 * - `delivered`: the receiver answered 2xx
 * - `failed`: all attempts failed; whom a webhook about employees tells of is in the next one again, and an event is in the list of events alone
 */
export type DeliveryStatus = "pending" | "delivered" | "failed";

/** A webhook, with what the receiver replied; of a connection of the sandbox with its body. */
export interface DeliveryWithBody {
  /** The delivery's id, the same as `webhook-id` */
  id: string;
  /** The id of the token whose connection it is about. Null for an event of a provider. */
  token: string | null;
  /** The type of an event. Null for a webhook about employees. */
  event: EventType | null;
  /** How the delivery stands */
  status: DeliveryStatus;
  /** How many attempts were made */
  attempts: number;
  /** When the change was found, RFC 3339 in UTC */
  created_at: string;
  /** When it is tried next, RFC 3339 in UTC. Null when it is settled, while its address is paused or gone, and for an event that waits for the one before it. */
  next_attempt_at: string | null;
  /** The status that the receiver answered last. Null when it gave none. */
  last_status: number | null;
  /** Why the last attempt failed. Null when it succeeded, and before the first one. */
  last_error: DeliveryError | null;
  /** How many employees were added */
  added: number;
  /** How many employees were removed */
  removed: number;
  /** How many employees changed */
  updated: number;
  /** How the reply of the last attempt began, at most 1 kB of it as text, when that attempt failed. Null when it succeeded, without a reply, and for a receiver whose address is not public */
  last_reply: string | null;
  /** The JSON text that is signed, for a connection of the sandbox; null for every other one */
  body: string | null;
}

/** A person for whom an employee provides, such as a child. */
export interface Dependent {
  /** Full name. Null when unknown. */
  name: string | null;
  /** What they are to the employee, in the provider's words. Null when unknown. */
  relationship: string | null;
}

/** The token has ended. */
export interface Disconnection {
  /** Always true */
  disconnected: true;
}

/** A part of gross pay. */
export interface Earning {
  /** What it is, as the payslip says */
  name: string;
  /** The amount, in minor units of the currency (cents) */
  amount: number;
  /** The hours that are paid. Also null for a fixed amount. Null when unknown. */
  hours: number | null;
}

/** A person to call when something happens. */
export interface EmergencyContact {
  /** First name. Null when unknown. */
  first_name: string | null;
  /** Last name. Null when unknown. */
  last_name: string | null;
  /** What they are to the employee, in the provider's words. Null when unknown. */
  relationship: string | null;
  /** Phone number, as the provider writes it. Null when unknown. */
  mobile_phone_number: string | null;
  /** Whether this person is called first. Null when unknown. */
  primary_contact: boolean | null;
}

/** An individual (employee, contractor, accountant or other) listed in the HR or payroll system. */
export interface Employee {
  /** The person's id at Rollcall; stable for a connection */
  id: string;
  /** The person's id at the provider */
  remote_id: string;
  /** The number by which the company knows the person. Null when unknown. */
  employee_number: string | null;
  /** First name */
  first_name: string;
  /** Last name. Empty when the provider has one name only. */
  last_name: string;
  /** The name as the provider writes it in full */
  display_full_name: string;
  /** Nationality, as the provider writes it. Null when unknown. */
  nationality: string | null;
  /** The job title of today. Null when unknown. */
  job_title: string | null;
  /** Email address at work. Null when unknown. */
  work_email: string | null;
  /** Private email address. Null when unknown. */
  personal_email: string | null;
  /** Mobile phone number, as the provider writes it. Null when unknown. */
  mobile_phone_number: string | null;
  /** The person's tax number, as the provider writes it. Null when unknown. */
  tax_id: string | null;
  /** Gender, as the provider lists it. Null when unknown. */
  gender: Gender | null;
  /** Ethnicity, as the provider lists it. Null when unknown. */
  ethnicity: Ethnicity | null;
  /** Marital status, as the provider lists it. Null when unknown. */
  marital_status: MaritalStatus | null;
  /** Date of birth, YYYY-MM-DD. Null when unknown. */
  date_of_birth: string | null;
  /** Whether the person works there. Null when unknown. */
  employment_status: EmploymentStatus | null;
  /** The kind of work contract of today. Null when unknown. */
  employment_type: EmploymentType | null;
  /** First day of work, YYYY-MM-DD. Null when unknown. */
  start_date: string | null;
  /** Last day of work, YYYY-MM-DD, which may lie ahead. Also null without one. Null when unknown. */
  termination_date: string | null;
  /** The day on which the provider's record was made, YYYY-MM-DD. Null when unknown. */
  remote_created_at: string | null;
  /** URL of a picture of the person. Null when unknown. */
  avatar: string | null;
  /** Where the person lives. Its members are null when unknown. */
  home_location: Address;
  /** Where the person works. Its members are null when unknown. */
  work_location: WorkLocation;
  /** The person to whom this one reports. Null when unknown. */
  manager: Manager | null;
  /** The account to which pay is sent. Null when unknown. */
  bank_account: BankAccount | null;
  /** The person's jobs and their pay, newest first */
  employments: Employment[];
  /** The positions of `employments`, newest first. Null when unknown. */
  employment_history: EmploymentHistory[] | null;
  /** The pay of `employments`, newest first. Null when unknown. */
  compensation_history: Compensation[] | null;
  /** Fields that the company added at the provider, by their names; any JSON. Null when unknown. */
  custom_fields: Record<string, unknown> | null;
  /** The groups to which the person belongs */
  groups: Group[];
  /** Persons for whom this one provides. Null when unknown. */
  dependents: Dependent[] | null;
  /** Persons to call when something happens. Null when unknown. */
  emergency_contacts: EmergencyContact[] | null;
}

/** What changed in the list of employees since the webhook before. All three arrays are always there. */
export interface EmployeesWebhook {
  /** Employees who were not in the list of the poll before */
  added: Employee[];
  /** Employees who are no longer in the list, as they were last seen */
  removed: Employee[];
  /** Employees of whom a field changed, as they are now */
  updated: Employee[];
}

/** A job of a person and its pay, from one day on. A new one begins when either changes. */
export interface Employment {
  /** The job title. Null when unknown. */
  job_title: string | null;
  /** The first day on which this holds, YYYY-MM-DD. Null when unknown. */
  effective_date: string | null;
  /** The kind of work contract. Null when unknown. */
  employment_type: EmploymentType | null;
  /** Pay for one `pay_period`, in major units of `currency` (euros, not cents). Null when unknown. */
  pay_rate: number | null;
  /** The time for which `pay_rate` is paid. Null when unknown. */
  pay_period: PayPeriod | null;
  /** How often pay is paid out. Null when unknown. */
  pay_frequency: PayFrequency | null;
  /** Lower-case ISO 4217 code of the currency of `pay_rate`. Null when unknown. */
  currency: string | null;
}

/** The position of a person from one day on: `employments` without the pay. */
export interface EmploymentHistory {
  /** The job title. Null when unknown. */
  job_title: string | null;
  /** The first day on which this holds, YYYY-MM-DD. Null when unknown. */
  effective_date: string | null;
  /** Id of the person's department, as in groups. Null when unknown. */
  group_id: string | null;
  /** Id of the department at the provider. Null when unknown. */
  group_remote_id: string | null;
  /** Name of the department. Null when unknown. */
  group_name: string | null;
  /** Id of the person's manager, as in employees. Null when unknown. */
  manager_id: string | null;
  /** Id of the manager at the provider. Null when unknown. */
  manager_remote_id: string | null;
}

/**
 * Whether a person works there.
 *
 * - `active`: employed and at work
 * - `inactive`: no longer employed
 * - `pending`: hired, and has not begun yet
 * - `leave`: employed, and away for a longer time
 */
export type EmploymentStatus = "active" | "inactive" | "pending" | "leave";

/**
 * The kind of work contract.
 *
 * - `full_time`: employed full time
 * - `part_time`: employed part time
 * - `contractor`: works under a contract of their own, not as an employee
 * - `other`: any other kind
 */
export type EmploymentType = "full_time" | "part_time" | "contractor" | "other";

/**
 * Who ended a connection.
 *
 * - `client`: the client disconnected the token
 * - `end_user`: the end user took the access away
 * - `operator`: the operator of this service disconnected the token
 * - `provider`: reserved; not sent at present
 */
export type EndedBy = "client" | "end_user" | "operator" | "provider";

/**
 * Ethnicity, as the provider lists it.
 *
 * - `asian`: Asian
 * - `black`: Black
 * - `hispanic`: Hispanic or Latino
 * - `mixed`: of several
 * - `not_specified`: the person did not want to say
 * - `other`: any other
 * - `white`: White
 */
export type Ethnicity =
  "asian" | "black" | "hispanic" | "mixed" | "not_specified" | "other" | "white";

/** A part of the client's events. */
export interface EventPage {
  /** The events, oldest first */
  events: (
    | ListedConnectionCreatedEvent
    | ListedConnectionReauthenticationRequiredEvent
    | ListedConnectionHealedEvent
    | ListedConnectionRightsChangedEvent
    | ListedConnectionEndedEvent
    | ListedDataReadyEvent
    | ListedDataFailedEvent
    | ListedDataChangedEvent
    | ListedProviderDegradedEvent
    | ListedProviderRecoveredEvent
  )[];
  /** What to ask with next */
  after: string;
  /** Whether there are more events now */
  more: boolean;
}

/**
 * What an event tells.
 *
 * - `connection.created`: a code was exchanged: there is a new connection
 * - `connection.reauthentication_required`: the end user has to sign in again
 * - `connection.healed`: the end user has signed in again, and the same token works on
 * - `connection.rights_changed`: the account may read other resources than before
 * - `connection.ended`: the token has ended, and all that was stored for it is deleted
 * - `data.ready`: what a caller was told to wait for is there
 * - `data.failed`: what a caller was told to wait for could not be read
 * - `data.changed`: a poll found changes in a resource
 * - `provider.degraded`: many reads of a provider fail
 * - `provider.recovered`: reads of the provider succeed again
 */
export type EventType =
  | "connection.created"
  | "connection.reauthentication_required"
  | "connection.healed"
  | "connection.rights_changed"
  | "connection.ended"
  | "data.ready"
  | "data.failed"
  | "data.changed"
  | "provider.degraded"
  | "provider.recovered";

/** All that is stored of a connection but its credentials. */
export interface Export {
  /** The id of the token */
  token: string;
  /** The client to which it belongs */
  client_id: string;
  /** The name of the provider */
  provider: string;
  /** The mode of the connection */
  mode: Mode;
  /** What the token may read */
  scopes: Scope[];
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
  /** When this was written, RFC 3339 in UTC */
  exported_at: string;
  /** Who signed in, as the provider named them then; null when it named nobody */
  identity: Identity | null;
  /** All that is stored of the provider's data */
  stored: StoredList[];
}

/**
 * What of an employee a client can switch off.
 *
 * - `bank_account`: `bank_account`
 * - `date_of_birth`: `date_of_birth`
 * - `ethnicity`: `ethnicity`
 * - `relatives`: `dependents` and `emergency_contacts`
 * - `tax_id`: `tax_id`, the employee's and not the company's
 */
export type FieldOff = "bank_account" | "date_of_birth" | "ethnicity" | "relatives" | "tax_id";

/** The token is disconnected, of the other environment, or lacks the scope. */
export interface Forbidden {
  /** What is wrong, for a person who reads the log */
  message: string;
}

/**
 * Gender, as the provider lists it.
 *
 * - `male`: male
 * - `female`: female
 * - `not_specified`: neither of both, or the person did not want to say
 */
export type Gender = "male" | "female" | "not_specified";

/** Any subset of employees, such as a pay group, team or department. A person can be in several. */
export interface Group {
  /** The group's id at Rollcall; stable for a connection. Null when unknown. */
  id: string | null;
  /** The group's id at the provider. Null when unknown. */
  remote_id: string | null;
  /** The group's name. Null when unknown. */
  name: string | null;
  /** What the group is. Null when unknown. */
  type: GroupType | null;
}

/**
 * What a group is.
 *
 * - `department`: a department
 * - `team`: a team
 * - `cost_centre`: those whose cost is counted together
 * - `pay_group`: those who are paid together
 */
export type GroupType = "department" | "team" | "cost_centre" | "pay_group";

/** It is well. */
export interface Health {
  /** Always `ok` */
  status: "ok";
}

/** The user of the connected account, as captured at sign-in. */
export interface Identity {
  /** Full name of the person who signed in */
  name: string;
  /** Email address of that person */
  email: string;
  /** Phone number of that person, as the provider writes it. Null when unknown. */
  phone_number: string | null;
}

/** What a token is for, and whether it works. */
export interface Introspection {
  /** The id of the token, as in the tokens list and in the header of webhooks; no secret */
  token: string;
  /** The client to which the token belongs */
  client_id: string;
  /** The mode of its connection */
  mode: Mode;
  /** The name of the provider */
  provider: string;
  /** What the token may read */
  scopes: Scope[];
  /** False once the token was disconnected */
  active: boolean;
}

/**
 * A field of employees that need not be there.
 *
 * - `employee_number`: hides `employee_number`
 * - `nationality`: hides `nationality`
 * - `job_title`: hides `job_title`
 * - `work_email`: hides `work_email`
 * - `personal_email`: hides `personal_email`
 * - `mobile_phone_number`: hides `mobile_phone_number`
 * - `tax_id`: hides `tax_id`
 * - `gender`: hides `gender`
 * - `ethnicity`: hides `ethnicity`
 * - `marital_status`: hides `marital_status`
 * - `date_of_birth`: hides `date_of_birth`
 * - `employment_status`: hides `employment_status`
 * - `employment_type`: hides `employment_type`
 * - `start_date`: hides `start_date`
 * - `termination_date`: hides `termination_date`
 * - `remote_created_at`: hides `remote_created_at`
 * - `avatar`: hides `avatar`
 * - `manager`: hides `manager`
 * - `bank_account`: hides `bank_account`
 * - `employment_history`: hides `employment_history`
 * - `compensation_history`: hides `compensation_history`
 * - `custom_fields`: hides `custom_fields`
 * - `dependents`: hides `dependents`
 * - `emergency_contacts`: hides `emergency_contacts`
 */
export type LimitableField =
  | "employee_number"
  | "nationality"
  | "job_title"
  | "work_email"
  | "personal_email"
  | "mobile_phone_number"
  | "tax_id"
  | "gender"
  | "ethnicity"
  | "marital_status"
  | "date_of_birth"
  | "employment_status"
  | "employment_type"
  | "start_date"
  | "termination_date"
  | "remote_created_at"
  | "avatar"
  | "manager"
  | "bank_account"
  | "employment_history"
  | "compensation_history"
  | "custom_fields"
  | "dependents"
  | "emergency_contacts";

/** An event of the type `connection.created` in a list. */
export interface ListedConnectionCreatedEvent {
  /** What happened */
  type: "connection.created";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionCreatedData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** An event of the type `connection.ended` in a list. */
export interface ListedConnectionEndedEvent {
  /** What happened */
  type: "connection.ended";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionEndedData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** An event of the type `connection.healed` in a list. */
export interface ListedConnectionHealedEvent {
  /** What happened */
  type: "connection.healed";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionHealedData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** An event of the type `connection.reauthentication_required` in a list. */
export interface ListedConnectionReauthenticationRequiredEvent {
  /** What happened */
  type: "connection.reauthentication_required";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionReauthenticationRequiredData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** An event of the type `connection.rights_changed` in a list. */
export interface ListedConnectionRightsChangedEvent {
  /** What happened */
  type: "connection.rights_changed";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ConnectionRightsChangedData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** An event of the type `data.changed` in a list. */
export interface ListedDataChangedEvent {
  /** What happened */
  type: "data.changed";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: DataChangedData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** An event of the type `data.failed` in a list. */
export interface ListedDataFailedEvent {
  /** What happened */
  type: "data.failed";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: DataFailedData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** An event of the type `data.ready` in a list. */
export interface ListedDataReadyEvent {
  /** What happened */
  type: "data.ready";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: DataReadyData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** An event of the type `provider.degraded` in a list. */
export interface ListedProviderDegradedEvent {
  /** What happened */
  type: "provider.degraded";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ProviderDegradedData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** An event of the type `provider.recovered` in a list. */
export interface ListedProviderRecoveredEvent {
  /** What happened */
  type: "provider.recovered";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ProviderRecoveredData;
  /** The id of the event, the same as `webhook-id` */
  id: string;
}

/** A connection of the sandbox, with its access token. */
export interface MadeSandboxConnection {
  /** The id of the token, for the other requests of the sandbox */
  token: string;
  /** Reads the data, like one that was exchanged for a code */
  access_token: string;
  /** The mode of the connection */
  mode: Mode;
  /** Always the sandbox */
  provider: "sandbox";
  /** What the token gives access to */
  scopes: Scope[];
  /** How the token is sent */
  token_type: "Bearer";
}

/** The person to whom an employee reports. */
export interface Manager {
  /** The manager's id, as in employees. Null when unknown. */
  id: string | null;
  /** The manager's id at the provider. Null when unknown. */
  remote_id: string | null;
  /** First name. Null when unknown. */
  first_name: string | null;
  /** Last name. Null when unknown. */
  last_name: string | null;
  /** Email address at work. Null when unknown. */
  work_email: string | null;
}

/**
 * Marital status, as the provider lists it.
 *
 * - `single`: never married
 * - `married`: married, or in a registered partnership
 * - `divorced`: divorced
 * - `not_specified`: the person did not want to say
 * - `other`: any other
 */
export type MaritalStatus = "single" | "married" | "divorced" | "not_specified" | "other";

/**
 * How a connection reads the provider.
 *
 * - `official`: with the vendor's own API
 * - `xhr`: with a customer's own sign-in
 */
export type Mode = "official" | "xhr";

/** Which connection of the sandbox is made. */
export interface NewSandboxConnection {
  /** The user name that selects what happens: user_good, user_mfa, user_choose, user_approve, user_slow_sign_in, user_away, user_bad_password, user_captcha, user_setup_required, user_no_permission, user_expired, user_slow, user_down, user_limited, user_no_payroll, user_fewer_fields, user_fewer_rights, user_sparse, user_large, user_empty */
  scenario?: string | undefined;
  /** The mode of the connection */
  mode?: Mode | undefined;
  /** What the token gives access to; without it, all scopes of the mode */
  scopes?: Scope[] | undefined;
}

/** The entity does not exist. `id` names it. */
export interface NotFound {
  /** What is wrong, for a person who reads the log */
  message: string;
  /** Id of the entity that was asked for */
  id: string;
}

/** The provider, or the end user's account there, does not have this data. */
export interface NotImplemented {
  /** What is wrong, for a person who reads the log */
  message: string;
}

/** Requests cannot be served at the moment. */
export interface NotReady {
  /** Always `unavailable` */
  status: "unavailable";
  /** What is missing, for an operator */
  message: string;
}

/** The refusal of RFC 6749 to a request with a form body. */
export interface OAuthError {
  /** Why the exchange is refused */
  error: OAuthErrorWord;
  /** What is wrong, for a person who reads the log */
  error_description: string;
  /** The same as `error_description` */
  message: string;
  /** `error` and `error_description`, in one text */
  validation_error: string;
}

/**
 * Why an exchange is refused.
 *
 * - `invalid_request`: a parameter is missing, repeated or not valid
 * - `invalid_client`: unknown client or wrong secret
 * - `invalid_grant`: the code is not known, has expired or was used, or `redirect_uri` or `code_verifier` is another one
 * - `unsupported_grant_type`: `grant_type` is not `authorization_code`
 */
export type OAuthErrorWord =
  "invalid_request" | "invalid_client" | "invalid_grant" | "unsupported_grant_type";

/** The reply of RFC 6749 to a request with a form body. */
export interface OAuthToken {
  /** The id of the token, as in the tokens list and in the header of webhooks; no secret */
  token: string;
  /** The credential for the data endpoints. It is shown this once; keep it secret. */
  access_token: string;
  /** The mode of the connection */
  mode: Mode;
  /** The name of the provider at which the end user signed in */
  provider: string;
  /** What the token may read */
  scopes: Scope[];
  /** The scheme for the `Authorization` header */
  token_type: "Bearer";
  /** The same scopes, separated by spaces */
  scope: string;
}

/**
 * How often pay is paid out.
 *
 * - `year`: once a year
 * - `weekly`: every week
 * - `biweekly`: every two weeks
 * - `semimonthly`: twice a month
 * - `monthly`: every month
 * - `other`: at any other interval
 */
export type PayFrequency = "year" | "weekly" | "biweekly" | "semimonthly" | "monthly" | "other";

/**
 * The time for which `pay_rate` is paid.
 *
 * - `HOUR`: an hour
 * - `DAY`: a day
 * - `WEEK`: a week
 * - `MONTH`: a month
 * - `YEAR`: a year
 */
export type PayPeriod = "HOUR" | "DAY" | "WEEK" | "MONTH" | "YEAR";

/** A run of payroll for a period. Its payslips are read with its `id`. */
export interface Payrun {
  /** The pay run's id at Rollcall; stable for a connection */
  id: string;
  /** The pay run's id at the provider */
  remote_id: string;
  /** Whether it has been paid. Null when unknown. */
  state: PayrunState | null;
  /** What it is for. Null when unknown. */
  type: PayrunType | null;
  /** First day of the period that is paid, YYYY-MM-DD. Null when unknown. */
  start_date: string | null;
  /** Last day of the period that is paid, YYYY-MM-DD. Null when unknown. */
  end_date: string | null;
  /** The day of payment, YYYY-MM-DD. Null when unknown. */
  payment_date: string | null;
}

/**
 * Whether a pay run has been paid.
 *
 * - `paid`: paid out
 * - `pending`: not paid out yet
 */
export type PayrunState = "paid" | "pending";

/**
 * What a pay run is for.
 *
 * - `regular`: the usual pay of a period
 * - `one_time`: a single payment, such as a bonus
 * - `off_cycle`: pay outside of the usual schedule
 * - `correction`: mends an earlier pay run
 * - `reversal`: takes an earlier pay run back
 */
export type PayrunType = "regular" | "one_time" | "off_cycle" | "correction" | "reversal";

/** What one person is paid in one pay run. Amounts are in the currency's minor unit: 47611 with `eur` is 476.11 €, 350000 with the code `jpy`, which has no decimals, 350,000 ¥. */
export interface Payslip {
  /** The payslip's id at Rollcall; stable for a connection. Null when unknown. */
  id: string | null;
  /** The payslip's id at the provider. Null when unknown. */
  remote_id: string | null;
  /** Id of the employee, as in employees */
  employee_id: string;
  /** Id of the employee at the provider */
  employee_remote_id: string;
  /** Id of the pay run, as in payruns */
  payrun_id: string;
  /** Id of the pay run at the provider */
  payrun_remote_id: string;
  /** What the pay run is for. Null when unknown. */
  payrun_type: PayrunType | null;
  /** The currency of all amounts of the payslip. Null when unknown. */
  currency: PayslipCurrency | null;
  /** Beyond the specification, and only there when `currency` is null because it lists no such currency: the currency of all amounts, as a lower-case ISO 4217 code */
  currency_code?: string | undefined;
  /** Gross pay, in minor units of the currency (cents). Null when unknown. */
  gross_pay: number | null;
  /** Net pay, in minor units of the currency (cents). Null when unknown. */
  net_pay: number | null;
  /** First day of the period that is paid, YYYY-MM-DD */
  start_date: string;
  /** Last day of the period that is paid, YYYY-MM-DD */
  end_date: string;
  /** The day of payment, YYYY-MM-DD */
  payment_date: string;
  /** Breakdown of gross pay. Null when unknown. */
  earnings: Earning[] | null;
  /** Employer-paid items that are not part of gross pay. Null when unknown. */
  contributions: Contribution[] | null;
  /** Items that are taken off gross pay. Null when unknown. */
  deductions: Deduction[] | null;
  /** Taxes and duties. Null when unknown. */
  taxes: Tax[] | null;
  /** Items that are paid back to the employee. Null when unknown. */
  reimbursements: Reimbursement[] | null;
}

/**
 * Lower-case ISO 4217 code of a currency.
 *
 * - `usd`: US dollar
 * - `gbp`: pound sterling
 * - `eur`: euro
 * - `sek`: Swedish krona
 * - `cad`: Canadian dollar
 */
export type PayslipCurrency = "usd" | "gbp" | "eur" | "sek" | "cad";

/** The data is being fetched. Repeat the call after `Retry-After` seconds. */
export interface Pending {
  /** What is being waited for, for a person who reads it */
  message: string;
}

/**
 * A resource that is polled for changes when a client wants it.
 *
 * - `employees`: all people
 * - `company`: the company
 * - `groups`: its teams and departments
 * - `work-locations`: its work locations
 * - `payruns`: the pay runs of the month before, of this one and of the next one
 * - `time-off-entries`: the absences of the month before, of this one and of the three that follow
 * - `timesheets`: the timesheets of the month before and of this one
 */
export type PollableResource =
  | "employees"
  | "company"
  | "groups"
  | "work-locations"
  | "payruns"
  | "time-off-entries"
  | "timesheets";

/** Something that is wrong now. It is listed no more once its cause has ended. */
export interface Problem {
  /** What is wrong */
  kind: ProblemKind;
  /** Who can end it */
  turn: ProblemTurn;
  /** What is wrong, in a sentence for people */
  what: string;
  /** What there is to do, in a sentence for people */
  todo: string;
  /** Since when; null where nobody wrote it down */
  since: string | null;
  /** When it ends by itself; null where that is not known */
  until: string | null;
  /** How often it happened, or how many reads or attempts it is about */
  times: number;
  /** The id of the token; null when it is not about one connection */
  token: string | null;
  /** What you call its connection; null when nothing was given */
  reference: string | null;
  /** The name of the provider; null when it is about none */
  provider: string | null;
  /** The mode of the connection; null when it is not about one */
  mode: Mode | null;
  /** Which kind of data; null when it is about none in particular */
  resource: Resource | null;
  /** A code, a status or names of fields, which tell more; null when there are none */
  detail: string | null;
}

/**
 * What is wrong.
 *
 * - `sign_in_ended`: the provider no longer accepts the sign-in
 * - `right_missing`: the account may not read a resource that the token covers
 * - `fields_limited`: the account may not read some fields of a resource that the token covers
 * - `provider_away`: reads fail because the provider gives no answer
 * - `answers_broken`: reads fail because an answer of the provider could not be used
 * - `quota_used_up`: reads wait because the provider takes no more requests for a while
 * - `receiver_failing`: an address of the client refuses what is sent to it, and is tried again
 * - `receiver_stopped`: an address of the client is paused or gone, and nothing is sent to it
 * - `polls_late`: connections are not polled in time
 * - `reads_late`: reads wait for a worker
 * - `no_worker`: no worker runs
 * - `older_process`: a process of another version runs
 * - `key_not_retired`: a former master key is still needed
 */
export type ProblemKind =
  | "sign_in_ended"
  | "right_missing"
  | "fields_limited"
  | "provider_away"
  | "answers_broken"
  | "quota_used_up"
  | "receiver_failing"
  | "receiver_stopped"
  | "polls_late"
  | "reads_late"
  | "no_worker"
  | "older_process"
  | "key_not_retired";

/** What is wrong with the connections, reads and receivers of the client. */
export interface ProblemList {
  /** What is wrong now */
  problems: Problem[];
  /** Whether there are more of a kind than are listed */
  has_more: boolean;
}

/**
 * Who can end it.
 *
 * - `end_user`: the person who signed in, or who administers the account
 * - `developer`: who runs the application
 * - `operator`: who runs this service
 * - `vendor`: who runs the system of the provider; it ends by itself
 */
export type ProblemTurn = "end_user" | "developer" | "operator" | "vendor";

/** What an event of the type `provider.degraded` tells. */
export interface ProviderDegradedData {
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** The ids of older events that were not acknowledged and that this one stands for */
  replaces: string[];
}

/** Many reads of a provider fail. */
export interface ProviderDegradedEvent {
  /** What happened */
  type: "provider.degraded";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ProviderDegradedData;
}

/** The providers of one mode. */
export interface ProviderListingEntry {
  /** The mode */
  mode: Mode;
  /** The names of its providers, in order of the alphabet */
  providers: string[];
}

/** What an event of the type `provider.recovered` tells. */
export interface ProviderRecoveredData {
  /** The name of the provider */
  provider: string;
  /** The mode of the connections */
  mode: Mode;
  /** The ids of older events that were not acknowledged and that this one stands for */
  replaces: string[];
}

/** Reads of a provider succeed again. */
export interface ProviderRecoveredEvent {
  /** What happened */
  type: "provider.recovered";
  /** When it happened, RFC 3339 in UTC */
  timestamp: string;
  /** What the event tells */
  data: ProviderRecoveredData;
}

/**
 * Why data could not be read.
 *
 * - `incorrect_username_or_password`: the `code` of the 401 that the endpoint gives
 * - `incorrect_mfa_or_otp`: the `code` of the 401 that the endpoint gives
 * - `reauthentication_required`: the `code` of the 401 that the endpoint gives
 * - `additional_account_setup_required`: the `code` of the 401 that the endpoint gives
 * - `captcha_challenge`: the `code` of the 401 that the endpoint gives
 * - `insufficient_permission`: the `code` of the 401 that the endpoint gives
 * - `unavailable`: the endpoint gives 503
 * - `broken`: the endpoint gives 500
 * - `unsupported`: the endpoint gives 501
 */
export type ReadError =
  | "incorrect_username_or_password"
  | "incorrect_mfa_or_otp"
  | "reauthentication_required"
  | "additional_account_setup_required"
  | "captcha_challenge"
  | "insufficient_permission"
  | "unavailable"
  | "broken"
  | "unsupported";

/**
 * How a read ended.
 *
 * - `stored`: its data is stored
 * - `unavailable`: the provider was away
 * - `broken`: the answer of the provider could not be used
 * - `unsupported`: the provider, or this account, does not have the data
 * - `forbidden`: the account may not read the data
 * - `refused`: the provider no longer accepts the sign-in
 */
export type ReadOutcome =
  "stored" | "unavailable" | "broken" | "unsupported" | "forbidden" | "refused";

/**
 * Whether the data is being read.
 *
 * - `idle`: no read was asked for
 * - `running`: a read runs
 * - `waiting`: a read waits, for what `waits_for` says
 */
export type ReadState = "idle" | "running" | "waiting";

/** What was deleted when a token ended. */
export interface Receipt {
  /** The id of the token */
  token: string;
  /** The client to which it belonged */
  client_id: string;
  /** The id of the connection */
  connection: string;
  /** When the token ended and all this was deleted, RFC 3339 in UTC */
  disconnected_at: string;
  /** Who ended it */
  by: EndedBy;
  /** What was deleted */
  deleted: Deleted;
}

/** What is paid back to the employee, such as travel expenses. */
export interface Reimbursement {
  /** What it is, as the payslip says */
  name: string;
  /** The amount, in minor units of the currency (cents) */
  amount: number;
}

/** A kind of data of a provider, by the name of its endpoint. */
export type Resource =
  | "company"
  | "employees"
  | "groups"
  | "payruns"
  | "payslips"
  | "timesheets"
  | "time-off-entries"
  | "time-off-balances"
  | "work-locations";

/** How a kind of data of a connection stands. */
export interface ResourceState {
  /** Which kind of data */
  resource: Resource;
  /** When stored data was read last; null when none is stored */
  read_at: string | null;
  /** How many records the last read brought; of employees, how many are stored. Null before the first read */
  records: number | null;
  /** How long the last read that ended took, from its request on. Null before the first one */
  took_seconds: number | null;
  /** How that read ended; null before the first one */
  outcome: ReadOutcome | null;
  /** Whether a read runs or waits now */
  state: ReadState;
  /** What it waits for; null when it does not wait */
  waits_for: WaitsFor | null;
  /** Until when it waits, where that is known; null for a place */
  waits_until: string | null;
  /** When the data is polled next; null where only a request begins a read */
  next_read_at: string | null;
}

/** What the simulated system of a connection does, and how its poll stands. */
export interface SandboxConnection {
  /** The id of the token */
  token: string;
  /** The user name that selects what happens */
  scenario: string;
  /** How many simulated hours have passed */
  hour: number;
  /** The code with which reads fail until the next sign-in; null when they do not */
  failure: SentAuthErrorCode | null;
  /** Fields of employees that the account may not read: null in each record */
  limited: string[];
  /** Resources that the account may not read: 401 `insufficient_permission` */
  forbidden: Resource[];
  /** The lists that were set, in the place of those of the scenario */
  set: SandboxList[];
  /** Null when the scopes do not include the employees */
  poll: SandboxPoll | null;
}

/** How reads fail. */
export interface SandboxFailure {
  /** The code of the 401 */
  code: SentAuthErrorCode;
}

/**
 * A list that can be set.
 *
 * - `employees`: the employees
 * - `payruns`: the pay runs
 * - `payslips`: the payslips of all pay runs
 * - `time-off-entries`: absences
 */
export type SandboxList = "employees" | "payruns" | "payslips" | "time-off-entries";

/** How the poll for changed employees stands. */
export interface SandboxPoll {
  /** Whether a poll is under way */
  state: SandboxPollState;
  /** How the last poll ended; null before the first */
  outcome: string | null;
  /** When the last poll ended, RFC 3339 in UTC; null before the first */
  polled_at: string | null;
}

/**
 * Whether a poll is under way.
 *
 * - `pending`: a poll is under way
 * - `idle`: no poll is under way
 */
export type SandboxPollState = "pending" | "idle";

/** Lists that take the place of those of the scenario. */
export interface SandboxRecords {
  /** In the place of the scenario's: records as in employees, without the ids of Rollcall. Null gives the list back to the scenario. */
  employees?: Record<string, unknown>[] | null | undefined;
  /** In the place of the scenario's: records as in payruns, without the ids of Rollcall. Null gives the list back to the scenario. */
  payruns?: Record<string, unknown>[] | null | undefined;
  /** In the place of the scenario's: records as in payslips, without the ids of Rollcall. Null gives the list back to the scenario. */
  payslips?: Record<string, unknown>[] | null | undefined;
  /** In the place of the scenario's: records as in time-off-entries, without the ids of Rollcall. Null gives the list back to the scenario. */
  time_off_entries?: Record<string, unknown>[] | null | undefined;
}

/** What the account may not read. An empty list gives the rights back. */
export interface SandboxRights {
  /** Fields of employees that the account may not read */
  limited?: LimitableField[] | undefined;
  /** Resources that the account may not read */
  forbidden?: Resource[] | undefined;
}

/** Who signs in again. */
export type SandboxSignIn = {
  /** Who signs in: the user name of a scenario. The same as before by default. */
  scenario?: string | undefined;
} | null;

/** What a token may read: the path of the endpoint that the scope opens. */
export type Scope =
  | "/2023-03-01/official/company"
  | "/2023-03-01/official/employee"
  | "/2023-03-01/official/employees"
  | "/2023-03-01/official/groups"
  | "/2023-03-01/official/identity"
  | "/2023-03-01/official/time-off-balances"
  | "/2023-03-01/official/time-off-entries"
  | "/2023-03-01/official/timesheets"
  | "/2023-03-01/official/work-locations"
  | "/2023-03-01/xhr/company"
  | "/2023-03-01/xhr/employee"
  | "/2023-03-01/xhr/employees"
  | "/2023-03-01/xhr/groups"
  | "/2023-03-01/xhr/identity"
  | "/2023-03-01/xhr/payruns"
  | "/2023-03-01/xhr/payruns/:payrun_id"
  | "/2023-03-01/xhr/time-off-balances"
  | "/2023-03-01/xhr/time-off-entries"
  | "/2023-03-01/xhr/timesheets"
  | "/2023-03-01/xhr/work-locations";

/**
 * Why a credential was refused: the codes that are sent.
 *
 * - `incorrect_username_or_password`: the provider refuses the end user's credentials; with a `WWW-Authenticate` header, the client's own credentials are missing or wrong
 * - `incorrect_mfa_or_otp`: the provider refused the second factor
 * - `reauthentication_required`: the session at the provider has ended; with a `WWW-Authenticate` header, the access token is missing or not known
 * - `additional_account_setup_required`: the provider wants something set up in the account first, such as a new password
 * - `captcha_challenge`: the provider asks for a captcha that cannot be solved at the moment
 * - `insufficient_permission`: the end user's account lacks the rights to read this data
 */
export type SentAuthErrorCode =
  | "incorrect_username_or_password"
  | "incorrect_mfa_or_otp"
  | "reauthentication_required"
  | "additional_account_setup_required"
  | "captcha_challenge"
  | "insufficient_permission";

/** A fault of the service, or an answer of the provider that cannot be used. */
export interface ServerError {
  /** What is wrong, for a person who reads the log */
  message: string;
}

/** The provider or the service is away. Repeat the call after `Retry-After` seconds. */
export interface ServiceUnavailable {
  /** What is wrong, for a person who reads the log */
  message: string;
}

/** What is stored of one request for data. */
export interface StoredList {
  /** The resource, by the last part of its path */
  resource: Resource;
  /** The parameters of its request, as in the query or the path of the data endpoint */
  parameters: Record<string, string>;
  /** When the provider was asked, RFC 3339 in UTC */
  read_at: string;
  /** As the data endpoint has it */
  data: unknown;
}

/** A tax or a duty. */
export interface Tax {
  /** What it is, as the payslip says */
  name: string;
  /** The amount, in minor units of the currency (cents) */
  amount: number;
  /** Whether the employer pays it on top of gross pay. Null when unknown. */
  employer_tax: boolean | null;
}

/** How much time off an employee has left under one policy. */
export interface TimeOffBalance {
  /** Id of the employee, as in employees */
  employee_id: string;
  /** Id of the employee at the provider */
  employee_remote_id: string;
  /** The time that is left, counted in `unit`. Null when unknown. */
  balance: number | null;
  /** The time that was taken, counted in `unit`. Null when unknown. */
  used: number | null;
  /** What `balance` and `used` are counted in. Null when unknown. */
  unit: TimeOffBalanceUnit | null;
  /** Id of the policy under which time is taken off; stable for a connection. Null when unknown. */
  policy_id: string | null;
  /** Id of the policy at the provider. Null when unknown. */
  policy_remote_id: string | null;
  /** Name of the policy. Null when unknown. */
  policy_name: string | null;
  /** What the policy is for. Null when unknown. */
  policy_type: TimeOffPolicyType | null;
  /** The day on which the provider's record was made, YYYY-MM-DD. Null when unknown. */
  remote_created_at: string | null;
  /** The day on which the provider's record last changed, YYYY-MM-DD. Null when unknown. */
  remote_modified_at: string | null;
}

/**
 * What a balance of time off is counted in.
 *
 * - `hours`: hours
 * - `days`: working days
 */
export type TimeOffBalanceUnit = "hours" | "days";

/** An absence of an employee. */
export interface TimeOffEntry {
  /** The absence's id at Rollcall; stable for a connection */
  id: string;
  /** The absence's id at the provider */
  remote_id: string;
  /** Id of the employee, as in employees */
  employee_id: string;
  /** Id of the employee at the provider */
  employee_remote_id: string;
  /** First day of the absence, YYYY-MM-DD. Null when unknown. */
  start_date: string | null;
  /** Last day of the absence, YYYY-MM-DD. Null when unknown. */
  end_date: string | null;
  /** How much time is taken off, counted in `unit` */
  amount: number;
  /** What `amount` is counted in */
  unit: TimeOffUnit;
  /** Whether the absence is agreed. Null when unknown. */
  status: TimeOffStatus | null;
  /** What the employee wrote about it. Null when unknown. */
  employee_note: string | null;
  /** Id of the policy under which time is taken off; stable for a connection. Null when unknown. */
  policy_id: string | null;
  /** Id of the policy at the provider. Null when unknown. */
  policy_remote_id: string | null;
  /** Name of the policy. Null when unknown. */
  policy_name: string | null;
  /** What the policy is for. Null when unknown. */
  policy_type: TimeOffPolicyType | null;
  /** The day on which the provider's record was made, YYYY-MM-DD. Null when unknown. */
  remote_created_at: string | null;
  /** The day on which the provider's record last changed, YYYY-MM-DD. Null when unknown. */
  remote_modified_at: string | null;
}

/**
 * What an absence is for.
 *
 * - `bereavement`: a death in the family
 * - `holiday`: a public holiday
 * - `jury_duty`: service as a juror
 * - `personal`: a personal reason
 * - `sick`: an illness
 * - `vacation`: paid holidays
 * - `volunteer`: voluntary work
 */
export type TimeOffPolicyType =
  "bereavement" | "holiday" | "jury_duty" | "personal" | "sick" | "vacation" | "volunteer";

/**
 * Whether an absence is agreed.
 *
 * - `approved`: agreed
 * - `pending`: asked for, not decided yet
 * - `rejected`: refused
 */
export type TimeOffStatus = "approved" | "pending" | "rejected";

/**
 * What an amount of time off is counted in.
 *
 * - `hours`: hours
 * - `days`: working days
 * - `months`: months
 */
export type TimeOffUnit = "hours" | "days" | "months";

/** A record of time that an employee worked. */
export interface Timesheet {
  /** The timesheet's id at Rollcall; stable for a connection */
  id: string;
  /** The timesheet's id at the provider */
  remote_id: string;
  /** Id of the employee, as in employees */
  employee_id: string;
  /** Id of the employee at the provider */
  employee_remote_id: string;
  /** When the work began, RFC 3339 in UTC. Null when unknown. */
  start_time: string | null;
  /** When the work ended, RFC 3339 in UTC. Null when unknown. */
  end_time: string | null;
  /** Hours of work, without breaks */
  hours_worked: number;
  /** The day on which the provider's record was made, YYYY-MM-DD. Null when unknown. */
  remote_created_at: string | null;
  /** The day on which the provider's record last changed, YYYY-MM-DD. Null when unknown. */
  remote_modified_at: string | null;
}

/** An access token. It has no expiry; it works until it is disconnected. */
export interface Token {
  /** The id of the token, as in the tokens list and in the header of webhooks; no secret */
  token: string;
  /** The credential for the data endpoints. It is shown this once; keep it secret. */
  access_token: string;
  /** The mode of the connection */
  mode: Mode;
  /** The name of the provider at which the end user signed in */
  provider: string;
  /** What the token may read */
  scopes: Scope[];
  /** The scheme for the `Authorization` header */
  token_type: "Bearer";
}

/** A token of the client, and how it stands. */
export interface TokenEntry {
  /** The token's id, never the credential */
  token: string;
  /** What the token may read */
  scopes: Scope[];
  /** The mode of its connection */
  mode: Mode;
  /** The name of the provider */
  provider: string;
  /** When the token was made, RFC 3339 in UTC */
  created_at: string;
  /** False once the token was disconnected */
  valid: boolean;
  /** Whether the token gives data */
  status: TokenStatus;
  /** Resources that the end user's account may not read. Empty when it may read all. */
  forbidden: Resource[];
  /** By resource, the fields that the account may not read, of every record or of some. They are null there. */
  limited: Partial<Record<Resource, string[]>>;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
}

/** The authorization code, and the client that exchanges it. */
export interface TokenRequest {
  /** The client's id. Left out when it comes in a Basic header. */
  client_id?: string | undefined;
  /** Any current secret of the client. Left out when it comes in a Basic header. */
  client_secret?: string | undefined;
  /** Always `authorization_code` */
  grant_type: "authorization_code";
  /** The `code` with which the sign-in led back; valid for five minutes */
  code: string;
  /** Identical to the one of the sign-in link */
  redirect_uri: string;
  /** The PKCE verifier. Required when the sign-in link carried a `code_challenge` */
  code_verifier?: string | undefined;
  /** Your own id for the connection, 1 to 200 characters of printable ASCII. Lists and webhooks show it; the end user never sees it */
  reference?: string | undefined;
  /** What you want to find beside the connection: a JSON object of at most 2 kB. The end user never sees it */
  metadata?: Record<string, unknown> | undefined;
}

/** A token of the client, its connection, and how the data of it stands. */
export interface TokenState {
  /** The token's id, never the credential */
  token: string;
  /** What the token may read */
  scopes: Scope[];
  /** The mode of its connection */
  mode: Mode;
  /** The name of the provider */
  provider: string;
  /** When the token was made, RFC 3339 in UTC */
  created_at: string;
  /** False once the token was disconnected */
  valid: boolean;
  /** Whether the token gives data */
  status: TokenStatus;
  /** Resources that the end user's account may not read. Empty when it may read all. */
  forbidden: Resource[];
  /** By resource, the fields that the account may not read, of every record or of some. They are null there. */
  limited: Partial<Record<Resource, string[]>>;
  /** What the client calls the connection; null when it set none, and after a disconnect */
  reference: string | null;
  /** What the client keeps beside the connection; null as `reference` is */
  metadata: Record<string, unknown> | null;
  /** Since when it has this status; null where an earlier version did not write it down */
  since: string | null;
  /** Why the end user has to sign in again, as the `code` of a 401; else null */
  reason: SentAuthErrorCode | null;
  /** Resources that the provider, or this account, did not have at the last sign-in */
  unsupported: Resource[];
  /** The data that the scopes cover; empty once the token was disconnected */
  resources: ResourceState[];
}

/**
 * Whether a token gives data.
 *
 * - `active`: it gives data
 * - `reauthentication_required`: the end user has to sign in again; the same token works on after that
 * - `disconnected`: it was ended, and never gives data again
 */
export type TokenStatus = "active" | "reauthentication_required" | "disconnected";

/** Rate limited. Repeat the call after `Retry-After` seconds. */
export interface TooManyRequests {
  /** What is wrong, for a person who reads the log */
  message: string;
}

/** The `Content-Type` of the body is not one of those that are listed, or the body is compressed (`Content-Encoding`). */
export interface UnsupportedMediaType {
  /** What is wrong, for a person who reads the log */
  message: string;
}

/** A client after a change. */
export interface UpdatedClient {
  /** The client's id */
  client_id: string;
  /** The current secrets, masked to their last four characters. The first one signs webhooks. */
  client_secret: string[];
  /** The addresses to which a sign-in may lead back */
  redirect_uris: string[];
  /** The name that end users see */
  name: string;
  /** Where webhooks are sent. Null when there are none. */
  webhook_uri: string | null;
  /** How webhooks stand at `webhook_uri`. Null without one. */
  webhook_status: WebhookStatus | null;
  /** Where events are sent. Null when they are not sent. */
  event_uri: string | null;
  /** The events that are sent to `event_uri`. Null when all are. */
  event_types: EventType[] | null;
  /** How events stand at `event_uri`. Null without one. */
  event_status: WebhookStatus | null;
  /** What is polled for changes, each of which is a `data.changed` */
  poll_resources: PollableResource[];
  /** Where the sign-in pages load the logo from. Null without one. */
  logo_url: string | null;
  /** The colour of the client's sign-in pages. Null without one. */
  brand_color: string | null;
  /** What the data is for, as end users see it. Null when it is not said. */
  purpose: string | null;
  /** Where the client says how it treats data. Null when it is not said. */
  privacy_url: string | null;
  /** Where end users find help. Null when it is not said. */
  support_url: string | null;
  /** Whether end users may sign in to the sandbox in the environment `prod` */
  allow_sandbox: boolean;
  /** What is not read of employees: null in each record. Usually empty. */
  fields_off: FieldOff[];
  /** After `rotate_secret`: the new secret, which is shown this once */
  new_client_secret?: string | undefined;
}

/**
 * What a read waits for.
 *
 * - `place`: other reads run, and it has its turn as soon as one ends
 * - `quota`: the provider takes no more requests for a while
 * - `provider`: the provider was away, and is tried again
 */
export type WaitsFor = "place" | "quota" | "provider";

/**
 * How webhooks stand at an address.
 *
 * - `active`: webhooks are sent
 * - `paused`: every attempt failed for five days; none is sent until the address is set again
 * - `gone`: the receiver answered 410; none is sent until the address is set again
 */
export type WebhookStatus = "active" | "paused" | "gone";

/** An address that can be associated with an employee. */
export interface WorkLocation {
  /** The location's id at Rollcall; stable for a connection. Null when unknown. */
  id: string | null;
  /** The location's id at the provider. Null when unknown. */
  remote_id: string | null;
  /** The location's name. Null when unknown. */
  name: string | null;
  /** What the location is, in the provider's words, such as `office`. Null when unknown. */
  type: string | null;
  /** The location's address. Null when unknown. */
  address: Address | null;
}

/** The query of listTokens. */
export interface ListTokensQuery {
  /** How many tokens at most; all without it */
  limit?: number | undefined;
  /** The id of the last token of the page before, `token` in the list */
  after?: string | undefined;
  /** Only tokens with this status */
  status?: TokenStatus | undefined;
  /** Only tokens of connections to this provider */
  provider?: string | undefined;
  /** Only tokens of connections that the client calls by this reference */
  reference?: string | undefined;
}

/** The query of listDeliveries. */
export interface ListDeliveriesQuery {
  /** The id of the last delivery of the page before */
  after?: string | undefined;
  /** How many deliveries at most */
  limit?: number | undefined;
}

/** The query of listEvents. */
export interface ListEventsQuery {
  /** The `after` of the page before. Without it, from the oldest event */
  after?: string | undefined;
  /** How many events at most */
  limit?: number | undefined;
}

/** The query of getEmployee. */
export interface GetEmployeeQuery {
  /** The employee's `id`, as in employees */
  id: string;
}

/** The query of listEmployees. */
export interface ListEmployeesQuery {
  /** Only individuals whose status is explicitly this one; those whose status is null are left out */
  employment_status?: EmploymentStatus | undefined;
}

/** The query of listPayruns. */
export interface ListPayrunsQuery {
  /** First day of the range, YYYY-MM-DD */
  start_date: string;
  /** Last day of the range, YYYY-MM-DD; not before `start_date` */
  end_date: string;
}

/** The query of listTimeOffEntries. */
export interface ListTimeOffEntriesQuery {
  /** First day of the range, YYYY-MM-DD */
  start_date: string;
  /** Last day of the range, YYYY-MM-DD; not before `start_date` */
  end_date: string;
}

/** The query of listTimesheets. */
export interface ListTimesheetsQuery {
  /** First day of the range, YYYY-MM-DD */
  start_date: string;
  /** Last day of the range, YYYY-MM-DD; not before `start_date` */
  end_date: string;
}

/** The query of listPayslipsOfRange. */
export interface ListPayslipsOfRangeQuery {
  /** First day of the range, YYYY-MM-DD */
  start_date: string;
  /** Last day of the range, YYYY-MM-DD; not before `start_date` */
  end_date: string;
}
