// How the search reads words: which it leaves out, which it takes as one, and which mean the same.

/** Words of questions, which no section is about. */
const leftOut = new Set(
  "a an and are can do does for from get how i in is it my of on or our s the there this to what when where which why with you your".split(
    " ",
  ),
);

/** What people type, and what the documents call it. */
const synonyms: Readonly<Record<string, readonly string[]>> = {
  api: ["endpoint", "operation"],
  apikey: ["secret", "credential"],
  backup: ["dump", "restore"],
  callback: ["redirect"],
  compliance: ["privacy", "personal"],
  connector: ["provider", "adapter"],
  cursor: ["after", "limit"],
  dashboard: ["grafana", "metric"],
  deploy: ["kubernetes", "docker", "hosted"],
  dsgvo: ["personal", "export", "disconnect"],
  delete: ["disconnect", "remove"],
  expire: ["end"],
  gdpr: ["personal", "export", "disconnect"],
  helm: ["kubernetes"],
  hook: ["webhook"],
  integration: ["provider"],
  k8s: ["kubernetes"],
  login: ["sign"],
  mock: ["sandbox", "simulated"],
  monitoring: ["metric", "alert", "prometheus"],
  oauth: ["exchange", "token"],
  paginate: ["limit", "after", "page"],
  pagination: ["limit", "after", "page"],
  payroll: ["payrun", "payslip"],
  payslip: ["payrun"],
  quota: ["limit"],
  reconnect: ["again", "reauthentication"],
  sdk: ["library", "typescript", "python"],
  signup: ["register", "client"],
  test: ["sandbox"],
  throttle: ["limit"],
  unsubscribe: ["disconnect"],
  validate: ["check", "compare"],
  vacation: ["time", "absence"],
  verify: ["check", "compare"],
};

/** Endings that say nothing, the longest first, with what stands in their place. */
const endings: readonly (readonly [string, string])[] = [
  ["ies", "y"],
  ["ied", "y"],
  ["ying", "y"],
  ["ations", "ation"],
  ["ing", ""],
  ["ed", ""],
  ["es", "e"],
  ["s", ""],
];
const shortest = 4;

/** A name such as `start_date` is found as a whole and by its parts. */
export function splitWords(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).flatMap((word) =>
    word.includes("_") ? [word, ...word.split("_").filter(Boolean)] : [word],
  );
}

/** The word without its ending, so that `verifies` and `verify` are one. */
export function stem(word: string): string {
  if (word.includes("_")) return word;
  const ending = endings.find(
    ([end]) => word.endsWith(end) && word.length - end.length >= shortest - 1,
  );
  const bare = ending ? word.slice(0, -ending[0].length) + ending[1] : word;
  return bare.length > shortest && bare.endsWith("e") ? bare.slice(0, -1) : bare;
}

/** The words of a query that count, each with those that mean the same. A query of nothing else is taken as it is. */
export function readQuery(query: string): string[][] {
  const words = [...new Set(splitWords(query))];
  const counted = words.filter((word) => !leftOut.has(word));
  return (counted.length > 0 ? counted : words).map((word) => [word, ...(synonyms[word] ?? [])]);
}
