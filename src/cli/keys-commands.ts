import { Option, type Command } from "commander";
import type { Environment } from "../platform/crypto/index.ts";
import { withServices } from "./command-context.ts";
import { CommandFailure } from "./command-failure.ts";
import { formatExamples } from "./format-examples.ts";
import { isJson, printFields, printJson, printLine, printRows } from "./output.ts";

const environments: readonly Environment[] = ["dev", "prod"];

export function addKeysCommands(keys: Command): void {
  addGenerateCommand(keys);
  addStatusCommand(keys);
  addAddCommand(keys);
  addRewrapCommand(keys);
  addRetireCommand(keys);
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
      const { mintCredential } = await import("../platform/crypto/index.ts");
      const values = {
        MASTER_KEYS: (await makeKey()).entry,
        SANDBOX_ACCESS_TOKEN: mintCredential("at", environment),
      };
      if (isJson(command)) return printJson(values);
      for (const [variable, value] of Object.entries(values)) printLine(`${variable}=${value}`);
    });
}

const statusNote = `
States: "active" seals what is new, "opens" opens what was sealed under it, "missing" is not in the
configuration, "retired" cannot come back. The other columns count what is under the key, by table.
`;

function addStatusCommand(keys: Command): void {
  keys
    .command("status")
    .description("every master key that the database has used, and what is sealed under it")
    .addHelpText("after", statusNote + formatExamples("keys status", "keys status --json"))
    .action((_options: object, command: Command) =>
      withServices(
        command,
        async ({ keys: masterKeys }) => {
          const rows = (await masterKeys.status()).map(({ id, state, addedAt, rows: counts }) => ({
            key: id,
            state,
            added_at: addedAt,
            ...counts,
          }));
          printRows(command, rows, "There is no key yet.");
        },
        { checksKeys: false },
      ),
    );
}

const addNote = `
Local mode: the key is put first into master-keys.json of the state folder, while nothing runs. Hosted: it
is printed and nothing is stored. Put it at the end of MASTER_KEYS of every process and start them again;
then put it first and start them again. Afterwards, in both modes: keys rewrap.
`;

function addAddCommand(keys: Command): void {
  keys
    .command("add")
    .description("make a master key that is to take the place of the active one")
    .addHelpText("after", addNote + formatExamples("keys add"))
    .action((_options: object, command: Command) =>
      withServices(command, async ({ keys: masterKeys, keySource, keyring }) => {
        const { key, entry } = await makeKey((wanted) => masterKeys.unusedName(wanted));
        const { addFirst, place: file } = keySource;
        if (!addFirst) {
          process.stderr.write(
            `Put this entry at the end of MASTER_KEYS, behind ${keyring.keyIds.join(", ")}, and start every process ` +
              "again. Then put it first, and start them again. Then: rollcall keys rewrap. Nothing was stored.\n",
          );
          if (isJson(command)) return printJson({ key: key.id, entry });
          return printLine(entry);
        }
        await masterKeys.add(key, () => addFirst(key));
        printFields(command, { key: key.id, file });
        process.stderr.write("Start Rollcall again, and then: rollcall keys rewrap\n");
      }),
    );
}

const rewrapNote = `
It may run while the service does, several times at once, and again after it was ended half-way.
`;

function addRewrapCommand(keys: Command): void {
  keys
    .command("rewrap")
    .description("seal everything that is under an earlier key again, under the active one")
    .addHelpText("after", rewrapNote + formatExamples("keys rewrap"))
    .action((_options: object, command: Command) =>
      withServices(command, async ({ keys: masterKeys, keyring }) => {
        const { rewrapped, byTable, unopened, neverFirst } = await masterKeys.rewrap((progress) =>
          process.stderr.write(`${progress.table}: ${progress.rewrapped} rows sealed again\n`),
        );
        for (const key of neverFirst)
          process.stderr.write(
            `Nothing was moved to ${key}: ${keyring.activeKeyId} is first. Put ${key} first in MASTER_KEYS of every ` +
              "process, start them again, and repeat this.\n",
          );
        const fields = { key: keyring.activeKeyId, rewrapped, ...byTable };
        printFields(command, fields);
        if (unopened.length > 0) throw notOpened(unopened);
      }),
    );
}

function notOpened(unopened: readonly string[]): CommandFailure {
  const shown = unopened.slice(0, 5).join(", ");
  return new CommandFailure(
    `rows that do not open under the key that they name, and stay as they are: ${unopened.length} (${shown}` +
      `${unopened.length > 5 ? ", …" : ""}). Somebody changed them in the database; disconnect their tokens.`,
    "unopened",
  );
}

function addRetireCommand(keys: Command): void {
  keys
    .command("retire")
    .description("end a master key that nothing is sealed under any more")
    .argument("<key>", "its name, as in: rollcall keys status")
    .addHelpText("after", formatExamples("keys retire k20260101"))
    .action((keyId: string, _options: object, command: Command) =>
      withServices(
        command,
        async ({ keys: masterKeys }) => {
          const isNew = await masterKeys.retire(keyId);
          printFields(command, { key: keyId, retired: isNew ? "now" : "before" });
          process.stderr.write(
            `Take ${keyId} out of the configuration of every process, start them again, and destroy it where it is kept.\n`,
          );
        },
        { checksKeys: false },
      ),
    );
}

/** A new key, named after the day, and its entry in MASTER_KEYS. */
async function makeKey(
  rename: (wanted: string) => Promise<string> = (name) => Promise.resolve(name),
) {
  const [{ systemClock, utcDay }, { generateMasterKey }] = await Promise.all([
    import("../platform/clock.ts"),
    import("../start/master-key-source.ts"),
  ]);
  const name = await rename(`k${utcDay(systemClock.now()).replaceAll("-", "")}`);
  const key = generateMasterKey(name);
  return { key, entry: `${key.id}:${key.key.toString("base64")}` };
}
