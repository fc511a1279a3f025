export const connections = {
  title: "Connections",
  lead: "The accounts that end users have linked, the newest first.",
  none: "There is no connection yet. It begins with a sign-in link.",
  noneFound: "No connection is like that.",
  active: "Active",
  /** By these the list can be filtered. */
  listedStates: {
    refused: "Sign-in ended",
    forbidden: "Rights missing",
    limited: "Fields hidden",
  },
  search: {
    q: "Token id or reference",
    client: "Client",
    provider: "Provider",
    state: "State",
    allClients: "All clients",
    allProviders: "All providers",
    allStates: "All states",
    submit: "Search",
    needsClient: "Choose the client too: a reference is looked for among those of one client.",
  },
} as const;

export const connection = {
  facts: {
    state: "State",
    reference: "Reference",
    client: "Client",
    mode: "Mode",
    tokenId: "Token id",
    createdAt: "Connected",
  },
  noReference: "none",
  statuses: {
    active: "Active",
    reauthentication_required: "Sign-in ended",
    disconnected: "Disconnected",
  },
  data: "Data",
  noData: "The token covers no data.",
  history: "What happened",
  noHistory: "Nothing within 30 days.",
  reads: "Reads",
  noReads: "Nothing was read yet.",
  webhooks: "Webhooks",
  noWebhooks: "Nothing was sent about this connection.",
  resource: "Resource",
  readNow: "Read now",
  sendWebhook: "Send a test webhook",
  makeLink: "Make a link to sign in again",
  disconnect: "Disconnect",
  disconnectAsks: (system: string) =>
    `The token ends for good, and everything stored of this account at ${system} is deleted. The end user would have to sign in anew.`,
  read: "read",
  nothingStored: "nothing is stored",
  took: "took",
  next: "next",
  waitsUntil: "waits until",
  limited: "The account may not read these fields, so they are null:",
  waits: {
    place: "Waits for its turn",
    quota: "Waits for the quota",
    provider: "Is tried again",
  },
  outcomes: {
    stored: "Stored",
    unavailable: "Provider gave no answer",
    broken: "Answer could not be used",
    unsupported: "Not there",
    forbidden: "Right missing",
    refused: "Sign-in ended",
  },
  isRead: "Is being read",
  notRead: "Not read yet",
  gained: "gained",
  lost: "lost",
  uncovered: "Choose one of the resources that the token covers.",
} as const;

/** What happened to a connection, by the type of its event. A type that is not here is shown by its name. */
export const happened: Readonly<Record<string, string>> = {
  "connection.created": "The end user signed in, and the code was exchanged",
  "connection.reauthentication_required": "The provider ended the sign-in",
  "connection.healed": "The end user signed in again",
  "connection.rights_changed": "The rights of the account changed",
  "connection.ended": "The token ended",
  "data.ready": "Data that a caller waited for was stored",
  "data.failed": "Data that a caller waited for could not be read",
  "data.changed": "A poll found changes",
  "provider.degraded": "Many reads of the provider failed",
  "provider.recovered": "Reads of the provider succeeded again",
};

/** The one time that a link is shown. */
export const linkMade = {
  title: "A link to sign in again",
  lead: "Send it to the end user. After the sign-in the same token works on, and this connection heals by itself.",
  link: "The link",
  worksUntil: "It works once, until",
  once: "It isn’t shown again.",
  back: "Back to the connection",
} as const;

export const filled = {
  title: "What is filled",
  fields: "fields",
  field: "Field",
  records: "Records that have it",
  of: "of",
  newest: "Of the newest list, read",
  uncounted: "Never counted:",
  unknown: "What is filled isn’t known: it is counted when the list is read again.",
  some: "some, fewer than ten",
  none: "none",
  hidden: "the account may not read it",
  neverGiven: "the provider doesn’t give it",
} as const;
