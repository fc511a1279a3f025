import { canBelt } from "../platform/belt/index.ts";

/** The service permits a package less than a Node without the belt does. Called once, before one is tried. */
export function warnWithoutBelt(): void {
  if (canBelt()) return;
  process.stderr.write(
    `rollcall: Node ${process.versions.node} cannot refuse the package what the service refuses it, such as files: ` +
      "Node 24.20, 26.5 or newer does\n",
  );
}
