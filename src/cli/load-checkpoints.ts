import type { Checkpoint } from "../audit/index.ts";

/** The checkpoints of an option that was given. Their parser is loaded for it alone. */
export async function loadCheckpoints(file: string | undefined): Promise<Checkpoint[]> {
  const { readCheckpoints } = await import("./read-checkpoints.ts");
  return file === undefined ? [] : readCheckpoints(file);
}
