// A child process that reads its own code and no other file, writes nothing, and starts no process, thread or native
// addon. Node holds it (its permission model): it is a belt against mistakes and no fence against malice, because no
// socket is restricted.
export { fastenBelt, wearsBelt, watchParent, watchRefusals } from "./fasten-belt.ts";
export { canBelt, forkBelted, runBelted, type BeltedProcess } from "./fork-belted.ts";
export { listReadable } from "./list-readable.ts";
