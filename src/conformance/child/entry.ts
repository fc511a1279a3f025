/** The program of a child process that checks a provider, with the belt that adapters wear in the service. */
import { fastenBelt, watchParent, wearsBelt } from "../../platform/belt/index.ts";

process.once("disconnect", () => process.exit());
watchParent();

const { serveChecks } = await import("./serve-checks.ts");
if (wearsBelt()) fastenBelt();
serveChecks();
