import { HttpFailure, type RequestLabel } from "./outbound-error.ts";

/** What became of one request: the status of its answer, or the name of the failure. */
export interface ExchangeEnd {
  status?: number | undefined;
  failure?: string | undefined;
}

/** Called when a request is sent. What it returns is called once, when the request has ended. */
export type OnExchange = (label: RequestLabel) => (end: ExchangeEnd) => void;

/** Tells of one request, retries apart. */
export async function tellExchange<Answer extends { status: number }>(
  onExchange: OnExchange,
  label: RequestLabel,
  send: () => Promise<Answer>,
): Promise<Answer> {
  const onEnd = onExchange(label);
  try {
    const answer = await send();
    onEnd({ status: answer.status });
    return answer;
  } catch (error) {
    onEnd(describe(error));
    throw error;
  }
}

function describe(error: unknown): ExchangeEnd {
  if (!(error instanceof HttpFailure)) return { failure: "Error" };
  const status = "status" in error && typeof error.status === "number" ? error.status : undefined;
  return { status, failure: error.name };
}
