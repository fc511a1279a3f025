import { z } from "zod";
import { namedEnum, orNull, text } from "./field.ts";

const groupType = namedEnum("GroupType", "What a group is.", {
  department: "a department",
  team: "a team",
  cost_centre: "those whose cost is counted together",
  pay_group: "those who are paid together",
});

export const group = z
  .object({
    id: orNull(text, "The group's id at Rollcall; stable for a connection"),
    remote_id: orNull(text, "The group's id at the provider"),
    name: orNull(text, "The group's name"),
    type: orNull(groupType, "What the group is"),
  })
  .meta({
    id: "Group",
    description:
      "Any subset of employees, such as a pay group, team or department. A person can be in several.",
    examples: [
      { id: "1JTjy3Nnrs5ZM94HDWElqQ", remote_id: "dep_40", name: "Operations", type: "department" },
    ],
  });
