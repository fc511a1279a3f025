import { findSyntaxError } from "./find-syntax-error.ts";
import { InvalidProvider, UnreadablePackage } from "./invalid-provider.ts";

/** What is wrong with a package as plain data, which crosses from the process that loaded it. */
export interface PlainRefusal {
  explanation: string;
  /** The file that was loaded, when a module of the package has a syntax error. */
  unreadableFile?: string;
}

const longestExplanation = 2_000;

/** Undefined for an error that says nothing about a package. */
export function toPlainRefusal(error: unknown): PlainRefusal | undefined {
  if (!(error instanceof InvalidProvider)) return undefined;
  return {
    explanation: error.message.slice(0, longestExplanation),
    ...(error instanceof UnreadablePackage && { unreadableFile: error.file }),
  };
}

/** `readable` is what the process that loaded it may read of the disk. */
export async function fromPlainRefusal(
  { explanation, unreadableFile }: PlainRefusal,
  readable: readonly string[],
): Promise<InvalidProvider> {
  const place = unreadableFile && (await findSyntaxError(unreadableFile, readable));
  return new InvalidProvider(place ? `${explanation} (${place})` : explanation);
}
