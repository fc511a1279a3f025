import { z } from "zod";
import { address } from "./address.ts";
import { orNull, text } from "./field.ts";

export const workLocation = z
  .object({ id: orNull(text), remote_id: orNull(text), name: orNull(text), type: orNull(text), address: orNull(address) })
  .meta({ id: "WorkLocation", description: "An address that can be associated with an employee." });

export type WorkLocation = z.output<typeof workLocation>;
