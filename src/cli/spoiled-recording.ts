import type { RunEvent } from "../workbench/index.ts";

/** What goes wrong when a recording is read, and did not when it was made, in sentences. */
export function listSpoiled(
  recorded: readonly RunEvent[],
  replayed: readonly RunEvent[],
): string[] {
  const before = new Set(recorded.flatMap(listTroubles));
  const after = new Set(replayed.flatMap(listTroubles));
  return [...after].filter((trouble) => !before.has(trouble));
}

function listTroubles(event: RunEvent): string[] {
  switch (event.type) {
    case "missing":
      return [`it has no answer to ${event.request}`];
    case "failed":
      return [`the read of ${event.resource} ${event.failure}`];
    case "read":
      return event.nulled.map(
        (field) => `${field} of ${event.resource} breaks the model, or contradicts other values`,
      );
    default:
      return [];
  }
}
