import type { z } from "zod";
import { namedEnum } from "./field.ts";

export const endedBy = namedEnum("EndedBy", "Who ended a connection.", {
  client: "the client disconnected the token",
  end_user: "the end user took the access away",
  operator: "the operator of this service disconnected the token",
  provider: "reserved; not sent at present",
});

export type EndedBy = z.output<typeof endedBy>;
