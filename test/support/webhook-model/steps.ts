/** What the receiver does with a request. The last three apply the body before they fail. */
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

/** An event at the provider. `pick`, at least 0 and below 1, chooses among the possible people. */
export type ProviderStep =
  | { do: "add" | "update" | "remove" | "layoff"; company: number; pick: number }
  | { do: "glitch"; company: number; kind: "part" | "empty" }
  | { do: "fail"; company: number; kind: "unavailable" | "broken" | "pending" }
  | { do: "rights"; company: number; areLost: boolean };

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
