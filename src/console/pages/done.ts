import { html, type HtmlValue } from "../../platform/html/index.ts";

/** What the page after a form says, by what its address names. */
const done = {
  read: "The read was requested. It appears below as soon as it has ended.",
  disconnected: "The connection was ended, and everything stored for it was deleted.",
  sent: "It is being sent again.",
  webhook:
    "A simulated hour has passed, and the connection is polled. The webhook appears below as soon as it is sent.",
  firstPoll:
    "The first poll, which later ones compare with, is under way. Press the button again in a few seconds.",
  saved: "The changes were saved.",
  clientEnded:
    "The client has ended: its secrets and tokens are refused. Its connections are being disconnected.",
} as const;

export type Done = keyof typeof done;

export function isDone(value: unknown): value is Done {
  return typeof value === "string" && Object.hasOwn(done, value);
}

export function doneNotice(what: Done | undefined): HtmlValue {
  return what && html`<p class="notice good" role="status">${done[what]}</p>`;
}
