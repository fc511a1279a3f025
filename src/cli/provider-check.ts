import { CommandFailure } from "./command-failure.ts";
import { describeBeltRefusal } from "./describe-belt-refusal.ts";
import { openRows } from "./output.ts";
import { warnWithoutBelt } from "./warn-without-belt.ts";

interface Named {
  provider: string;
  check: string;
}

type Result = "passed" | "left out" | "failed";

/** Prints how each check ends. Needs no database and no running service. Throws CommandFailure when one fails. */
export async function checkProvider(
  name: string,
  replay: string | undefined,
  output: { isJson: boolean },
): Promise<void> {
  const [{ readConfig }, { checkInChild }, { recordings }] = await Promise.all([
    import("../config/index.ts"),
    import("../conformance/index.ts"),
    import("../recordings/index.ts"),
  ]);
  const { config } = readConfig();
  warnWithoutBelt();
  const { providerPackages: packages, stateDir, secretFiles } = config;
  let printer: ResultPrinter | undefined;
  await checkInChild(
    {
      name,
      packages,
      withheld: [stateDir, ...secretFiles],
      ...(replay !== undefined && { recording: recordings.read(replay) }),
    },
    {
      onChecks: (checks) => {
        const named = checks.map(({ subject, name: check }) => ({ provider: subject, check }));
        printer = new ResultPrinter(named, output);
        if (replay !== undefined)
          printer.withoutFake = checks.flatMap((one) => (one.needsFake ? [one.name] : []));
      },
      onResult: (result) => printer?.print(result),
      onRefused: (what, place) =>
        void process.stderr.write(`rollcall: ${describeBeltRefusal(what, place)}\n`),
    },
  );
  printer?.end();
}

/** The checks come in their order. What fails as another one did is told once, with all that it stops. */
class ResultPrinter {
  /** Checks that a recording cannot play. */
  withoutFake: readonly string[] = [];
  readonly #table: ReturnType<typeof openRows>;
  readonly #isJson: boolean;
  readonly #left: Named[];
  readonly #count: number;
  #failed = 0;
  readonly #causes = new Map<string, Named[]>();

  constructor(checks: readonly Named[], output: { isJson: boolean }) {
    this.#left = [...checks];
    this.#count = checks.length;
    this.#isJson = output.isJson;
    this.#table = openRows(
      checks.map((row) => ({ ...row, result: "left out", note: "" })),
      output,
    );
  }

  print({ result, note, cause }: { result: Result; note: string; cause?: string }): void {
    const check = this.#left.shift();
    if (!check) return;
    if (result === "failed") this.#failed += 1;
    const stopped = cause === undefined ? undefined : this.#causes.get(cause);
    if (cause !== undefined) this.#causes.set(cause, [...(stopped ?? []), check]);
    if (this.#isJson || !stopped) this.#table.add({ ...check, result, note });
  }

  /** Throws CommandFailure when a check failed. */
  end(): void {
    if (!this.#isJson)
      for (const [cause, [first, ...others]] of this.#causes)
        if (first && others.length > 0) this.#table.add(tellStopped(first, others, cause));
    this.#table.end();
    if (this.withoutFake.length > 0) process.stderr.write(tellWithoutFake(this.withoutFake));
    if (this.#failed > 0)
      throw new CommandFailure(`${this.#failed} of ${this.#count} checks failed`, "not_conforming");
  }
}

function tellStopped({ provider, check }: Named, others: readonly Named[], cause: string) {
  return {
    provider,
    check: `${others.length} more`,
    result: "failed",
    note: `as ${check}, ${cause}: ${others.map((other) => other.check).join(", ")}`,
  };
}

function tellWithoutFake(checks: readonly string[]): string {
  const all = checks.length === 1 ? "1 check needs" : `${checks.length} checks need`;
  return `rollcall: ${all} a fake, because no recording can play them: ${checks.join(", ")}\n`;
}
