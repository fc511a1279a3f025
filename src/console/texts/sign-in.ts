/** How people come in. */
export const signIn = {
  title: "Sign in",
  link: "This link signs you in as an operator. It works once.",
  confirm: "Sign in to the console",
  usedTitle: "This link doesn’t work any more",
  used: "It was used already, or its time is over. Make a new one: ",
  client: "For developers: the id of your client, and one of its secrets.",
  clientId: "Client id",
  secret: "Client secret",
  submit: "Sign in",
  operator: "You operate this service? Make a link that signs you in: ",
  organisation: "Sign in with your organisation",
  ofOrganisation: "For operators: by the sign-in of your organisation.",
  wrong:
    "The id and the secret don’t belong together. Nothing else is said about which one is wrong.",
  throttled: "There were too many attempts. Try again in",
  seconds: "seconds",
  minutes: "minutes",
  off: "Developers can’t sign in here: the operator has switched that off.",
  localCommand: "npx rollcall console",
  hostedCommand: "npx rollcall console link --name NAME",
} as const;

/** Why the sign-in by the organisation ended without a session. */
export const refused = {
  title: "You’re not signed in",
  again: "To the sign-in",
  reference: "Reference: ",
  unreachable:
    "The sign-in of your organisation can’t be reached. Try again in a moment; a link from the command line works meanwhile.",
  issuer: "What answered isn’t the issuer that this service is set to.",
  client: "The sign-in of your organisation doesn’t take the id or the secret of this service.",
  state:
    "This sign-in was begun in another browser or window, or more than 10 minutes ago. Begin it again.",
  used: "This sign-in was used already. Begin it again.",
  declined: "The sign-in of your organisation didn’t let you in, or it was cancelled there.",
  code: "The sign-in of your organisation doesn’t take back what it sent you with: it was used already, or its time is over. Begin it again.",
  nonce: "The proof of who you are belongs to another sign-in. Begin it again.",
  expired: "The proof of who you are has expired, or a clock is wrong. Begin it again.",
  proof: "The proof of who you are isn’t valid.",
  unverified:
    "The sign-in of your organisation doesn’t say that your address of e-mail is verified.",
  unlisted: "Your organisation knows you, but you aren’t one of the operators of this service.",
} as const;
