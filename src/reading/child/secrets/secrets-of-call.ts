import type { FormField, OAuth2Application } from "../../../providers/index.ts";
import type { Call } from "../messages.ts";
import { CallSecrets } from "./call-secrets.ts";

/** What a call brings along: what was typed into secret fields, answers, sessions, and the operator's application. */
export function secretsOfCall(
  call: Call,
  {
    fields,
    application,
  }: {
    /** Undefined when they are not known: then each value of the form is a secret. */
    fields: readonly FormField[] | undefined;
    application: OAuth2Application | undefined;
  },
): CallSecrets {
  const secrets = new CallSecrets();
  secrets.add(application?.clientSecret);
  const { arguments: given } = call;
  if ("formValues" in given)
    for (const [name, value] of Object.entries(given.formValues))
      if (fields?.find((field) => field.name === name)?.isSecret ?? true) secrets.add(value);
  if ("authorization" in given)
    for (const secret of [given.authorization?.code, given.authorization?.codeVerifier])
      secrets.add(secret);
  if ("state" in given) secrets.addSession(given.state);
  if ("answer" in given && !given.isChoice) secrets.add(given.answer);
  if ("session" in given) secrets.addSession(given.session);
  if ("previousSession" in given) secrets.addPrevious(given.previousSession);
  return secrets;
}
