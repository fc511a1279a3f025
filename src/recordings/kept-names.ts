import type { SeenRecording } from "./seen-recording.ts";
import type { Vocabulary } from "./vocabulary.ts";
import { eachMember, listExchanges, parseJson, readBody } from "./what-stays.ts";

const looksLikeName = /^[\p{ID_Start}_$@][\p{ID_Continue}$.:@-]*$/u;
/** Behind a name, and no address. */
const annotation = /^@(?:odata|microsoft)\./i;
/** What is read for every adapter, whose own code need not spell it: tokens, and what they claim. */
const readByHost = new Set(
  (
    "access_token refresh_token id_token expires_in token_type scope error error_description " +
    "sub name given_name family_name email iss aud exp iat"
  ).split(" "),
);

/**
 * The names of members that are names of fields, and stay: those that the code spells, those of several records, those
 * that were sent, and tags. Another one that is an address, was typed, or stands as a value elsewhere tells of somebody.
 */
export function findKeptNames(seen: SeenRecording, vocabulary: Vocabulary): ReadonlySet<string> {
  const typed = new Set([...Object.values(seen.formValues), ...seen.answers].map(fold));
  const values = new Set(typed);
  const { names, shared, tags } = listNames(seen, (value) => void values.add(fold(value)));
  const isKept = (name: string): boolean => {
    if (readByHost.has(name) || vocabulary.spells(name)) return true;
    if (!looksLikeName.test(name) || isAddress(name)) return false;
    return tags.has(name) ? !typed.has(fold(name)) : shared.has(name) && !values.has(fold(name));
  };
  return new Set([...names].filter(isKept));
}

/** All names, and which of them several records have, or what was sent. The columns of a table are told by the code alone. */
function listNames(seen: SeenRecording, onValue: (value: string) => void) {
  const names = new Set<string>();
  const shared = new Set<string>();
  const tags = new Set<string>();
  const pathOfPlace = new Map<string, string>();
  for (const { path, sent, body } of listExchanges(seen)) {
    const { value: answer, kind } = readBody(body);
    const inThis = new Set<string>();
    eachMember(answer, (place, name, value) => {
      if (typeof value === "string") onValue(value);
      if (kind === "table" || name === "") return;
      names.add(name);
      if (kind === "markup") tags.add(name);
      if (inThis.has(place) || (pathOfPlace.get(place) ?? path) !== path) shared.add(name);
      inThis.add(place);
      pathOfPlace.set(place, path);
    });
    eachMember(parseJson(sent ?? ""), (_place, name, value) => {
      if (typeof value === "string") onValue(value);
      names.add(name);
      shared.add(name);
    });
  }
  return { names, shared, tags };
}

function isAddress(name: string): boolean {
  const at = name.indexOf("@", 1);
  return at > 0 && !annotation.test(name.slice(at));
}

function fold(text: string): string {
  return text.trim().toLowerCase();
}
