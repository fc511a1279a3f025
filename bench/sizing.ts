// How many cores a number of connections needs, of the costs that a run measured.
import type { Run } from "./figures.ts";

const connections = [10_000, 100_000, 1_000_000];
const secondsPerHour = 3_600;

/** The columns, and what the name of the row begins with that has the cost: of 100 employees, with Redis. */
const columns = [
  ["workers", "redis: worker, a poll of 100 unchanged employees in "],
  ["workers, given at once", "redis: worker, a poll of 100 unchanged employees of a provider"],
  ["workers, looked at", "redis: worker, a poll of 100 unchanged employees by a look in "],
  ["stores", "redis: stores, a poll of 100 unchanged employees in "],
  ["stores, given at once", "redis: stores, a poll of 100 unchanged employees of a provider"],
  ["API", "redis: 5000 tokens of 100 employees at random"],
] as const;

/** The table of docs/performance.md: an hour's poll and GET of each connection. Empty when a row was not measured. */
export function tellSizing({ rows }: Run): string {
  const costs = columns.map(
    ([, start]) => Object.entries(rows).find(([name]) => name.startsWith(start))?.[1].us?.ours,
  );
  if (!costs.every((us) => us !== undefined)) return "";
  return [
    `| connections | a second | ${columns.map(([column]) => column).join(" | ")} |`,
    `|---|---|${"---|".repeat(columns.length)}`,
    `| one, in ms | | ${costs.map((us) => round(us / 1_000)).join(" | ")} |`,
    ...connections.map((count) => {
      const perSecond = count / secondsPerHour;
      const cores = costs.map((us) => round((perSecond * us) / 1e6));
      return `| ${[count.toLocaleString("en-US"), round(perSecond), ...cores].join(" | ")} |`;
    }),
    "",
  ].join("\n");
}

/** With two digits. */
function round(value: number): string {
  return String(Number(value.toPrecision(2)));
}
