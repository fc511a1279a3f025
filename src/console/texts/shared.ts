/** What every page may say. What one page says is in the file of its name. */
export const texts = {
  name: "Rollcall console",
  skip: "Skip to the content",
  signOut: "Sign out",
  operator: "Operator",
  developer: "Developer",
  navigation: {
    overview: "Overview",
    problems: "Problems",
    connections: "Connections",
    reads: "Reads",
    webhooks: "Webhooks",
    clients: "Clients",
    providers: "Providers",
    try: "Try",
    audit: "Audit",
    system: "System",
  },
  sections: "Sections",
  since: "since",
  until: "until",
  unknown: "not known",
  someProvider: "the provider",
  older: "Older",
  attempts: ["attempt", "attempts"],
  reads: ["read", "reads"],
  records: ["record", "records"],
  errors: {
    missing: ["There’s nothing here", "It doesn’t exist, was deleted, or isn’t yours."],
    form: [
      "This form wasn’t sent",
      "It has to come from a page of the console that your browser opened itself. Go back, load the page again, and repeat it. Nothing was changed.",
    ],
    invalid: ["That can’t be done", ""],
    tooMany: [
      "One moment, please",
      "There were too many requests from your network. Try again in a minute.",
    ],
    unavailable: [
      "The database can’t be reached",
      "The service tries again by itself. Load this page again in a moment.",
    ],
    server: [
      "Something went wrong on our side",
      "The log of the service has a line with this reference.",
    ],
    reference: "Reference: ",
    back: "To the overview",
  },
  done: {
    read: "The read was requested. It appears below as soon as it has ended.",
    disconnected: "The connection was ended, and everything stored for it was deleted.",
    sent: "It is being sent again.",
    webhook:
      "A simulated hour has passed, and the connection is polled. The webhook appears below as soon as it is sent.",
    firstPoll:
      "The first poll, which later ones compare with, is under way. Press the button again in a few seconds.",
    saved: "The changes were saved.",
    clientEnded:
      "The client has ended: its secrets and tokens are refused. Its connections are being disconnected.",
  },
} as const;

export type Section = keyof typeof texts.navigation;
export type Done = keyof typeof texts.done;

export function isDone(value: unknown): value is Done {
  return typeof value === "string" && Object.hasOwn(texts.done, value);
}
