import { parseArgs } from "node:util";

interface Given {
  text(name: string): string | undefined;
  number(name: string): number | undefined;
}

/**
 * Starts what the arguments ask for and prints its description as one line of JSON. With `--with-parent` the
 * program ends when its standard input does, so that it never outlives the program that started it.
 */
export async function runProgram(
  names: readonly string[],
  start: (given: Given) => Promise<object>,
): Promise<void> {
  const { values } = parseArgs({
    options: {
      "with-parent": { type: "boolean" },
      ...Object.fromEntries(names.map((name) => [name, { type: "string" as const }])),
    },
  });
  const given = values as Record<string, string | undefined>;
  const description = await start({
    text: (name) => given[name],
    number: (name) => {
      const value = given[name];
      if (value !== undefined && !/^\d+(\.\d+)?$/.test(value))
        throw new Error(`--${name} is a number, such as --${name} 1`);
      return value === undefined ? undefined : Number(value);
    },
  });
  process.stdout.write(`${JSON.stringify(description)}\n`);
  if (values["with-parent"] === true) process.stdin.on("end", () => process.exit(0)).resume();
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.once(signal, () => process.exit(0));
}
