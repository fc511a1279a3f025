export const clients = {
  title: "Clients",
  lead: "The applications that read data through this service.",
  none: "There is no client yet.",
  ended: "Ended clients",
  noneEnded: "No client has ended.",
  others: "Clients that have not ended",
  make: "Make a client",
  unused: "Not used: its row was changed",
} as const;

/** The fields of the forms, also where one is refused. */
export const clientFields = {
  name: "Name",
  redirect_uris: "Redirect addresses",
  webhook_uri: "Webhook address",
  event_uri: "Event address",
  purpose: "Purpose",
  privacy_url: "Privacy policy",
  support_url: "Help for end users",
  brand_color: "Colour",
  require_pkce: "Refuse sign-in links without PKCE",
  allow_sandbox: "Let end users sign in to the sandbox in prod",
} as const;

export const clientHints = {
  name: "End users read it when they sign in.",
  redirect_uris: "One a line. A sign-in leads back to one of them alone, byte for byte.",
  webhook_uri: "Where changed employees are sent. Empty: nothing is sent.",
  event_uri: "Where events are sent. Empty: nothing is sent.",
  purpose: "What the data is for, as end users read it.",
  support_url: "An https address, or mailto: with an address of e-mail.",
  brand_color:
    "Such as #8A1F5A. Buttons of your sign-in pages have it, where the operator allows it.",
} as const;

export const client = {
  facts: {
    id: "Client id",
    createdAt: "Made",
    secrets: "Secrets",
    webhooks: "Webhooks",
    events: "Events",
    fieldsOff: "Fields switched off",
  },
  oneSecret: "1, which signs webhooks",
  secrets: "of which the newest signs webhooks",
  noFieldsOff: "none",
  noAddress: "no address",
  receivers: { active: "Active", gone: "Gone", paused: "Paused" },
  connections: "Its connections",
  deliveries: "Its deliveries",
  trySandbox: "Try it with the sandbox",
  settings: "Settings",
  save: "Save",
  make: "Make the client",
  changed: "Somebody changed the client meanwhile. Load the page again.",
  secret: "Secret",
  secretLead:
    "A new secret signs webhooks from now on. The latest two others stay valid, so that you can change it without a gap.",
  newSecret: "Make a new secret",
  newSecretAsks:
    "The new secret is shown once. Other sessions of this client’s developers in the console end.",
} as const;

export const clientEnd = {
  title: "End",
  lead: "An application that is no longer used. Its name stays for the audit record.",
  submit: "End this client",
  asks: (connections: string) =>
    `The client ends for good: its secrets and tokens are refused at once, and its connections, now ${connections}, are disconnected.`,
  states: { ended: "Ended", isEnding: "Being ended" },
  facts: { state: "State", endedAt: "Ended", left: "Connections that are left" },
  audit: "Its audit entries",
} as const;

/** The one time that a secret is shown. */
export const secretMade = {
  lead: "These are the credentials of the application.",
  id: "Client id",
  secret: "Client secret",
  keep: "Keep the secret where only your server reads it. It isn’t shown again.",
  back: "To the client",
} as const;
