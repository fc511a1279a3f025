import { describeError } from "../../platform/describe-error.ts";
import type { ProviderLog } from "../../providers/index.ts";
import type { FromChild, SendToParent } from "./messages.ts";

type Level = Extract<FromChild, { type: "log" }>["level"];

export interface ChildLog extends ProviderLog {
  child(fields: object): ChildLog;
}

const longestFields = 4_000;

/** Sends the lines to the parent, which writes them to its own log. */
export function createChildLog(
  send: SendToParent,
  isDebugLogged: boolean,
  bindings: object = {},
): ChildLog {
  const write = (level: Level, fields: object, message: string): void =>
    void send({ type: "log", level, fields: toPlain({ ...bindings, ...fields }), message });
  return {
    child: (fields) => createChildLog(send, isDebugLogged, { ...bindings, ...fields }),
    debug: (fields, message) => {
      if (isDebugLogged) write("debug", fields, message);
    },
    warn: (fields, message) => write("warn", fields, message),
  };
}

/** The fields as JSON has them. An error is described here, because a process cannot send its class. */
function toPlain(fields: object): object {
  const described = Object.entries(fields).map(([name, value]) => [
    name,
    value instanceof Error ? { described: describeError(value) } : (value as unknown),
  ]);
  try {
    const text = JSON.stringify(Object.fromEntries(described));
    return text.length > longestFields ? {} : (JSON.parse(text) as object);
  } catch {
    return {};
  }
}
