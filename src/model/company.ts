import { z } from "zod";
import { address } from "./address.ts";
import { orNull, text } from "./field.ts";

export const company = z
  .object({
    id: orNull(text).describe("Assigned by Rollcall"),
    remote_id: orNull(text).describe("The provider's id"),
    legal_name: orNull(text),
    display_name: orNull(text),
    tax_id: orNull(text),
    address: orNull(address),
  })
  .meta({ id: "Company" });

export type Company = z.output<typeof company>;
