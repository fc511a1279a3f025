/** What the receiver does with a request. Those in the second line have taken it in before they fail. */
export type ReceiverMode =
  | "ok"
  | "slow"
  | "down"
  | "error"
  | "busy"
  | "gone"
  | "flaky"
  | "resets"
  | "errs-late"
  | "answers-late";

/** What happens at the provider. `pick` chooses among what there is, from 0 up to 1. */
export type ProviderStep =
  | { do: "add" | "update" | "remove" | "layoff"; company: number; pick: number }
  | { do: "glitch"; company: number; kind: "part" | "empty" }
  | { do: "fail"; company: number; kind: "unavailable" | "broken" | "later" };

/** One step of a history. */
export type Step =
  | ProviderStep
  | { do: "wait"; minutes: number; by: number }
  | { do: "receiver"; mode: ReceiverMode }
  | { do: "hold"; minutes: number }
  | { do: "kill"; after: number }
  | { do: "lose-jobs"; count: number }
  | { do: "rotate" }
  | { do: "replay"; pick: number }
  | { do: "set-address" };
