import { isProviderFailure, type ProviderFailure, providerPackages } from "../providers/index.ts";

/** What is wrong with a provider, for its developer. */
export class NotConforming extends Error {
  override readonly name = "NotConforming";
}

type Kind = ProviderFailure["kind"];

/** The failure of the work, which has to be of this kind and code. Throws NotConforming. */
export async function expectFailure(
  what: string,
  work: () => Promise<unknown>,
  kind: Kind,
  code?: string,
): Promise<ProviderFailure> {
  const expected = providerPackages.nameFailure({ kind, code });
  const outcome = await attempt(work);
  if ("result" in outcome)
    throw new NotConforming(`${what} has to fail with ${expected}, and it succeeded`);
  const { failure } = outcome;
  const isSame =
    failure.kind === kind &&
    (code === undefined || (failure.kind === "auth" && failure.code === code));
  if (!isSame)
    throw new NotConforming(
      `${what} has to fail with ${expected}, and it ${providerPackages.explainFailure(failure)}`,
      {
        cause: failure,
      },
    );
  return failure;
}

/** An error that is no failure of the contract is thrown on. */
export async function attempt<Result>(
  work: () => Promise<Result>,
): Promise<{ result: Result } | { failure: ProviderFailure }> {
  try {
    return { result: await work() };
  } catch (error) {
    if (isProviderFailure(error)) return { failure: error };
    throw error;
  }
}

export function expectThat(isSo: boolean, otherwise: string): void {
  if (!isSo) throw new NotConforming(otherwise);
}
