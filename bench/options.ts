import { parseArgs } from "node:util";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: "string", default: "7" },
    keep: { type: "boolean", default: false },
    "at-once": { type: "string", default: "32" },
    connections: { type: "string", default: "1000000" },
    deliveries: { type: "string", default: "10000000" },
    real: { type: "string", default: "1000" },
  },
});

/** The rows that were asked for. All of them when there is none. */
export const wantedRows: readonly string[] = positionals;

/** The interleaved rounds of each row. Fewer than seven tell only that a row works. */
export const rounds = count("rounds", 1);

/** Whether the figures of the run become those that the next one is held against. */
export const keepsRun = values.keep;

/** The requests that a server has to answer at a time, each on a socket of its own. */
export const atOnce = count("at-once", 1);

/** Of the scale test: the connections and deliveries that are made by SQL, and the connections that are read. */
export const scale = {
  connections: count("connections", 0),
  deliveries: count("deliveries", 0),
  real: count("real", 10),
};

function count(name: Exclude<keyof typeof values, "keep">, least: number): number {
  const number = Number(values[name]);
  if (!Number.isInteger(number) || number < least)
    throw new Error(`--${name} is a number of at least ${least}, not ${values[name]}`);
  return number;
}
