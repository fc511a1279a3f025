import { randomBytes } from "node:crypto";
import { Option, type Command } from "commander";
import type { Environment } from "../platform/crypto/index.ts";
import { isJson } from "./command-context.ts";
import { formatExamples } from "./format-examples.ts";
import { printFields, printLine } from "./output.ts";

const environments: readonly Environment[] = ["dev", "prod"];

export function addKeysCommands(keys: Command): void {
  addGenerateCommand(keys);
}

function addGenerateCommand(keys: Command): void {
  keys
    .command("generate")
    .description("print values for MASTER_KEYS and SANDBOX_ACCESS_TOKEN; nothing is stored")
    .addOption(
      new Option("--environment <environment>", "the environment of the keys")
        .choices(environments)
        .default("dev"),
    )
    .addHelpText("after", formatExamples("keys generate --environment prod >> .env"))
    .action(async ({ environment }: { environment: Environment }, command: Command) => {
      const [{ systemClock, utcDay }, { mintCredential }] = await Promise.all([
        import("../platform/clock.ts"),
        import("../platform/crypto/index.ts"),
      ]);
      const name = `k${utcDay(systemClock.now()).replaceAll("-", "")}`;
      const values = {
        MASTER_KEYS: `${name}:${randomBytes(32).toString("base64")}`,
        SANDBOX_ACCESS_TOKEN: mintCredential("at", environment),
      };
      if (isJson(command)) return printFields(values, { isJson: true });
      for (const [variable, value] of Object.entries(values)) printLine(`${variable}=${value}`);
    });
}
