import { lowestId } from "./endpoint-store.ts";

/** What a look at a part has found, and behind what the next look begins; undefined at the end. */
export interface Look {
  ids: string[];
  next: string | undefined;
}

/** Behind what the looks of a process go on: what they look at can be millions, so a sweep looks at a part of it. */
export interface Places {
  /** A connection. */
  bodies: string;
  /** A subject. */
  events: string;
  /** A client. */
  polls: string;
}

export function firstPlaces(): Places {
  return { bodies: lowestId, events: "", polls: "" };
}
