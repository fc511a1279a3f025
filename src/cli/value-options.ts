import type { Command } from "commander";

/** How a command takes the values of a provider's form. */
export function withValueOptions(command: Command): Command {
  return command
    .option(
      "--field <name=value...>",
      "a value of the provider's form, or an answer to its question as otp, text or choose; missing ones are " +
        "asked for at the terminal",
    )
    .option("--fields-file <file>", "read further values, one a line, from standard input (-)");
}

/** How a list is narrowed by time. */
export function withPeriod(command: Command, moment: string): Command {
  return command
    .option("--since <time>", `only those ${moment} since then: 2026-03-02T10:00:00Z, 90m, 24h, 7d`)
    .option("--until <time>", `only those ${moment} before`);
}
