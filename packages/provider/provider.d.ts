// Written by `npm run types` from src. TypeScript reads it; nothing runs it.

import type { z } from "zod";

type Kit = typeof kit;

/** How a provider is checked. A package exports it as `conformance`, beside its default. */
interface Conformance {
    /** By default the first provider of the package. */
    provider?: string;
    /** By default the first mode of the provider. */
    mode?: Mode;
    /**
     * Fields of the tables of an adapter that no record of the fake fills, by their names in the API. What is inside of
     * each item of a list stands behind `[].`.
     */
    neverFilled?: Readonly<Partial<Record<Resource, readonly string[]>>>;
    /** Starts a fake of the system. It plays one scenario until it is closed. */
    start(scenario: Scenario): Promise<FakeSystem>;
    /** Scenarios that the fake cannot play, each with the reason. */
    leavesOut?: Readonly<Partial<Record<Scenario, string>>>;
    /** What shows each meaning of `docs/meanings.md`. Without it, the check of meanings is left out. */
    meanings?: MeaningAnswers;
    /** Of a recording: how a scenario is played where there is a choice, which stands beside what is checked. */
    played?: Readonly<Partial<Record<Scenario, string>>>;
    /** Of a recording: checks, by their names, that need a fake that knows what is right. */
    leavesOutChecks?: Readonly<Record<string, string>>;
}

type ProviderFailure = AuthError | FieldError | OperationNotSupported | ProviderRateLimited | ProviderDown | ProviderBug;

/** The default export of a provider package. */
type ProviderPackage = Made | readonly Made[];

/**
 * One upstream system. An adapter signs in, reads raw pages and maps them. The host renders the
 * form, stores the session sealed, limits every call, checks every record against the public model
 * and mints the ids.
 */
interface ProviderDefinition {
    apiVersion: 1;
    /** Lower-case, as in links and in `GET /providers`. */
    name: string;
    title: string;
    /** Words by which a sign-in link narrows the choice of providers, such as `payroll` or `uk`. */
    tags?: readonly string[];
    modes: Partial<Record<Mode, ProviderMode>>;
    /**
     * The page about signing in to it: which rights are needed, what is read. A path of this service or an address with https.
     */
    guide?: string;
    /** Its data are invented. */
    isSimulated?: boolean;
    limits?: {
        /** The most reads of this provider that run at once, over all processes. 32 where nobody types its address. */
        concurrency?: number;
        /** How many requests the provider takes, by a name for each of its limits. */
        quotas?: Readonly<Record<string, Quota>>;
        /**
         * How long the provider wants us to wait after an answer, in seconds; undefined when the answer does not say it.
         * It is called for every answer. Without it, a 429 counts with its `Retry-After`, or with a pause that doubles.
         */
        waitSeconds?(answer: QuotaAnswer): number | undefined;
    };
    /**
     * The sentences of its forms, questions and messages in other languages, by the English ones. A part that is the same
     * in each language, such as a version, stands in both as `{version}`.
     */
    texts?: ProviderTexts;
}

type Mode = z.output<typeof mode>;

interface ProviderMode {
    /**
     * True when the session contains what the person typed, such as an API key. The page tells them
     * so.
     */
    keepsSecret?: boolean;
    /**
     * A flat object of strings. `formField` makes each field, with its title and whether it is a
     * secret.
     */
    form: z.ZodObject;
    /** How an end user finds what the form asks for. */
    recipe?: Recipe;
    /** Of a system whose address, or a part of it, is a field of the form. */
    origin?: TypedOrigin;
    /** The person signs in on the provider's own page, after the form, which may be empty. */
    oauth2?: OAuth2SignIn;
    /** Sends a password at most once. Throws refusals: see `errors.ts`. */
    login(context: SignInContext, formValues: FormValues): Promise<SignInResult>;
    /** Required when `login` can return a challenge. */
    resume?(context: SignInContext, state: Session, answer: string): Promise<SignInResult>;
    /** Pure. Without it, every spelling of the form's values counts as an account of its own. */
    account?(formValues: FormValues): Account;
    /**
     * Pure. Names the account of a session as the provider itself tells accounts apart, such as by the number of its
     * user. Whoever signs in to it again sees and ends the accesses to it. Without it, `account` names it.
     */
    accountOfSession?(session: Session): readonly string[];
    /**
     * A new session for one that has ended or is about to. The host alone calls it, once for all who need it. It
     * throws AuthError `reauthentication_required` when only the person can sign in again.
     */
    refresh?(context: ProviderContext, session: Session): Promise<Session>;
    /** When the session ends, if the session says so. It is refreshed before that. */
    expiresAt?(session: Session): Date | undefined;
    /** Ends the session at the provider after a disconnect. */
    logOut?(context: LogOutContext, session: Session): Promise<void>;
    /**
     * Checks that the session works and lists what it cannot read. It runs at each sign-in: keep it
     * cheap.
     */
    check(context: CheckContext, session: Session): Promise<CheckResult>;
    identity(context: ProviderContext, session: Session): Promise<Identity>;
    /** A resource that is missing here is answered with 501. */
    resources: {
        readonly [R in Resource]?: ResourceReader<R>;
    };
}

/**
 * How an end user finds what the form asks for, such as an API key. It unfolds on the page of the sign-in. Every
 * sentence is English text, and `texts` has it in other languages.
 */
interface Recipe {
    /** The field of the form that it stands at. Without it, it stands before the button. */
    field?: string;
    /** The question that it answers, such as "Where do I find the API key?" */
    title: string;
    /** In their order; six at most. */
    steps: readonly RecipeStep[];
    /** Which rights the account or the key needs, a sentence for each; six at most. */
    rights?: readonly string[];
    /** How to end the access at the provider afterwards; six at most. */
    ending?: readonly string[];
}

/** Where the system answers, when the person types its address or a part of it. */
interface TypedOrigin {
    /** The field of the form with the whole address, which has `isAddress`, or with a part of it, such as a subdomain. */
    field: string;
    /** Pure. The origin that the text stands for; null when it stands for none. */
    of(typed: string): string | null;
    /**
     * Looks whether the system is there, before `login` and without anything else that was typed. Throws a FieldError for
     * another system. What the network fails of, the host tells at the field.
     */
    probe?(context: ProbeContext, origin: string): Promise<FoundSystem>;
}

type ProbeContext = Pick<ProviderContext, "clock" | "signal" | "http" | "log">;

interface ProviderContext {
    clock: Clock;
    /** Aborts when the fetch has to end. Pass it to everything that waits. */
    signal: AbortSignal;
    /**
     * A client for one origin. It refuses other hosts, private addresses and redirects.
     * `cookies` is an earlier result of `exportCookies`. `draws` names the quotas that each request counts
     * against, each with the value that it is counted by, such as the tenant. `maxBytes` raises the limit of one
     * answer as far as the host allows.
     */
    http(origin: string, options?: {
        cookies?: string;
        draws?: Readonly<Record<string, string>>;
        maxBytes?: number;
    }): ProviderHttp;
    log: ProviderLog;
    /** Of a mode with `oauth2`: the operator's application. */
    application?: OAuth2Application;
    /** Replaces the stored session, for providers that rotate cookies or keys. */
    saveSession(session: Session): void;
}

/** The only source of time in the program. A test can replace it. */
interface Clock {
    now(): Date;
    /** Rejects with the signal's reason when the signal fires first. */
    sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

interface ProviderHttp {
    /** Returns complete answers with a status up to 499, except 429. Throws for everything else. */
    request(request: ProviderRequest): Promise<ProviderResponse>;
    /** All cookies as one string. It holds secrets. */
    exportCookies(): string;
}

interface ProviderRequest {
    method?: "GET" | "HEAD" | "POST" | "PUT" | "PATCH" | "DELETE" | undefined;
    url: string | URL;
    headers?: Readonly<Record<string, string>> | undefined;
    /** Added to the query of the URL. An array repeats its name. */
    query?: Readonly<Record<string, QueryValue | readonly QueryValue[]>> | undefined;
    /** At most one of `json`, `form` and `body`. */
    json?: unknown;
    form?: Readonly<Record<string, string>> | undefined;
    body?: string | Uint8Array | undefined;
    /** For the whole request, with its retries and waits. */
    timeoutMs?: number | undefined;
    /** Whether it may be sent again after a failure. The default is true for GET and HEAD alone. */
    isIdempotent?: boolean | undefined;
    /** Redirects are never followed. A caller may say so where it matters. */
    redirect?: "manual" | undefined;
}

interface ProviderResponse {
    status: number;
    /** By lower-case name; repeated ones are joined. Without `set-cookie`, which goes to the cookie jar. */
    headers: Readonly<Record<string, string>>;
    /** Decompressed. */
    bytes: Uint8Array;
    text(): string;
    /** Throws HttpTooLarge, without parsing, for too many values or too deep a body. */
    json(): unknown;
}

/** Log only ids, counts and enumerated words. */
interface ProviderLog {
    debug(fields: object, message: string): void;
    warn(fields: object, message: string): void;
}

/** The application that the operator registered at a provider. */
interface OAuth2Application {
    clientId: string;
    clientSecret: string;
}

/**
 * The result of a sign-in: plain JSON with all that the adapter needs later, such as cookies or a
 * key.
 */
type Session = Readonly<Record<string, unknown>>;

/** The person reads the title of the provider and this version: digits with dots between them. */
interface FoundSystem {
    version?: string;
    /** Why it cannot be read all the same, such as its version: the sentence at the field. */
    refusal?: string;
}

/**
 * The person signs in and approves on the provider's own page. The host leads there, with `state` and PKCE, and calls
 * `login` with what the provider gave. Without an application of the operator, the mode is not there.
 */
interface OAuth2SignIn {
    /** Pure. The address of that page, without the parameters of OAuth. `https` unless it is of this machine. */
    authorizationUrl(formValues: Readonly<Record<string, string>>): string;
    /** Pure. The provider's scopes for these resources, and for refreshing the session. */
    scopes(resources: readonly Resource[]): readonly string[];
    /** Further parameters of that address, such as `prompt`. */
    parameters?: Readonly<Record<string, string>>;
}

/** What is fetched from a provider. */
type Resource = NonNullable<ResourceOf<EndpointPath>>;

interface SignInContext extends ProviderContext {
    /** The resources that will be read, so that a missing right is refused at the sign-in. */
    resources: readonly Resource[];
    /**
     * In a re-authentication, the session that it replaces. An account of another company has to be
     * refused.
     */
    previousSession?: Session;
    /** Of a mode with `oauth2`: what the provider gave. */
    authorization?: OAuth2Authorization;
}

/** What the provider gave when the person approved. `login` exchanges it for a session, once. */
interface OAuth2Authorization {
    code: string;
    /** Of PKCE. Send it with the code. */
    codeVerifier: string;
    /** Where the provider sent the browser. Send it with the code. */
    redirectUri: string;
}

/** What a person typed into the form, by the names of its fields. */
type FormValues = Readonly<Record<string, string>>;

type SignInResult = {
    session: Session;
} | {
    challenge: SignInChallenge;
};

/**
 * The provider asks the person for more. `state` is plain JSON, which the host keeps sealed until the answer. The
 * `prompt` is the question to the person, in English, such as "Code from your authenticator app".
 */
type SignInChallenge = {
    prompt: string;
    state: Session;
} & ({
    kind: "otp";
} | {
    kind: "text";
    isSecret?: boolean;
}
/** The answer is the value of one option. */
 | {
    kind: "choose";
    options: readonly ChallengeOption[];
}
/** The person approves elsewhere, such as in an app. `resume` is called with an empty answer again and again. */
 | {
    kind: "wait";
    everySeconds?: number;
});

interface LogOutContext extends ProviderContext {
    /**
     * Another connection was made by signing in to the same account. Leave alone what both have at the provider, such as
     * its approval of the application.
     */
    isAccountInUse: boolean;
}

interface CheckContext extends SignInContext {
    /** What may be read can depend on what the person chose. */
    settings: Settings;
}

/** What the person chose at the sign-in, by the names of the fields with `isSetting`. */
type Settings = Readonly<Record<string, string>>;

interface CheckResult {
    /**
     * Resources that this account lacks, such as those of a module that is not installed; answered
     * with 501.
     */
    unsupported: readonly Resource[];
    /** Resources that this account may not read; answered with 401 `insufficient_permission`. */
    forbidden?: readonly Resource[];
    /** Fields that this account may not read, by resource; null in every record or in some. */
    limited?: Readonly<Partial<Record<Resource, readonly string[]>>>;
}

type Identity = z.output<typeof identity>;

interface ResourceReader<R extends Resource = Resource> {
    /** Yields raw pages. The fetch is complete only when the generator returns. */
    fetch(context: ReadContext, session: Session, parameters: FetchParameters<R>): AsyncIterable<Page<unknown>>;
    /**
     * Yields what is new since a full read, and since the last changes, said where to continue. A full read once a day
     * corrects it, unless `changesRereadAll` is set, and follows at once when this throws OperationNotSupported, such as
     * for a cursor that the provider has forgotten. For employees.
     */
    changes?(context: ReadContext, session: Session, since: Cursor): AsyncIterable<ChangedPage<unknown>>;
    /** `changes` names who was removed, in each case. Without it, a full read has the last word. */
    changesNameRemovals?: boolean;
    /**
     * `changes` gives everybody over again in time, changed or not. Then no full read follows a day later.
     */
    changesRereadAll?: boolean;
    /** Pages are counted by an offset, so that a deletion while they are read can hide a record. */
    isPagedByOffset?: boolean;
    /** Pure. Null leaves the record out. */
    map(raw: never, context: MapContext<R>): SourceRecord<R> | null;
    /** Where each field of a record comes from. A table of the kit tells it. */
    fields?(): readonly DescribedField[];
}

interface ReadContext extends ProviderContext {
    settings: Settings;
    /** The cursor of the last page of this read that is kept. Undefined when the read begins. */
    cursor: Cursor | undefined;
    /**
     * Runs the work with the newest session. When the work throws AuthError `reauthentication_required` and the mode
     * has `refresh`, the session is refreshed and the work runs once more.
     */
    withSession<Result>(work: (session: Session) => Promise<Result>): Promise<Result>;
    /**
     * False for a field of this resource that the client does not want to have, such as `bank_account`: leave it out of
     * what is asked for, where the request names fields or is for it alone. Its value in a record is dropped in any case,
     * but not what an adapter puts into `custom_fields`.
     */
    isWanted(field: string): boolean;
    /** Fields of this resource that the account may not read. Each read says it anew. */
    limited(fields: readonly string[]): void;
    /** Where `changes` goes on next time. Without it there is a full read each time. */
    continueFrom(since: Cursor): void;
}

/** Where a read or a list of changes goes on: plain JSON that the adapter made. It is kept sealed. */
type Cursor = Readonly<Record<string, unknown>>;

/** What a read of the resource is asked for: always all of it, and nothing else. */
type FetchParameters<R extends Resource = Resource> = R extends DatedResource ? OfDays : R extends "payslips" ? OfPayrun : OfNothing;

interface DateRange {
    /** YYYY-MM-DD */
    start: string;
    end: string;
}

/** Raw records, and where the read can go on after them. */
type Page<Raw> = readonly Raw[] | {
    records: readonly Raw[];
    cursor: Cursor;
};

interface ChangedPage<Raw> {
    changed: readonly Raw[];
    /** The provider's ids of those who are gone. */
    removed?: readonly string[];
    /**
     * The provider's ids of all who are there still, where it lists them: who else is in the stored list is gone. Those
     * of several pages are one list.
     */
    present?: readonly string[];
}

interface MapContext<R extends Resource = Resource> {
    /** YYYY-MM-DD, UTC. */
    today: string;
    parameters: FetchParameters<R>;
    /** Hears of a value that could not be read: where it stands, and the field of our record that is null for it. */
    onUnreadable?(path: string, field: string): void;
}

/** The record that an adapter makes: the public record without our ids, which the host mints. An absent field is null. */
type SourceRecord<R extends Resource> = SourceRecords[R];

/**
 * One period of a person's job. An employee's three lists of jobs are derived from these periods.
 */
type SourceEmployment = Present<EmployeeInput["employments"]>[number] & {
    group_remote_id?: string | null;
    group_name?: string | null;
    manager_remote_id?: string | null;
    notes?: string | null;
};

/** Tokens of a provider: a part of a session. */
interface OAuth2Tokens {
    accessToken: string;
    /** Undefined when the provider gave none: then the one that was sent goes on. */
    refreshToken: string | undefined;
    /** Undefined when the provider does not say it. */
    expiresAt: string | undefined;
    /** Of OpenID Connect, as the provider's token endpoint gave them. */
    idTokenClaims: Readonly<Record<string, unknown>> | undefined;
}

/** A sign-in on the provider's own page, as it is declared. */
interface OAuth2Definition {
    /** Of that page, without the parameters of OAuth. */
    authorizationUrl: string | ((formValues: FormValues) => string);
    /** Where codes and refresh tokens are exchanged; of what the session has besides the tokens, where it depends on it. */
    tokenUrl: string | ((session: Session) => string);
    /** How the application proves itself. `basic` unless said otherwise; `json` sends all fields as JSON. */
    authentication?: "basic" | "body" | "json";
    /** Those of every sign-in, such as the one for refreshing, and those by resource. */
    scopes: {
        always: readonly string[];
        of?: Readonly<Partial<Record<Resource, readonly string[]>>>;
    };
    /** Further parameters of the page, such as `prompt`. */
    parameters?: Readonly<Record<string, string>>;
    /** How long an access token lives, of a provider that may not say it. */
    lifetimeSeconds?: number;
}

/** Exchanges codes and refresh tokens. A refresh token may work once, so the host alone calls `refresh`. */
declare class OAuth2 {
    #private;
    constructor(definition: OAuth2Definition);
    /** What a mode has of it. The host refreshes by it before the session ends. */
    get mode(): Required<Pick<ProviderMode, "oauth2" | "refresh" | "expiresAt">>;
    /** In `login`: the code for tokens, once. `own` is what the session has besides them. */
    exchange<Own extends Session>(context: SignInContext, own: Own): Promise<{
        session: Own & Held;
        claims: OAuth2Tokens["idTokenClaims"];
    }>;
    /** The session with new tokens. Providers that give no new refresh token take the one before again. */
    renew<Of extends Session>(context: ProviderContext, session: Of): Promise<Of & Held>;
    /** In `logOut`, when nobody else refreshes any more: a session whose access token does not end just now. */
    makeFresh<Of extends Session>(context: ProviderContext, session: Of): Promise<Of & Held>;
}

/** Who approved, by the claims of OpenID Connect. */
interface ApprovedBy {
    /** Tells people apart, and never changes. */
    sub: string;
    name: string;
    /** Empty when the provider does not tell it. */
    email: string;
}

/** How a system is asked. */
interface RestDefinition<Form> {
    /** The form of the stored session. */
    session: z.ZodType<Form>;
    /** Where it answers, or where it does for a session. */
    origin: string | ((session: Form) => string);
    /** The headers by which a request proves itself, such as `kit.auth` makes. None for one that asks for a token. */
    auth: (session: Form, request: RestRequest) => Readonly<Record<string, string>>;
    /** How its answers are written, such as `kit.xml()`: JSON unless said otherwise. */
    format?: BodyFormat;
    /** Further headers of each request. */
    headers?: Readonly<Record<string, string>>;
    /** The quotas that a request counts against, each with the value that it is counted by. */
    draws?: (session: Form, request: RestRequest) => Readonly<Record<string, string>>;
    /** 401 is `ended` and 403 `forbidden` unless said otherwise. Any other status from 400 on that is not named is a bug. */
    errors?: Meanings;
    /**
     * A path that every session may read, for a system that also refuses single paths as if the session had ended: only
     * when this one is refused, too, has it ended. `isEnded` reads its answer, where it is the answer that tells.
     */
    sessionProbe?: string | SessionProbe<Form>;
    /** The largest answer, as far as the host allows. */
    maxBytes?: number;
}

interface RestRequest extends Pick<ProviderRequest, "query" | "json" | "form" | "headers" | "isIdempotent"> {
    method?: "GET" | "POST" | "DELETE";
    /** Behind the origin. */
    path: string;
    /** Of this request, before those of all. */
    errors?: Meanings;
    /** How its answer is written, where that is otherwise than others are. */
    format?: BodyFormat;
    /** What stands for an answer that is `absent`, such as an empty list. Null unless said otherwise. */
    whenAbsent?: unknown;
}

/** How the bodies of answers are written. */
interface BodyFormat<Body = unknown> {
    readonly name: string;
    /** What a request asks for. */
    readonly accept: string;
    /** Whether an answer says that it is of this kind. */
    fits(answer: ProviderResponse): boolean;
    /** What an answer without a body is. Null unless said otherwise. */
    readonly empty?: Body;
    /** Throws ProviderBug for what is not written so, with `what`, such as `GET /people`, and nothing of the body. */
    read(answer: ProviderResponse, what?: string): Body;
    /** Undefined for what is not written so: for a look at a refusal, whose body may be anything. */
    tryRead(answer: ProviderResponse): Body | undefined;
}

/** Makes requests. The sentences of its failures name method and path, and nothing of an answer but its status. */
declare class RestClient {
    #private;
    constructor(withSession: WithSession, definition: Pick<RestDefinition<never>, "errors" | "format" | "sessionProbe">, ended: AuthErrorCode);
    /** The body. For a status that means `absent`, null or what the options say. */
    get(path: string, options?: RequestOptions): Promise<unknown>;
    /** As `get`. It is sent once, unless it is said to be idempotent. */
    post(path: string, options?: RequestOptions): Promise<unknown>;
    /** As `get`, of what ends something at the provider. */
    delete(path: string, options?: RequestOptions): Promise<unknown>;
    /** Page by page, from the start or from where an earlier page said. */
    pages(list: RestList, start?: Cursor): AsyncGenerator<RestPage>;
    /** The whole list. When the system has forgotten a cursor of its own, the list is read anew, once. */
    all(list: RestList): Promise<unknown[]>;
}

/** Why a credential was refused, by Rollcall or by the provider. */
type AuthErrorCode = (typeof authErrorCodes)[number];

type RestList = PagedList & RequestOptions & Pick<RestRequest, "method">;

/** How a list is divided into pages. */
type Paging = 
/** By a number of the page, from `first` on, which is 1 unless said otherwise. */
({
    by: "page";
    parameter: string;
    first?: number;
} & Sized)
/** By how many records come before. */
 | ({
    by: "offset";
    parameter: string;
} & Sized)
/** By what the page before says; null after the last one. */
 | {
    by: "cursor";
    parameter: string;
    next: (body: unknown) => unknown;
    /** The cursor stands in the JSON of the request, and not in its query. */
    isInBody?: boolean;
}
/** By the address with `rel="next"` in the header `Link` (RFC 8288). */
 | {
    by: "link";
}
/** All in one answer. */
 | {
    by: "none";
};

interface RestPage {
    /** Those that did not come before. */
    items: readonly unknown[];
    /** Where the list goes on after this page; null after the last one. */
    next: Cursor | null;
}

interface XmlOptions extends Encoded {
    /**
     * From each element to those that come in it any number of times, such as `{ slips: "slip", slip: ["line", "tax"] }`:
     * there each is a list, also of one or none. Any other element that comes twice breaks the read.
     */
    lists?: Readonly<Record<string, string | readonly string[]>>;
    /** Elements with a text that may have attributes, too, such as `<pay currency="eur">5</pay>`: a record each. */
    records?: readonly string[];
}

interface CsvOptions extends Encoded {
    /** What stands between two cells, such as a semicolon or a tab: a comma unless said otherwise. */
    separator?: string;
    /** The names of the columns, of a system that does not write them into its first row. */
    columns?: readonly string[];
}

/** How people sign in who type a key that each request is made with. */
interface KeySignIn<Form extends Session> {
    api: Rest<Form>;
    form: ProviderMode["form"];
    /** The session of what was typed, before anything was asked. */
    begin: (typed: FormValues) => Form;
    /** Asks with the key, and gives the session with what the answers say. Throws what is wrong with the key. */
    prove: (client: RestClient, begun: Form) => Promise<Form>;
    /** What a connection stays with, such as one company. */
    company: KeyCompany<Form>;
}

/** A small request that shows whether the account may read these resources. */
interface Probe {
    resources: readonly Resource[];
    ask: () => Promise<unknown>;
}

/** Finds changes by a list, of a system that tells none itself. */
declare class ListChanges {
    #private;
    constructor(definition: ListChangesDefinition);
    /** Where changes go on after a full read of this list. */
    start({ listed }: Pick<ReadList, "listed">, now: Date): Cursor;
    /**
     * Compares the list with what it was. Whether each change of the details shows in the list is not certain, so a slice
     * of the others is due as well: all are read over again within a day, or within the days that the limit of requests
     * takes. Throws OperationNotSupported where a full read is better.
     */
    compare(list: ReadList, cursor: Cursor, now: Date): FoundChanges;
}

interface ReadList {
    /** By their ids. */
    listed: readonly Listed[];
    /** False when records moved from page to page while it was read, so that one may be missing. */
    isWhole: boolean;
    /** How many requests the system takes today; undefined when it does not say it. */
    dayRequestsLeft: number | undefined;
}

type Scenario = (typeof scenarios)[number];

interface FakeSystem extends TypedValues {
    /** Where the fake listens. Every request goes there, whichever origin the adapter names. */
    baseUrl?: string;
    /** What time it is there. The real time by default. */
    now?: Date;
    /** Called after the sign-in and before anything is read. */
    afterSignIn?(): Promise<void> | void;
    /** In `changes`: adds, changes and removes people. */
    change?(): Promise<void> | void;
    /** What a 429 of the fake asks for. 30 by default. */
    waitSeconds?: number;
    /** Texts that stand in the records of employees, as they are. */
    texts?: readonly string[];
    /** How many records the fake has. */
    counts?: Readonly<Partial<Record<Resource, number>>>;
    /**
     * Some of its records, as the API has to give them, written from what the fake has and not from what the adapter
     * makes of it. In `usual`.
     */
    expected?: ExpectedRecords;
    /** What somebody else types, whose account is another one. In `usual`. */
    otherAccount?: TypedValues;
    /** How many of its sessions work. For `logOut`. */
    openSessions?(): number;
    /** Of a recording: the requests that it had no answer to. */
    missing?: readonly string[];
    /** What is read of resources with dates. The last 60 days by default. */
    range?: DateRange;
    close(): Promise<void> | void;
}

/** What a person types at a sign-in. */
interface TypedValues {
    /** Into the form. */
    formValues: FormValues;
    /**
     * Of a mode with `oauth2`: the code that the provider's page gives. The application is `rollcall` with the secret
     * `secret of rollcall`.
     */
    code?: string;
    /** The answers to the challenges of the sign-in, one after the other. */
    answers?: readonly string[];
}

/** Of each resource some records, with the fields that are looked at, by their names in the API. */
type ExpectedRecords = Readonly<Partial<Record<Resource, readonly Readonly<Record<string, unknown>>[]>>>;

type MeaningAnswers = Readonly<Partial<Record<MeaningName, MeaningAnswer>>>;

type MeaningName = (typeof meaningNames)[number];

/** What shows that an adapter gives a meaning, or why its system does not tell it. */
type MeaningAnswer = {
    /**
     * A record of the fake, as in `expected`: its ids, and the fields by which it shows the meaning. Of a payslip
     * `payrun_remote_id`, too.
     */
    record: Readonly<Record<string, unknown>>;
    /** What of it the system does not tell. */
    only?: string;
}
/** Of `nothing_readable`: what the sign-in is refused with, its code or a part of its sentence. */
 | {
    refusal: string;
}
/** In a sentence. */
 | {
    notTold: string;
};

/** What a provider package is handed, because it cannot import the program that loads it. */
declare const kit: {
    readonly defineProvider: typeof defineProvider;
    readonly defineReader: typeof defineReader;
    readonly formField: typeof formField;
    /** The fields of a form are described in this instance of zod. */
    readonly z: typeof z;
    readonly requestOAuth2Tokens: typeof requestOAuth2Tokens;
    /** A sign-in on the provider's own page, as it is declared. */
    readonly oauth2: typeof oauth2;
    readonly tokenFields: {
        accessToken: z.ZodString;
        refreshToken: z.ZodExactOptional<z.ZodString>;
        expiresAt: z.ZodString;
    };
    readonly readApprovedBy: typeof readApprovedBy;
    readonly readTokenClaims: typeof readTokenClaims;
    /** A system with answers in JSON, XML or CSV, as it is declared. */
    readonly rest: typeof rest;
    readonly json: BodyFormat<unknown>;
    readonly xml: typeof xml;
    readonly csv: typeof csv;
    readonly auth: {
        readonly basic: (user: string, password: string) => {
            authorization: string;
        };
        readonly bearer: (token: string) => {
            authorization: string;
        };
        readonly header: (name: string, value: string) => {
            [x: string]: string;
        };
    };
    readonly signInByKey: typeof signInByKey;
    readonly findRights: typeof findRights;
    readonly whereReadable: typeof whereReadable;
    readonly lookup: typeof lookup;
    readonly eachAtOnce: typeof eachAtOnce;
    readonly oneByOne: typeof oneByOne;
    readonly listChanges: typeof listChanges;
    readonly readList: typeof readList;
    readonly RequestRefused: typeof RequestRefused;
    readonly recordsAt: typeof recordsAt;
    readonly defineSource: typeof defineSource;
    readonly defineFields: typeof defineFields;
    readonly definePart: typeof definePart;
    readonly always: typeof always;
    readonly each: typeof each;
    readonly onlyOne: typeof onlyOne;
    readonly together: typeof together;
    readonly part: typeof part;
    /** What reads one value of a vendor's record. */
    readonly read: Readers;
    readonly toMinorUnits: typeof toMinorUnits;
    readonly addDays: typeof addDays;
    readonly inParts: typeof inParts;
    readonly findStarts: typeof findStarts;
    readonly openZone: typeof openZone;
    readonly AuthError: typeof AuthError;
    readonly FieldError: typeof FieldError;
    readonly OperationNotSupported: typeof OperationNotSupported;
    readonly ProviderRateLimited: typeof ProviderRateLimited;
    readonly ProviderDown: typeof ProviderDown;
    readonly ProviderBug: typeof ProviderBug;
};

/** Returns the definition as it is, with its type. */
declare function defineProvider(definition: ProviderDefinition): ProviderDefinition;

declare const mode: z.ZodEnum<{
    official: "official";
    xhr: "xhr";
}>;

interface RecipeStep {
    /** It says all that there is to do: not everybody sees the drawing. */
    text: string;
    /** Where on the provider's page it is done: boxes, those behind others first. One of them is marked. */
    drawing?: readonly DrawnBox[];
}

/** A box of a drawing that is 16 cells wide and at most 10 high. A cell is a little higher than wide. */
interface DrawnBox {
    /** Of its left upper corner, in whole cells, from 0. */
    x: number;
    y: number;
    width: number;
    height: number;
    look: DrawnLook;
    /** What stands on it there, such as the name of a menu. Without one it stands for anything. */
    label?: string;
    /** The one to click, to fill in or to copy. It has a label. */
    isMarked?: boolean;
}

/** `area` is a page, a menu or a dialog; `text` has no frame; `picture` is round. */
type DrawnLook = (typeof looks)[number];

declare const looks: readonly ["area", "button", "field", "text", "picture"];

type QueryValue = string | number | boolean | undefined;

type ResourceOf<Path extends EndpointPath> = Catalogue[Path]["resource"];

type EndpointPath = keyof Catalogue;

type Catalogue = typeof catalogue;

/**
 * The data endpoints of the specification, by their paths below the mode. Scopes and what a scope reads are
 * derived from this table. Routes and the words of consent are records over its keys, so that an endpoint
 * without them does not compile.
 */
declare const catalogue: {
    readonly company: {
        readonly modes: readonly ("official" | "xhr")[];
        readonly resource: "company";
        readonly includedIn: null;
    };
    readonly employee: {
        readonly modes: readonly ("official" | "xhr")[];
        readonly resource: "employees";
        readonly includedIn: "employees";
    };
    readonly employees: {
        readonly modes: readonly ("official" | "xhr")[];
        readonly resource: "employees";
        readonly includedIn: null;
    };
    readonly groups: {
        readonly modes: readonly ("official" | "xhr")[];
        readonly resource: "groups";
        readonly includedIn: null;
    };
    readonly identity: {
        readonly modes: readonly ("official" | "xhr")[];
        readonly resource: null;
        readonly includedIn: null;
    };
    readonly payruns: {
        readonly modes: readonly ["xhr"];
        readonly resource: "payruns";
        readonly includedIn: null;
    };
    readonly "payruns/:payrun_id": {
        readonly modes: readonly ["xhr"];
        readonly resource: "payslips";
        readonly includedIn: null;
    };
    readonly "time-off-balances": {
        readonly modes: readonly ("official" | "xhr")[];
        readonly resource: "time-off-balances";
        readonly includedIn: null;
    };
    readonly "time-off-entries": {
        readonly modes: readonly ("official" | "xhr")[];
        readonly resource: "time-off-entries";
        readonly includedIn: null;
    };
    readonly timesheets: {
        readonly modes: readonly ("official" | "xhr")[];
        readonly resource: "timesheets";
        readonly includedIn: null;
    };
    readonly "work-locations": {
        readonly modes: readonly ("official" | "xhr")[];
        readonly resource: "work-locations";
        readonly includedIn: null;
    };
};

interface ChallengeOption {
    value: string;
    /** Shown to the person as it is, such as the name of a company. */
    title: string;
}

/** Who signs in where, in one spelling, however it was typed. Attempts are counted by it. */
interface Account {
    /** For a provider whose address is typed. */
    origin?: string;
    tenant?: string;
    login: string;
}

declare const identity: z.ZodObject<{
    name: z.ZodString;
    email: z.ZodString;
    phone_number: z.ZodDefault<z.ZodNullable<z.ZodString>>;
}, z.core.$strip>;

/** Those that are asked for by days. */
type DatedResource = Extract<Resource, "payruns" | "timesheets" | "time-off-entries">;

interface OfDays {
    /**
     * Both days included. The host drops what is outside: a pay run by its payment date, or without one by the days of its
     * period; a timesheet by the day, in UTC, on which it starts; a time off entry by all of its days.
     */
    range: DateRange;
    payrunRemoteId?: undefined;
}

interface OfPayrun {
    /** The provider's id of the pay run. */
    payrunRemoteId: string;
    range?: undefined;
}

interface OfNothing {
    range?: undefined;
    payrunRemoteId?: undefined;
}

interface SourceRecords {
    company: Omit<Input<"company">, "id">;
    employees: SourceEmployee;
    groups: Omit<Input<"groups">, "id">;
    payruns: Omit<Input<"payruns">, "id">;
    payslips: Omit<Input<"payslips">, "id" | "employee_id" | "payrun_id" | "currency" | "currency_code"> & {
        /** Lower-case ISO 4217 code, of any currency. */
        currency?: string | null;
    };
    timesheets: Omit<Input<"timesheets">, "id" | "employee_id">;
    "time-off-entries": Omit<Input<"time-off-entries">, "id" | "employee_id" | "policy_id">;
    "time-off-balances": Omit<Input<"time-off-balances">, "employee_id" | "policy_id">;
    "work-locations": Omit<Input<"work-locations">, "id">;
}

type Input<R extends Resource> = z.input<(typeof resourceRecords)[R]>;

/** The record that the list of each resource is made of. */
declare const resourceRecords: {
    readonly company: z.ZodObject<{
        id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        legal_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        display_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        tax_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        address: z.ZodDefault<z.ZodNullable<z.ZodObject<{
            street_address: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            locality: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            administrative_area: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            country: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                AR: "AR";
                AT: "AT";
                AU: "AU";
                BD: "BD";
                BE: "BE";
                BR: "BR";
                BZ: "BZ";
                CA: "CA";
                CH: "CH";
                CL: "CL";
                CN: "CN";
                CO: "CO";
                CR: "CR";
                CY: "CY";
                CZ: "CZ";
                DE: "DE";
                DK: "DK";
                EE: "EE";
                ES: "ES";
                FI: "FI";
                FR: "FR";
                GB: "GB";
                GR: "GR";
                GT: "GT";
                HK: "HK";
                ID: "ID";
                IE: "IE";
                IL: "IL";
                IM: "IM";
                IN: "IN";
                IS: "IS";
                IT: "IT";
                JP: "JP";
                KR: "KR";
                KZ: "KZ";
                LI: "LI";
                LT: "LT";
                LU: "LU";
                LV: "LV";
                MK: "MK";
                MO: "MO";
                MX: "MX";
                MY: "MY";
                NL: "NL";
                NO: "NO";
                NZ: "NZ";
                PA: "PA";
                PE: "PE";
                PH: "PH";
                PK: "PK";
                PL: "PL";
                PS: "PS";
                PT: "PT";
                RO: "RO";
                RU: "RU";
                SA: "SA";
                SE: "SE";
                SG: "SG";
                SK: "SK";
                SV: "SV";
                TH: "TH";
                TJ: "TJ";
                TM: "TM";
                TR: "TR";
                TW: "TW";
                US: "US";
                VN: "VN";
                ZA: "ZA";
            }>>>;
            post_code: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        }, z.core.$strip>>>;
    }, z.core.$strip>;
    readonly employees: z.ZodObject<{
        id: z.ZodString;
        remote_id: z.ZodString;
        employee_number: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        first_name: z.ZodString;
        last_name: z.ZodString;
        display_full_name: z.ZodString;
        nationality: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        job_title: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        work_email: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        personal_email: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        mobile_phone_number: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        tax_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        gender: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            female: "female";
            male: "male";
            not_specified: "not_specified";
        }>>>;
        ethnicity: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            asian: "asian";
            black: "black";
            hispanic: "hispanic";
            mixed: "mixed";
            not_specified: "not_specified";
            other: "other";
            white: "white";
        }>>>;
        marital_status: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            divorced: "divorced";
            married: "married";
            not_specified: "not_specified";
            other: "other";
            single: "single";
        }>>>;
        date_of_birth: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        employment_status: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            active: "active";
            inactive: "inactive";
            leave: "leave";
            pending: "pending";
        }>>>;
        employment_type: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            contractor: "contractor";
            full_time: "full_time";
            other: "other";
            part_time: "part_time";
        }>>>;
        start_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        termination_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        remote_created_at: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        avatar: z.ZodDefault<z.ZodNullable<z.ZodURL>>;
        home_location: z.ZodObject<{
            street_address: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            locality: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            administrative_area: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            country: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                AR: "AR";
                AT: "AT";
                AU: "AU";
                BD: "BD";
                BE: "BE";
                BR: "BR";
                BZ: "BZ";
                CA: "CA";
                CH: "CH";
                CL: "CL";
                CN: "CN";
                CO: "CO";
                CR: "CR";
                CY: "CY";
                CZ: "CZ";
                DE: "DE";
                DK: "DK";
                EE: "EE";
                ES: "ES";
                FI: "FI";
                FR: "FR";
                GB: "GB";
                GR: "GR";
                GT: "GT";
                HK: "HK";
                ID: "ID";
                IE: "IE";
                IL: "IL";
                IM: "IM";
                IN: "IN";
                IS: "IS";
                IT: "IT";
                JP: "JP";
                KR: "KR";
                KZ: "KZ";
                LI: "LI";
                LT: "LT";
                LU: "LU";
                LV: "LV";
                MK: "MK";
                MO: "MO";
                MX: "MX";
                MY: "MY";
                NL: "NL";
                NO: "NO";
                NZ: "NZ";
                PA: "PA";
                PE: "PE";
                PH: "PH";
                PK: "PK";
                PL: "PL";
                PS: "PS";
                PT: "PT";
                RO: "RO";
                RU: "RU";
                SA: "SA";
                SE: "SE";
                SG: "SG";
                SK: "SK";
                SV: "SV";
                TH: "TH";
                TJ: "TJ";
                TM: "TM";
                TR: "TR";
                TW: "TW";
                US: "US";
                VN: "VN";
                ZA: "ZA";
            }>>>;
            post_code: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        }, z.core.$strip>;
        work_location: z.ZodObject<{
            id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            type: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            address: z.ZodDefault<z.ZodNullable<z.ZodObject<{
                street_address: z.ZodDefault<z.ZodNullable<z.ZodString>>;
                locality: z.ZodDefault<z.ZodNullable<z.ZodString>>;
                administrative_area: z.ZodDefault<z.ZodNullable<z.ZodString>>;
                country: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                    AR: "AR";
                    AT: "AT";
                    AU: "AU";
                    BD: "BD";
                    BE: "BE";
                    BR: "BR";
                    BZ: "BZ";
                    CA: "CA";
                    CH: "CH";
                    CL: "CL";
                    CN: "CN";
                    CO: "CO";
                    CR: "CR";
                    CY: "CY";
                    CZ: "CZ";
                    DE: "DE";
                    DK: "DK";
                    EE: "EE";
                    ES: "ES";
                    FI: "FI";
                    FR: "FR";
                    GB: "GB";
                    GR: "GR";
                    GT: "GT";
                    HK: "HK";
                    ID: "ID";
                    IE: "IE";
                    IL: "IL";
                    IM: "IM";
                    IN: "IN";
                    IS: "IS";
                    IT: "IT";
                    JP: "JP";
                    KR: "KR";
                    KZ: "KZ";
                    LI: "LI";
                    LT: "LT";
                    LU: "LU";
                    LV: "LV";
                    MK: "MK";
                    MO: "MO";
                    MX: "MX";
                    MY: "MY";
                    NL: "NL";
                    NO: "NO";
                    NZ: "NZ";
                    PA: "PA";
                    PE: "PE";
                    PH: "PH";
                    PK: "PK";
                    PL: "PL";
                    PS: "PS";
                    PT: "PT";
                    RO: "RO";
                    RU: "RU";
                    SA: "SA";
                    SE: "SE";
                    SG: "SG";
                    SK: "SK";
                    SV: "SV";
                    TH: "TH";
                    TJ: "TJ";
                    TM: "TM";
                    TR: "TR";
                    TW: "TW";
                    US: "US";
                    VN: "VN";
                    ZA: "ZA";
                }>>>;
                post_code: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            }, z.core.$strip>>>;
        }, z.core.$strip>;
        manager: z.ZodDefault<z.ZodNullable<z.ZodObject<{
            id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            first_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            last_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            work_email: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        }, z.core.$strip>>>;
        bank_account: z.ZodDefault<z.ZodNullable<z.ZodObject<{
            account_number: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            bank_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            bic: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            holder_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            iban: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            sort_code: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        }, z.core.$strip>>>;
        employments: z.ZodArray<z.ZodObject<{
            job_title: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            effective_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
            employment_type: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                contractor: "contractor";
                full_time: "full_time";
                other: "other";
                part_time: "part_time";
            }>>>;
            pay_rate: z.ZodDefault<z.ZodNullable<z.ZodNumber>>;
            pay_period: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                DAY: "DAY";
                HOUR: "HOUR";
                MONTH: "MONTH";
                WEEK: "WEEK";
                YEAR: "YEAR";
            }>>>;
            pay_frequency: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                biweekly: "biweekly";
                monthly: "monthly";
                other: "other";
                semimonthly: "semimonthly";
                weekly: "weekly";
                year: "year";
            }>>>;
            currency: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        }, z.core.$strip>>;
        employment_history: z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodObject<{
            job_title: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            effective_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
            group_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            group_remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            group_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            manager_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            manager_remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        }, z.core.$strip>>>>;
        compensation_history: z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodObject<{
            pay_rate: z.ZodDefault<z.ZodNullable<z.ZodNumber>>;
            pay_period: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                day: "day";
                hour: "hour";
                month: "month";
                week: "week";
                year: "year";
            }>>>;
            pay_frequency: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                biweekly: "biweekly";
                monthly: "monthly";
                other: "other";
                semimonthly: "semimonthly";
                weekly: "weekly";
                year: "year";
            }>>>;
            employment_type: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                contractor: "contractor";
                full_time: "full_time";
                other: "other";
                part_time: "part_time";
            }>>>;
            currency: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            effective_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
            notes: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        }, z.core.$strip>>>>;
        custom_fields: z.ZodDefault<z.ZodNullable<z.ZodRecord<z.ZodString, z.ZodUnknown>>>;
        groups: z.ZodArray<z.ZodObject<{
            id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            type: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                cost_centre: "cost_centre";
                department: "department";
                pay_group: "pay_group";
                team: "team";
            }>>>;
        }, z.core.$strip>>;
        dependents: z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodObject<{
            name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            relationship: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        }, z.core.$strip>>>>;
        emergency_contacts: z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodObject<{
            first_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            last_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            relationship: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            mobile_phone_number: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            primary_contact: z.ZodDefault<z.ZodNullable<z.ZodBoolean>>;
        }, z.core.$strip>>>>;
    }, z.core.$strip>;
    readonly groups: z.ZodObject<{
        id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        type: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            cost_centre: "cost_centre";
            department: "department";
            pay_group: "pay_group";
            team: "team";
        }>>>;
    }, z.core.$strip>;
    readonly payruns: z.ZodObject<{
        id: z.ZodString;
        remote_id: z.ZodString;
        state: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            paid: "paid";
            pending: "pending";
        }>>>;
        type: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            correction: "correction";
            off_cycle: "off_cycle";
            one_time: "one_time";
            regular: "regular";
            reversal: "reversal";
        }>>>;
        start_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        end_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        payment_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
    }, z.core.$strip>;
    readonly payslips: z.ZodObject<{
        id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        employee_id: z.ZodString;
        employee_remote_id: z.ZodString;
        payrun_id: z.ZodString;
        payrun_remote_id: z.ZodString;
        payrun_type: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            correction: "correction";
            off_cycle: "off_cycle";
            one_time: "one_time";
            regular: "regular";
            reversal: "reversal";
        }>>>;
        currency: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            cad: "cad";
            eur: "eur";
            gbp: "gbp";
            sek: "sek";
            usd: "usd";
        }>>>;
        currency_code: z.ZodOptional<z.ZodString>;
        gross_pay: z.ZodDefault<z.ZodNullable<z.ZodNumber>>;
        net_pay: z.ZodDefault<z.ZodNullable<z.ZodNumber>>;
        start_date: z.ZodISODate;
        end_date: z.ZodISODate;
        payment_date: z.ZodISODate;
        earnings: z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodObject<{
            name: z.ZodString;
            amount: z.ZodNumber;
            hours: z.ZodDefault<z.ZodNullable<z.ZodNumber>>;
        }, z.core.$strip>>>>;
        contributions: z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodObject<{
            name: z.ZodString;
            amount: z.ZodNumber;
        }, z.core.$strip>>>>;
        deductions: z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodObject<{
            name: z.ZodString;
            amount: z.ZodNumber;
        }, z.core.$strip>>>>;
        taxes: z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodObject<{
            name: z.ZodString;
            amount: z.ZodNumber;
            employer_tax: z.ZodDefault<z.ZodNullable<z.ZodBoolean>>;
        }, z.core.$strip>>>>;
        reimbursements: z.ZodDefault<z.ZodNullable<z.ZodArray<z.ZodObject<{
            name: z.ZodString;
            amount: z.ZodNumber;
        }, z.core.$strip>>>>;
    }, z.core.$strip>;
    readonly timesheets: z.ZodObject<{
        id: z.ZodString;
        remote_id: z.ZodString;
        employee_id: z.ZodString;
        employee_remote_id: z.ZodString;
        start_time: z.ZodDefault<z.ZodNullable<z.ZodISODateTime>>;
        end_time: z.ZodDefault<z.ZodNullable<z.ZodISODateTime>>;
        hours_worked: z.ZodNumber;
        remote_created_at: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        remote_modified_at: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
    }, z.core.$strip>;
    readonly "time-off-entries": z.ZodObject<{
        policy_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        policy_remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        policy_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        policy_type: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            bereavement: "bereavement";
            holiday: "holiday";
            jury_duty: "jury_duty";
            personal: "personal";
            sick: "sick";
            vacation: "vacation";
            volunteer: "volunteer";
        }>>>;
        remote_created_at: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        remote_modified_at: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        id: z.ZodString;
        remote_id: z.ZodString;
        employee_id: z.ZodString;
        employee_remote_id: z.ZodString;
        start_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        end_date: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        amount: z.ZodNumber;
        unit: z.ZodEnum<{
            days: "days";
            hours: "hours";
            months: "months";
        }>;
        status: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            approved: "approved";
            pending: "pending";
            rejected: "rejected";
        }>>>;
        employee_note: z.ZodDefault<z.ZodNullable<z.ZodString>>;
    }, z.core.$strip>;
    readonly "time-off-balances": z.ZodObject<{
        policy_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        policy_remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        policy_name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        policy_type: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            bereavement: "bereavement";
            holiday: "holiday";
            jury_duty: "jury_duty";
            personal: "personal";
            sick: "sick";
            vacation: "vacation";
            volunteer: "volunteer";
        }>>>;
        remote_created_at: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        remote_modified_at: z.ZodDefault<z.ZodNullable<z.ZodISODate>>;
        employee_id: z.ZodString;
        employee_remote_id: z.ZodString;
        balance: z.ZodDefault<z.ZodNullable<z.ZodNumber>>;
        used: z.ZodDefault<z.ZodNullable<z.ZodNumber>>;
        unit: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
            days: "days";
            hours: "hours";
        }>>>;
    }, z.core.$strip>;
    readonly "work-locations": z.ZodObject<{
        id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        remote_id: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        name: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        type: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        address: z.ZodDefault<z.ZodNullable<z.ZodObject<{
            street_address: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            locality: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            administrative_area: z.ZodDefault<z.ZodNullable<z.ZodString>>;
            country: z.ZodDefault<z.ZodNullable<z.ZodEnum<{
                AR: "AR";
                AT: "AT";
                AU: "AU";
                BD: "BD";
                BE: "BE";
                BR: "BR";
                BZ: "BZ";
                CA: "CA";
                CH: "CH";
                CL: "CL";
                CN: "CN";
                CO: "CO";
                CR: "CR";
                CY: "CY";
                CZ: "CZ";
                DE: "DE";
                DK: "DK";
                EE: "EE";
                ES: "ES";
                FI: "FI";
                FR: "FR";
                GB: "GB";
                GR: "GR";
                GT: "GT";
                HK: "HK";
                ID: "ID";
                IE: "IE";
                IL: "IL";
                IM: "IM";
                IN: "IN";
                IS: "IS";
                IT: "IT";
                JP: "JP";
                KR: "KR";
                KZ: "KZ";
                LI: "LI";
                LT: "LT";
                LU: "LU";
                LV: "LV";
                MK: "MK";
                MO: "MO";
                MX: "MX";
                MY: "MY";
                NL: "NL";
                NO: "NO";
                NZ: "NZ";
                PA: "PA";
                PE: "PE";
                PH: "PH";
                PK: "PK";
                PL: "PL";
                PS: "PS";
                PT: "PT";
                RO: "RO";
                RU: "RU";
                SA: "SA";
                SE: "SE";
                SG: "SG";
                SK: "SK";
                SV: "SV";
                TH: "TH";
                TJ: "TJ";
                TM: "TM";
                TR: "TR";
                TW: "TW";
                US: "US";
                VN: "VN";
                ZA: "ZA";
            }>>>;
            post_code: z.ZodDefault<z.ZodNullable<z.ZodString>>;
        }, z.core.$strip>>>;
    }, z.core.$strip>;
};

type SourceEmployee = Omit<EmployeeInput, DerivedField> & {
    tax_id?: string | null;
    /** Empty when the provider has none. */
    first_name?: string | null;
    /** First and last name, unless the provider has another. */
    display_full_name?: string | null;
    /** In any order. Null when the provider does not give them. */
    employments?: readonly SourceEmployment[] | null;
    manager?: ManagerReference | null;
    groups?: readonly GroupReference[] | null;
    work_location?: LocationReference | null;
    home_location?: EmployeeInput["home_location"] | null;
};

type EmployeeInput = Input<"employees">;

type DerivedField = "id" | "first_name" | "display_full_name" | "employments" | "employment_history" | "compensation_history" | "manager" | "groups" | "work_location" | "home_location" | "tax_id";

type Present<Value> = NonNullable<Value>;

type ManagerReference = WithoutIds<Present<EmployeeInput["manager"]>>;

type WithoutIds<Record> = Omit<Record, `${string}_id` | "id"> & {
    [Field in Extract<keyof Record, `${string}remote_id`>]: Record[Field];
};

type GroupReference = WithoutIds<Present<EmployeeInput["groups"]>[number]>;

type LocationReference = WithoutIds<Present<EmployeeInput["work_location"]>>;

/** Where a field of our records comes from, for people and for checks. It is data. */
interface DescribedField {
    /**
     * Of our record, such as `start_date`. What is inside of a part stands behind a point, what is inside of each item of a
     * list behind `[].`.
     */
    field: string;
    /** The vendor's names. Inside of an item of a list, those of the item. Empty for what the adapter knows by itself. */
    from: readonly string[];
    /** How a value is read, in a few words. */
    read: string;
    /** When it is null: without what it comes from, without all of it where the first counts, or by a rule. */
    isNull: "never" | "always" | "without it" | "without all of them" | "by a rule";
    /** What the rest does not say. */
    note?: string;
}

/** One limit of a provider, for each value that a request draws on, such as one tenant. */
interface Quota {
    perSecond?: number;
    perMinute?: number;
    perDay?: number;
    /** Requests at once. */
    atOnce?: number;
    /**
     * Several customers draw on the same value of it, such as our address. A refusal of one of them pauses the other
     * limits of that customer, and nobody else.
     */
    isShared?: boolean;
}

interface QuotaAnswer {
    status: number;
    /** Lower-case names. */
    headers: Readonly<Record<string, string>>;
    now: Date;
}

type ProviderTexts = Readonly<Partial<Record<Translation, Readonly<Record<string, string>>>>>;

/** One into which the English sentences of adapters are translated. */
type Translation = Exclude<Locale, "en">;

type Locale = (typeof locales)[number];

/** The languages of the pages that an end user sees. The first one is what adapters are written in. */
declare const locales: readonly ["en", "de", "fr", "es", "it", "nl", "pl", "pt"];

/**
 * Returns the reader as it is. Only the adapter knows the type of its raw records. `table` makes its records, unless
 * `map` does with the help of it, and says where their fields come from.
 */
declare function defineReader<R extends Resource, Raw>({ table, ...reader }: GivenReader<R, Raw>): ResourceReader<R>;

type GivenReader<R extends Resource, Raw> = (Omit<DefinedReader<R, Raw>, "map"> & {
    table: RecordTable<R>;
    map?: undefined;
}) | (DefinedReader<R, Raw> & {
    table?: RecordTable<R> | readonly RecordTable<R>[];
});

/** What `defineReader` takes, in the types of the adapter's own raw records. */
interface DefinedReader<R extends Resource, Raw> {
    fetch(context: ReadContext, session: Session, parameters: FetchParameters<R>): AsyncIterable<Page<Raw>>;
    changes?(context: ReadContext, session: Session, since: Cursor): AsyncIterable<ChangedPage<Raw>>;
    changesNameRemovals?: boolean;
    changesRereadAll?: boolean;
    isPagedByOffset?: boolean;
    map(raw: Raw, context: MapContext<NoInfer<R>>): SourceRecord<R> | null;
}

/** A table that makes the records, such as `defineFields` gives. */
interface RecordTable<R extends Resource> extends DescribedTable {
    map(raw: unknown, context: MapContext<R>): SourceRecord<R>;
}

/** A table of fields, such as of the kit. */
interface DescribedTable {
    readonly described: readonly DescribedField[];
}

/**
 * A required field of a sign-in form; `.optional()` makes one that may stay empty. `check` limits its
 * values; the person sees the messages of `check`.
 */
declare function formField(options: FormFieldOptions, check?: z.ZodString): z.ZodString;

interface FormFieldOptions {
    title: string;
    /** Never shown or echoed, and kept, sealed, only until it is tried when a session is enough. */
    isSecret?: boolean;
    /**
     * The address of the provider. The refusal of an address that is not allowed appears at this
     * field.
     */
    isAddress?: boolean;
    /** Kept with the connection and given to every read as a setting. Never a secret. */
    isSetting?: boolean;
    /** Of an optional setting: the resources that it counts for. It is asked for only when one of them will be read. */
    resources?: readonly Resource[];
    /** The person chooses one of these; the first is chosen already. */
    choices?: readonly {
        value: string;
        title: string;
    }[];
    placeholder?: string;
    help?: string;
    /** A page of the provider that explains the field, over https. */
    helpUrl?: string;
    /** The HTML attribute, such as `username` or `current-password`. */
    autocomplete?: string;
}

/**
 * Asks a token endpoint (RFC 6749). It is asked once, because a refresh token may work once alone. Throws AuthError
 * `reauthentication_required` when the provider takes the grant no more, and ProviderBug when it refuses anything
 * else, such as the application.
 */
declare function requestOAuth2Tokens(context: Pick<ProviderContext, "application" | "clock" | "http">, { tokenUrl, grant, authentication, form }: TokenRequest): Promise<OAuth2Tokens>;

interface TokenRequest {
    tokenUrl: string;
    grant: OAuth2Authorization | {
        refreshToken: string;
    };
    /** How the application proves itself. `basic` by default; with `json` all fields are sent as JSON. */
    authentication?: "basic" | "body" | "json";
    /** Further fields of the form. */
    form?: Readonly<Record<string, string>>;
}

declare function oauth2(definition: OAuth2Definition): OAuth2;

type Held = z.output<typeof held>;

declare const held: z.ZodObject<{
    accessToken: z.ZodString;
    refreshToken: z.ZodExactOptional<z.ZodString>;
    expiresAt: z.ZodString;
}, z.core.$strip>;

/** Who approved, of a provider with OpenID Connect. Throws ProviderBug when it does not tell. */
declare function readApprovedBy(claims: OAuth2Tokens["idTokenClaims"]): ApprovedBy;

/** What a JSON web token says; undefined for a token of another kind. Its signature is not looked at. */
declare function readTokenClaims(token: string): Readonly<Record<string, unknown>> | undefined;

declare function rest<Form>(definition: RestDefinition<Form>): Rest<Form>;

/** By status, or of any answer. */
type Meanings = Readonly<Record<number, Meaning | MeaningOf>> | MeaningOf;

/**
 * What an answer means: the session has ended, the account may not read it, or lacks it, there is no such thing, the
 * request is refused as it is, or the system fails for a while. An error is thrown as it is.
 */
type Meaning = "ended" | "forbidden" | "unsupported" | "absent" | "refused" | "down" | Error;

/** Looks at headers and body too; undefined when they say nothing. */
type MeaningOf = (answer: ProviderResponse) => Meaning | undefined;

interface SessionProbe<Form> {
    path: string;
    isEnded(body: unknown, session: Form): boolean;
}

/** A system as it is declared. */
declare class Rest<Form> {
    #private;
    constructor(definition: RestDefinition<Form>);
    /** Throws ProviderBug for a stored session of another form. */
    parse(session: Session): Form;
    /** With what the person has typed: a session that has ended means that it is wrong. */
    atSignIn(context: ProviderContext, session: Form): RestClient;
    /** With a session, outside of a read. */
    with(context: ProviderContext, session: Session): RestClient;
    /** In a read: each request with the newest session. */
    inRead(context: ReadContext): RestClient;
}

/** Works with one session. */
type WithSession = <Result>(work: (send: Send, session: never) => Promise<Result>) => Promise<Result>;

type Send = (request: RestRequest) => Promise<ProviderResponse>;

declare const authErrorCodes: ("additional_account_setup_required" | "captcha_challenge" | "incorrect_mfa_or_otp" | "incorrect_username_or_password" | "insufficient_permission" | "reauthentication_required")[];

type RequestOptions = Omit<RestRequest, "path" | "method">;

interface PagedList {
    /** For the sentences of failures. */
    path: string;
    paging: Paging;
    /** The list in a body, which is the body itself unless said otherwise. */
    items?: (body: unknown) => unknown;
    /** By what a record is told from others: its `id` unless said otherwise. */
    idOf?: (item: unknown) => unknown;
    /** Sees the answer of each page, such as for a count of all records. */
    onAnswer?: (answer: Answer) => void;
}

interface Sized {
    /** The parameter that asks for so many records, and how many; of a system that nobody can ask, how many it gives. */
    size: readonly [parameter: string, count: number] | number;
    /**
     * What the last page looks like: it has fewer records than were asked for, or the one after it is empty, or that one
     * has only records that came before. By default it is empty, because a short page may have been cut.
     */
    end?: "short" | "empty" | "repeated";
    /**
     * Whether the page is the last one, where the body or a header says so; undefined where they do not. `read` counts up
     * to this page, with as many records on each page before it as were asked for.
     */
    isLast?: (body: unknown, read: {
        pages: number;
        records: number;
        headers: Answer["headers"];
    }) => boolean | undefined;
    /**
     * How many records there are, where the body says so: the list ends when as many have come. A page with nothing new
     * before that is a fault, because the list would look short.
     */
    total?: (body: unknown) => number | undefined;
    /** The parameters stand in the JSON of the request, and not in its query. */
    isInBody?: boolean;
}

interface Answer {
    body: unknown;
    headers: ProviderResponse["headers"];
}

/**
 * Answers in XML, as records like those of JSON, by the name of the outermost element: attributes have an `@` before
 * their names, an element without attributes and elements is its text, or null, and the text of another one is `#text`.
 * Prefixes of namespaces are left out. A document type, and with it every entity but the five of XML, is refused.
 */
declare function xml({ lists, records, charset }?: XmlOptions): BodyFormat<XmlRecord>;

/** The encoding that a system writes where its answers do not say so, or say another one: `utf-8` by default. */
interface Encoded {
    charset?: string;
}

type XmlRecord = Readonly<Record<string, unknown>>;

/**
 * Answers in CSV (RFC 4180), as a list with a record for each row, by the names of the first row. A row with another
 * number of cells breaks the read, because its values would stand under wrong names.
 */
declare function csv({ separator, columns, charset }?: CsvOptions): BodyFormat<readonly Row[]>;

type Row = Readonly<Record<string, string>>;

/** What a mode has for it. */
declare function signInByKey<Form extends Session>({ api, form, begin, prove, company, }: KeySignIn<Form>): Pick<ProviderMode, "keepsSecret" | "form" | "login" | "resume">;

interface KeyCompany<Form> {
    /** Empty as long as it is not known. */
    of: (session: Form) => string;
    /** The field of the form at which somebody who signs in again to another one reads `other`. */
    field: string;
    other: string;
    /** For keys that reach several: the person chooses one. */
    choice?: CompanyChoice<Form>;
}

interface CompanyChoice<Form> {
    prompt: string;
    /** Those that the key reaches, by their ids, which are those that `of` gives. */
    list: (client: RestClient, session: Form) => Promise<ReadonlyMap<string, {
        title: string;
    }>>;
    take: (session: Form, id: string) => Form;
    /** What is read by somebody whose key reaches none. */
    none: string;
}

/**
 * What the account cannot read, from one request for each right. Only those of resources that will be read are made. A
 * probe that fails for another reason says nothing of a right: its resources count as readable, and the reads will tell.
 * A session that has ended refuses the sign-in, and so does a system of which no probe is answered, and an account that
 * may read nothing of what is asked for.
 */
declare function findRights({ resources: wanted, log, signal }: Pick<CheckContext, "resources" | "log" | "signal">, probes: readonly Probe[], { atOnce, ofNothing, }?: HowToAsk): Promise<CheckResult>;

interface HowToAsk {
    /** How many probes run at once: one where an answer can replace the session. */
    atOnce?: number;
    /**
     * What somebody is told who may read nothing of what is asked for: a sentence that names the right. Without it, they
     * are told that a right is missing.
     */
    ofNothing?: () => FieldError | AuthError;
}

/**
 * Only at sign-in: a field of the form has a value that cannot work, such as a database that does
 * not exist.
 */
declare class FieldError extends ProviderError {
    readonly kind = "field";
    readonly field: string;
    /** Shown to the person who signs in. */
    readonly explanation: string;
    constructor(field: string, explanation: string);
}

/**
 * The closed set of errors that an adapter may throw. Messages go to our logs: no personal data, no
 * URL.
 */
declare abstract class ProviderError extends Error {
    abstract readonly kind: string;
    get name(): string;
    get [failureKind](): string;
}

/**
 * Tells a failure of the contract. Every copy of this module has the same symbol, so a failure that another copy
 * made counts too.
 */
declare const failureKind: unique symbol;

/** The provider refused the person or the session. */
declare class AuthError extends ProviderError {
    readonly kind = "auth";
    readonly code: AuthErrorCode;
    constructor(code: AuthErrorCode);
}

/** What it gives; undefined where the account lacks it, or may not read it. */
declare function whereReadable<Result>(ask: () => Promise<Result>): Promise<Result | undefined>;

/**
 * Things by their ids, such as types or departments, which a read fetches once, when the first of them is looked up.
 * What could not be fetched is tried again by the next one.
 */
declare function lookup<Thing>(fetch: (context: ReadContext) => Promise<Iterable<readonly [id: string, thing: Thing]>>): (context: ReadContext) => Promise<ReadonlyMap<string, Thing>>;

/** Works on so many at once, and begins no more when one fails. The results are in the order of the items. */
declare function eachAtOnce<Item, Result>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<Result>): Promise<Result[]>;

/**
 * Reads what takes a request for each id, in the order of the ids. The cursor of a page stands after its few: a read
 * that is cut short goes on there, and asks for nothing twice that it has got. What was read beside a failure is given
 * first.
 */
declare function oneByOne<Raw>(ids: readonly string[], { atOnce, cursor }: {
    atOnce: number;
    cursor: Cursor | undefined;
}, read: (id: string) => Promise<readonly Raw[]>): AsyncGenerator<{
    records: readonly Raw[];
    cursor: Cursor;
}>;

declare function listChanges(definition: ListChangesDefinition): ListChanges;

/** What a system is like that gives a list of people for few requests, and more of each for some requests. */
interface ListChangesDefinition {
    /** How many requests the details of one record take. */
    requestsOfEach: number;
    /** How many requests a day the system takes at least, for an answer that does not say what is left. */
    leastDayRequests: number;
    /** What else of a record changes by the day alone, such as who begins or leaves on it. */
    ofDay?: (record: object, today: string) => readonly unknown[];
}

/** One record of the list, without what takes requests for each. */
interface Listed {
    id: string;
    record: object;
}

interface FoundChanges {
    /** Those whose details have to be read. */
    due: readonly Listed[];
    removed: readonly string[];
    since: Cursor;
}

/**
 * A list at once and whole: a deletion shifts its pages, so one that is not as long as it says is read once more. A
 * count that is wrong each time is the system's own mistake: the same records twice are all of them.
 */
declare function readList(client: RestClient, list: ListRead): Promise<ReadList>;

interface ListRead extends Omit<RestList, "idOf" | "onAnswer"> {
    idOf: (record: unknown) => string | null;
    /** How many records all pages have, where an answer says it. */
    countOf?: (body: unknown) => number | null;
    /** The header that says how many requests the system takes today. */
    dayRequestsLeft?: string;
}

/** The request was refused as it is, such as one with a cursor that the system has forgotten. */
declare class RequestRefused extends ProviderBug {
    readonly status: number;
    constructor(message: string, status: number);
}

/** The provider's answer breaks the provider's own contract. */
declare class ProviderBug extends ProviderError {
    readonly kind = "bug";
    /** The fields of our record that it lacks, where these are known. Operators see their names. */
    readonly fields: readonly string[];
    constructor(message?: string, { fields, ...options }?: ErrorOptions & {
        fields?: readonly string[];
    });
}

/**
 * The list of records at a path of a body, such as `data` or `slips.slip`, or the body itself. What is no record breaks
 * the read: one that is passed over looks as if it had been deleted.
 */
declare function recordsAt(path?: string): (body: unknown) => Readonly<Record<string, unknown>>[];

declare function defineSource<const Of extends Shape>(shape: Of, { required }?: {
    required?: readonly (keyof Of & string)[];
}): Source<Of>;

/** What an adapter reads of a vendor's record: a reader for each name, and the same again for what is inside. */
interface Shape {
    readonly [name: string]: Reader<unknown> | Shape;
}

/** Reads one value of a vendor's record. What is absent, null or empty is null for every reader. */
interface Reader<Value> {
    /** The kind of value, for people: on the page of coverage, and where a value cannot be read. */
    readonly kind: string;
    /** The vendor's name of it, where the adapter calls it otherwise. */
    readonly name?: string;
    /** Never called with what is absent, null or empty. `onUnreadable` hears of values inside, by their paths. */
    read(value: unknown, onUnreadable?: (path: string) => void): Value | null | typeof unreadable;
}

/** What a reader makes of a value that is there and is not of its kind. */
declare const unreadable: unique symbol;

/** What an adapter reads of one kind of a vendor's records. A path that the shape lacks does not compile. */
declare class Source<Of extends Shape> {
    #private;
    readonly shape: Of;
    /** Without these a record is none that we know: its fields would look as if they had been emptied. */
    readonly required: readonly string[];
    constructor(shape: Of, required: readonly (keyof Of & string)[]);
    /** The names of the record itself, such as a request asks for. */
    get names(): readonly string[];
    /** The vendor's name of the part of the record in which a path begins. */
    nameAt(path: string): string;
    /** The vendor's names that lead to a value. */
    vendorPathOf(path: string): string;
    /** The value at a path. Null when it is absent, empty or not to be read. */
    read<const Path extends PathOf<Of>>(record: unknown, path: Path, onUnreadable?: OnUnreadable): ValueAt<Of, Path>;
    /** All that is read of a record. */
    parts(record: unknown): Parts<Of>;
    /** A value that is made of those at these paths. */
    from<const Paths extends readonly PathOf<Of>[], Value>(paths: Paths, make: (...values: [...ValuesAt<Of, Paths>, Mapping]) => Value): Derived<Value>;
    /** The first of these that is there. */
    first<const Paths extends readonly PathOf<Of>[]>(...paths: Paths): Derived<ValueAt<Of, Paths[number]>>;
    /** The texts at these paths as one, such as the lines of an address; null when none is there. */
    joined(paths: readonly PathsOfText<Of>[], separator?: string): Derived<string | null>;
    /** The value at a path, or this one. */
    or<const Path extends PathOf<Of>, Value extends ValueAt<Of, Path>>(path: Path, otherwise: NonNullable<Value>): Derived<NonNullable<ValueAt<Of, Path>>>;
    /** What the record has besides the names of the shape and these, for `custom_fields`. */
    others(record: unknown, known?: readonly string[]): Record<string, unknown>;
}

/** The names of a shape, and those inside of its parts behind a point, such as `job.title`. */
type PathOf<Of extends Shape> = {
    [Name in keyof Of & string]: Of[Name] extends Reader<unknown> ? Name : Of[Name] extends Shape ? Name | `${Name}.${PathOf<Of[Name]>}` : never;
}[keyof Of & string];

type OnUnreadable = (path: string) => void;

/** What stands at a path; null when it is absent, empty or not to be read. */
type ValueAt<Of extends Shape, Path extends string> = Path extends `${infer Name}.${infer Rest}` ? Of[Name] extends Shape ? ValueAt<Of[Name], Rest> : never : Read<Of[Path]> | null;

type Read<Of> = Of extends Reader<infer Value> ? Value : Of extends Shape ? Parts<Of> : never;

/** The values of a part of a record. */
type Parts<Of extends Shape> = {
    readonly [Name in keyof Of]: Read<Of[Name]> | null;
};

type ValuesAt<Of extends Shape, Paths extends readonly string[]> = {
    [Index in keyof Paths]: ValueAt<Of, Paths[Index]>;
};

/** What else is known while a record is mapped. */
interface Mapping {
    /** YYYY-MM-DD, UTC. */
    readonly today: string;
    /** Hears of each value that could not be read, by its path, and of the field of our record that is null for it. */
    readonly onUnreadable?: (path: string, field: string) => void;
}

/** A value that is made of a record, and the paths that it is made of. */
interface Derived<Value> {
    readonly paths: readonly string[];
    /** Any one of the paths is enough, so the value is not lost with one of them. */
    readonly isAny: boolean;
    /** How it is made, for people; absent for a rule of the adapter's own. */
    readonly told?: Pick<DescribedField, "read" | "isNull">;
    /** Of a list: the fields of each item, each behind `[].`. */
    readonly inside?: readonly DescribedField[];
    /** The table of each of its parts. */
    readonly part?: {
        limitedBy(hidden: Iterable<string>): string[];
    };
    read(record: unknown, mapping: Mapping, onUnreadable: OnUnreadable): Value;
}

type PathsOfText<Of extends Shape> = {
    [Path in PathOf<Of>]: ValueAt<Of, Path> extends string | null ? Path : never;
}[PathOf<Of>];

/** The table of a resource's records. */
declare function defineFields<R extends Resource, const Of extends Shape>(resource: R, source: Source<Of>, table: FieldTable<Of, SourceRecord<R>>): Fields<SourceRecord<R>>;

/** From each field of our record to where it comes from. */
type FieldTable<Of extends Shape, Target> = {
    readonly [Name in keyof Target]: Entry<Of, Target[Name]>;
};

type Entry<Of extends Shape, Value> = PathsFor<Of, Value> | Derived<AsMade<Value> | null> | (NonNullable<Value> extends readonly unknown[] ? never : NonNullable<Value> extends object ? {
    readonly [Name in keyof NonNullable<Value>]: Entry<Of, NonNullable<Value>[Name]>;
} : never);

/** The paths whose values the field takes. */
type PathsFor<Of extends Shape, Value> = {
    [Path in PathOf<Of>]: ValueAt<Of, Path> extends Value | null ? Path : never;
}[PathOf<Of>];

/** A list that is made is not changed any more. */
type AsMade<Value> = Value extends readonly (infer One)[] ? readonly One[] : Value;

/** The fields of one kind of record: the mapping, and all that follows from knowing where each comes from. */
declare class Fields<Target> {
    #private;
    constructor(source: Source<Shape>, table: object, { what, required }: {
        what: string;
        required: ReadonlySet<string>;
    });
    /**
     * Throws ProviderBug, with the names of the record and the field, for a required one that is missing. A part of a
     * record gives `onUnreadable` of the field that it is in.
     */
    map(record: unknown, mapping: Mapping, onUnreadable?: (path: string) => void): Target;
    /** Where each field comes from. */
    get origins(): FieldOrigin[];
    /** Each field with how it is made, those inside of parts and of the items of lists too: for people, and for checks. */
    get described(): DescribedField[];
    /** What a person has to know of these fields, and the table does not tell, such as the rule of a function. */
    says(notes: Notes<Target>): this;
    /** The names of the vendor's record that serve fields of ours which are not wanted, and no other one. */
    unwanted(isWanted: (field: string) => boolean): ReadonlySet<string>;
    /**
     * The fields of our record that are lost, wholly or in part, when the account may not read these names of the vendor's
     * record. What an employment is made of counts for each of the three lists that are made of employments.
     */
    limitedBy(hidden: Iterable<string>): string[];
}

/** One field of the table, for people. */
interface FieldOrigin {
    /** Of our record; those inside of a part behind a point. */
    field: string;
    /** Of the vendor's record. */
    paths: readonly string[];
}

/** By the names of fields. Those inside of a part stand behind a point. */
type Notes<Target> = {
    readonly [Name in NameIn<Target> | `${NameIn<Target>}${"." | "[]."}${string}`]?: string;
};

type NameIn<Target> = keyof Target & string;

/** The table of a part of records, such as one employment. */
declare function definePart<Target>(): <const Of extends Shape>(source: Source<Of>, table: FieldTable<Of, Target>) => Fields<Target>;

/** A value that is the same in each record. */
declare function always<const Value>(value: Value): Derived<Value>;

/** A part of each record of a list; null without the list. */
declare function each<Of extends Shape, Target>(source: Source<Of>, path: PathOf<Of>, fields: Fields<Target>): Derived<readonly Target[] | null>;

/** A list of one part, which is made of the record itself; null without what stands at the path. */
declare function onlyOne<Of extends Shape, Target>(source: Source<Of>, path: PathOf<Of>, fields: Fields<Target>): Derived<readonly Target[] | null>;

/** Several lists as one, which is empty without any of them. */
declare function together<Value>(...lists: readonly Derived<readonly Value[] | null>[]): Derived<Value[]>;

/** What is inside of one value, such as of each thing of a list. */
declare function part<const Of extends Shape>(shape: Of): Reader<Parts<Of>>;

/** What the kit reads values by. */
interface Readers {
    readonly called: typeof called;
    readonly country: typeof country;
    readonly day: typeof day;
    readonly dayWritten: typeof dayWritten;
    readonly flag: typeof flag;
    readonly given: typeof given;
    readonly instant: typeof instant;
    readonly list: typeof list;
    readonly money: typeof money;
    readonly nationality: typeof nationality;
    readonly number: typeof number;
    readonly numberWritten: typeof numberWritten;
    readonly oneOf: typeof oneOf;
    readonly records: typeof records;
    readonly strict: typeof strict;
    readonly text: typeof text;
    readonly webAddress: typeof webAddress;
    readonly wordIn: typeof wordIn;
}

/** A value that the vendor calls by another name, such as one that is read in two ways, or one with a point in it. */
declare function called<Value>(name: string, reader: Reader<Value>): Reader<Value>;

/** The two letters of a country that a reply can have, from its code of two or three letters or its name; else null. */
declare const country: Reader<Country>;

type Country = (typeof countries)[number];

/** The country codes of the specification. Any other code of a provider becomes null. */
declare const countries: readonly ["BZ", "CA", "CR", "GT", "MX", "PA", "SV", "US", "AR", "BR", "CL", "CO", "PE", "AT", "BE", "CH", "CY", "CZ", "DE", "DK", "EE", "ES", "FI", "FR", "GB", "GR", "IE", "IM", "IS", "IT", "LI", "LT", "LU", "LV", "MK", "NL", "NO", "PL", "PT", "RO", "RU", "SE", "SK", "BD", "CN", "HK", "ID", "IL", "IN", "JP", "KR", "KZ", "MO", "MY", "PH", "PK", "PS", "SA", "SG", "TH", "TJ", "TM", "TR", "TW", "VN", "ZA", "AU", "NZ"];

/** The day that a text of ISO 8601 begins with. */
declare const day: Reader<string>;

/**
 * YYYY-MM-DD. By default of a text that begins with such a day; with a pattern, such as `DD/MM/YYYY`, of one that is
 * written like that. A day of nothing but zeros is none.
 */
declare function dayWritten(pattern?: string): Reader<string>;

/** A boolean, and what is written for one. */
declare const flag: Reader<boolean>;

/** Any value as it is, such as what an adapter has put into the record itself. Its type is the adapter's word. */
declare function given<Value>(): Reader<Value>;

/**
 * A moment as RFC 3339 in UTC, in whole seconds. A text without an offset is the time of this zone, such as
 * `Europe/Berlin`; offsets are `Z`, `UTC`, `GMT`, `+01`, `+0100` and `+01:00`, and nothing else may stand there. With a
 * pattern, such as `DD/MM/YYYY HH:mm`, it is of a text that is written like that and nothing more.
 */
declare function instant(timeZone: string, pattern?: string): Reader<string>;

/** Each value of a list. What cannot be read of it makes the list unreadable: who is passed over looks as if gone. */
declare function list<Value>(of: Reader<Value>): Reader<readonly Value[]>;

/**
 * Pounds, euros or yen as a number or in decimal digits, in minor units of the currency, such as pence. Of a text that is
 * written with marks of thousands, or with a comma before its decimals, the mark of decimals has to be declared.
 */
declare function money(currency: string, mark?: DecimalMark): Reader<number>;

/** What stands before the decimals. */
type DecimalMark = "." | ",";

/** The two letters of ISO 3166 of any country, in capitals; null for what is no such code. */
declare const nationality: Reader<string>;

/** A finite number, or the text of one with a point before its decimals. */
declare const number: Reader<number>;

/**
 * A finite number, or the text of one with this mark before its decimals. Marks of thousands have to be well placed: the
 * other one of point and comma, a space or an apostrophe.
 */
declare function numberWritten(mark: DecimalMark): Reader<number>;

/**
 * The value of a word, which is compared without regard to case and to all but letters, digits and the sign of a number.
 * A word that the table lacks is `otherwise`; without it, the word cannot be read. What is no word never can.
 */
declare function oneOf<const Value extends Word>(table: Readonly<Record<string, Value | null>>): Reader<Value>;

declare function oneOf<const Value extends Word, const Other extends Word | null>(table: Readonly<Record<string, Value | null>>, options: {
    otherwise: Other;
}): Reader<Value | NonNullable<Other>>;

type Word = string | number | boolean;

/** Each record of a list, for a table of its own. */
declare const records: Reader<readonly object[]>;

/** What cannot be read breaks the read: for what would be wrong as null, such as one amount of a sum. */
declare function strict<Value>(of: Reader<Value>): Reader<Value>;

/** A text without white space at its ends. A number counts as the text that writes it. */
declare const text: Reader<string>;

/** An address with http or https, with its scheme when it has none. */
declare const webAddress: Reader<string>;

/**
 * The value of the first of these words with which a word of the text begins, without regard to case: for names that
 * people give, such as `Sick leave (unpaid)`.
 */
declare function wordIn<const Value extends Word>(table: Readonly<Record<string, Value>>): Reader<Value>;

declare function wordIn<const Value extends Word, const Other extends Word>(table: Readonly<Record<string, Value>>, options: {
    otherwise: Other;
}): Reader<Value | Other>;

/**
 * The amount in minor units of the currency, such as pence of pounds, or yen, from its decimal digits. `currency` is
 * its code of ISO 4217; one that is not known counts in hundredths. Further digits are rounded half away from zero, so
 * that a reversal undoes its payment exactly. Throws ProviderBug for what is no plain decimal, such as `1,234.50` or
 * the empty text, and for what a number cannot count exactly.
 */
declare function toMinorUnits(amount: number | string, currency: string | null): number;

/** The day so many days after a day, both YYYY-MM-DD. */
declare function addDays(day: string, count: number): string;

/**
 * A range in parts, for a system whose answers have no pages: each of so many days, or one for each year of the
 * calendar. It goes on from the cursor of an earlier part.
 */
declare function inParts(range: DateRange, length: {
    days: number;
} | "years", from?: Cursor): Generator<RangePart>;

/** A part of a range, with the cursor to yield with its records; undefined with those of the last part. */
interface RangePart extends DateRange {
    cursor: Cursor | undefined;
}

/**
 * The first days of somebody who may have left and come back: `start` of the time without a gap that covers today, else
 * of the next one, else of the last one; and `first` of all. So many days without work in between are no gap.
 */
declare function findStarts(periods: readonly Period[], today: string, daysBetween?: number): {
    start: string | null;
    first: string | null;
};

/** A time of work, such as a contract, in days as YYYY-MM-DD. Its end is its last day; without one it goes on. */
interface Period {
    start: string;
    end: string | null;
}

/** Of each name it is made once: its format costs more than a hundred times of it. */
declare function openZone(timeZone: string): Zone;

/** The clocks of one time zone. */
interface Zone {
    /**
     * The moment of a local time, such as `2026-03-02T09:00:00`. A time that the clocks show twice is the first one, a
     * time that they skip is as much later. With an offset, such as `Z`, `UTC`, `+01` or `+01:00`, it is not of the zone.
     * Null for what is no time, or has anything else behind it.
     */
    toInstant(local: string): Date | null;
    /** The local time of a moment, such as `2026-03-02 09:00:00`. */
    toLocal(instant: Date): string;
}

/** The provider, or this account, does not have the operation. */
declare class OperationNotSupported extends ProviderError {
    readonly kind = "not-supported";
}

/** The provider asks to wait. */
declare class ProviderRateLimited extends ProviderError {
    readonly kind = "rate-limited";
    readonly afterSeconds: number;
    constructor(afterSeconds: number);
}

/** The provider cannot be reached or fails. A later try may succeed. */
declare class ProviderDown extends ProviderError {
    readonly kind = "down";
}

/** What a fake of a provider plays. `docs/providers.md` says what each of them asks of it. */
declare const scenarios: readonly ["usual", "wrong-password", "second-factor", "wrong-second-factor", "dead-session", "expired-session", "expired-between-pages", "missing-rights", "rate-limited-seconds", "rate-limited-date", "rate-limited", "server-error", "two-pages", "leavers", "unicode", "nulls", "cut-off", "changes", "no-rights"];

/** Questions that systems answer differently, by their names in `docs/meanings.md`, which has the answers. */
declare const meaningNames: readonly ["minor_units", "overdrawn_leave", "rehired", "future_leaver", "future_starter", "away_today", "lost_right", "deleted", "no_email", "nationality", "weekly_hours", "legal_entities", "half_day", "leave_in_hours", "holiday_in_leave", "biweekly", "semimonthly", "nothing_readable"];

type Made = ProviderDefinition | ((kit: Kit) => ProviderDefinition | readonly ProviderDefinition[]);

export type { ApprovedBy, AuthErrorCode, BodyFormat, ChangedPage, CheckContext, CheckResult, Clock, Conformance, CsvOptions, Cursor, DateRange, ExpectedRecords, FakeSystem, FetchParameters, FormValues, FoundSystem, Identity, KeySignIn, Kit, ListChanges, LogOutContext, MapContext, MeaningAnswer, MeaningAnswers, MeaningName, Mode, OAuth2, OAuth2Application, OAuth2Authorization, OAuth2Definition, OAuth2SignIn, OAuth2Tokens, Page, Paging, Probe, ProbeContext, ProviderContext, ProviderDefinition, ProviderFailure, ProviderHttp, ProviderLog, ProviderMode, ProviderPackage, ProviderRequest, ProviderResponse, ReadContext, ReadList, Recipe, Resource, ResourceReader, RestClient, RestDefinition, RestList, RestPage, RestRequest, Scenario, Session, Settings, SignInChallenge, SignInContext, SignInResult, SourceEmployment, SourceRecord, TypedOrigin, TypedValues, XmlOptions };

