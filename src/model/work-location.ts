import { z } from "zod";
import { address } from "./address.ts";
import { orNull, text } from "./field.ts";

export const workLocation = z
  .object({
    id: orNull(text),
    remote_id: orNull(text),
    name: orNull(text),
    type: orNull(text),
    address: orNull(address),
  })
  .meta({
    id: "WorkLocation",
    description: "An address that can be associated with an employee.",
    examples: [
      {
        id: "WW3hMN7gkdybXzt4F4WGtQ",
        remote_id: "loc_2",
        name: "London",
        type: "warehouse",
        address: {
          street_address: "14 Larkfield Wharf",
          locality: "London",
          administrative_area: "Greater London",
          country: "GB",
          post_code: "SE1 0AA",
        },
      },
    ],
  });
