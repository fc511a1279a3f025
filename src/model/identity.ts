import { z } from "zod";
import { orNull, text } from "./field.ts";

export const identity = z.object({ name: text, email: text, phone_number: orNull(text) }).meta({
  id: "Identity",
  description: "The user of the connected account, as captured at sign-in.",
  examples: [{ name: "Amara Nwosu", email: "amara.nwosu@larkfield.example", phone_number: null }],
});

export type Identity = z.output<typeof identity>;
