import { z } from "zod";
import { orNull, text } from "./field.ts";

const groupTypes = ["department", "team", "cost_centre", "pay_group"] as const;

export const group = z
  .object({
    id: orNull(text),
    remote_id: orNull(text),
    name: orNull(text),
    type: orNull(z.enum(groupTypes)),
  })
  .meta({
    id: "Group",
    description: "Any subset of employees, such as a pay group, team or department.",
    examples: [
      { id: "EglEc0uDQ_OzxnTUto4F5g", remote_id: "dep_40", name: "Operations", type: "department" },
    ],
  });
