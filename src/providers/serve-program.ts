import { watchRefusals } from "../platform/belt/index.ts";
import { usePlainWords } from "../platform/plain-words.ts";
import { isProviderFailure } from "./errors.ts";
import { explainFailure } from "./explain-failure.ts";
import { findPlace } from "./find-place.ts";
import { toPlainRefusal } from "./plain-refusal.ts";
import type { ProgramMessage } from "./run-program.ts";

/**
 * Does the work in the child process with the subject that the parent sends, and tells how it ended. It gives false when
 * nothing has the name.
 */
export function serveProgram(work: (subject: never) => Promise<boolean>): void {
  usePlainWords();
  watchRefusals(({ what, error }) => tell({ type: "refused", what, place: findPlace(error) }));
  process.once("message", (subject) => void serve(() => work(subject as never)));
  tell({ type: "loaded" });
}

async function serve(work: () => Promise<boolean>): Promise<void> {
  try {
    tell({ type: (await work()) ? "done" : "unknown" });
  } catch (error) {
    const refusal = toPlainRefusal(error);
    if (refusal) return tell({ type: "unusable", refusal });
    // A provider that fails later than at the sign-in ends no program.
    const isSignInRefused = isProviderFailure(error);
    const said = explainFailure(error);
    tell({
      type: "failed",
      message: isSignInRefused ? `the sign-in ${said}` : said,
      isSignInRefused,
    });
  }
}

function tell(message: ProgramMessage): void {
  process.send?.(message);
}
