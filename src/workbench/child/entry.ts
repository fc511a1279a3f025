/** The program of a child process that runs a provider by hand, with the belt that adapters wear in the service. */
import { fastenBelt, watchParent, wearsBelt } from "../../platform/belt/index.ts";

process.once("disconnect", () => process.exit());
// Ctrl-C of the terminal is for the parent, which ends this process.
process.on("SIGINT", () => undefined);
watchParent();

const { serveRun } = await import("./serve-run.ts");
if (wearsBelt()) fastenBelt();
serveRun();
