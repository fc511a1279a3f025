/**
 * The program of a child process that runs adapters. It has no database, no queue and no key of the service, and reads
 * its own code alone. Its parent alone decides when it ends: by the channel, which closes when the parent is gone.
 */
import { fastenBelt, watchParent } from "../../platform/belt/index.ts";

process.once("disconnect", () => process.exit());
// A terminal's Ctrl-C goes to the whole process group. The parent still lets running work end.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => undefined);
// What an adapter or a package prints may be data.
for (const stream of [process.stdout, process.stderr]) stream.write = () => true;
watchParent();

const { serveCalls } = await import("./serve-calls.ts");
fastenBelt();
serveCalls();
