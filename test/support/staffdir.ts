import { join } from "node:path";
import type { Conformance } from "../../src/providers/conformance.ts";
import type { ProviderDefinition } from "../../src/providers/contract.ts";
import { kit, type Kit } from "../../src/providers/kit.ts";
import { projectDir } from "./program-environment.ts";

export const staffdirDir = join(projectDir, "examples/rollcall-staffdir");

/** The example of a provider package. It is JavaScript, as a stranger writes it. */
export async function loadStaffdir(): Promise<{
  definition: ProviderDefinition;
  conformance: Conformance;
}> {
  const module = (await import(join(staffdirDir, "index.js"))) as {
    default: (kit: Kit) => ProviderDefinition;
    conformance: Conformance;
  };
  return { definition: module.default(kit), conformance: module.conformance };
}
