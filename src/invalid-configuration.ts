/** Names all problems at once, one on each line. */
export class InvalidConfiguration extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(
      `The configuration is not valid:\n${problems.map((problem) => `  ${problem}`).join("\n")}`,
    );
    this.name = "InvalidConfiguration";
    this.problems = problems;
  }
}
