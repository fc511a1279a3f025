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
  .meta({
    id: "Company",
    examples: [
      {
        id: "7YMYpF5Y_bgTIj6y57pXWw",
        remote_id: "1",
        legal_name: "Larkfield Ltd",
        display_name: "Larkfield",
        tax_id: "GB000000000",
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
