import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rounds: { type: "string", default: "7" } },
});

/** The rows that were asked for. All of them when there is none. */
export const wantedRows: readonly string[] = positionals;

/** The interleaved rounds of each row. Fewer than seven tell only that a row works. */
export const rounds = Number(values.rounds);
if (!Number.isInteger(rounds) || rounds < 1)
  throw new Error(`--rounds is a number of rounds, not ${values.rounds}`);
