import { describeError } from "../../platform/describe-error.ts";
import type { ProviderLog } from "../../providers/index.ts";
import { runningCall, type KnownSecrets } from "./known-secrets.ts";
import type { FromChild, SendToParent } from "./messages.ts";
import { hideIn } from "./secrets/call-secrets.ts";

type Level = Extract<FromChild, { type: "log" }>["level"];

export interface ChildLog extends ProviderLog {
  child(bindings: object): ChildLog;
}

interface ChildLogOptions {
  send: SendToParent;
  isDebugLogged: boolean;
  secrets: KnownSecrets;
}

const longestFields = 4_000;
const longestMessage = 1_000;

/** Sends the lines to the parent, which writes them to its own log. `bindings` are words of our own. */
export function createChildLog(options: ChildLogOptions, bindings: object = {}): ChildLog {
  const { send, isDebugLogged, secrets } = options;
  const hide = (text: string): string => secrets.hide(text);
  const write = (level: Level, fields: object, message: unknown): void => {
    const call = runningCall.getStore()?.id;
    void send({
      type: "log",
      ...(call !== undefined && { call }),
      level,
      fields: { ...hideIn(toPlain(fields), hide), ...bindings },
      message: typeof message === "string" ? hide(message).slice(0, longestMessage) : "",
    });
  };
  return {
    child: (further) => createChildLog(options, { ...bindings, ...further }),
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
