import type { Command } from "commander";
import { isJson, withServices } from "./command-context.ts";
import { formatExamples } from "./format-examples.ts";
import { printFields } from "./output.ts";

const note = `
Every process does so when it starts. Where the service's role owns nothing, run this one command with
DATABASE_MIGRATION_URL: the processes of the service then need no address of the owner.
`;

export function describeMigrateCommand(migrate: Command): void {
  migrate
    .addHelpText("after", note + formatExamples("migrate"))
    .action((_options: object, command: Command) =>
      withServices(command, async () =>
        printFields({ database: "at the newest schema" }, { isJson: isJson(command) }),
      ),
    );
}
