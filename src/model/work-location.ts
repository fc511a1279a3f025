import { z } from "zod";
import { address } from "./address.ts";
import { orNull, text } from "./field.ts";

export const workLocation = z
  .object({
    id: orNull(text, "The location's id at Rollcall; stable for a connection"),
    remote_id: orNull(text, "The location's id at the provider"),
    name: orNull(text, "The location's name"),
    type: orNull(text, "What the location is, in the provider's words, such as `office`"),
    address: orNull(address, "The location's address"),
  })
  .meta({
    id: "WorkLocation",
    description: "An address that can be associated with an employee.",
    examples: [
      {
        id: "aBHQ-9aQ_LGc60LEzNPrRw",
        remote_id: "loc_1",
        name: "Berlin",
        type: "headquarters",
        address: {
          street_address: "Spreeufer 1a",
          locality: "Berlin",
          administrative_area: "Berlin",
          country: "DE",
          post_code: "10179",
        },
      },
    ],
  });
