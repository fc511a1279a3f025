/** One small change of the program that a test should notice. */
export interface Mutant {
  /** Stays the same when the code moves. */
  id: string;
  /** Of the project, below `src`. */
  path: string;
  /** Lines of the file that are there once, as they are. */
  find: string;
  /** The same lines, changed. */
  replace: string;
}

/** What became of a mutant. */
export interface Outcome {
  id: string;
  /** `outlived` the tests of these projects that reach it, or `lost`: its lines are no more in its file. */
  result: "killed" | "outlived" | "lost";
  projects: string;
  /** The test file that noticed it first. */
  by?: string;
  seconds: number;
}

/** Where the lines begin, or undefined when they are not there once. */
export function findMutant(text: string, { find }: Mutant): number | undefined {
  const start = text.indexOf(find);
  return start >= 0 && !text.includes(find, start + 1) ? start : undefined;
}

export function applyMutant(text: string, mutant: Mutant): string | undefined {
  const start = findMutant(text, mutant);
  if (start === undefined) return undefined;
  return text.slice(0, start) + mutant.replace + text.slice(start + mutant.find.length);
}
