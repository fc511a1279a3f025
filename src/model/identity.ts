import { z } from "zod";
import { orNull, text } from "./field.ts";

export const identity = z
  .object({
    name: text.describe("Full name of the person who signed in"),
    email: text.describe("Email address of that person"),
    phone_number: orNull(text, "Phone number of that person, as the provider writes it"),
  })
  .meta({
    id: "Identity",
    description: "The user of the connected account, as captured at sign-in.",
    examples: [
      {
        name: "Zoë Brückenau",
        email: "zoe.bruckenau@larkfield.example",
        phone_number: "+49 171 3920028",
      },
    ],
  });

export type Identity = z.output<typeof identity>;
