import { z } from "zod";
import { address } from "./address.ts";
import { orNull, text } from "./field.ts";

export const company = z
  .object({
    id: orNull(text, "The company's id at Rollcall; stable for a connection"),
    remote_id: orNull(text, "The company's id at the provider"),
    legal_name: orNull(text, "The registered name"),
    display_name: orNull(text, "The name by which the company goes"),
    tax_id: orNull(text, "The company's tax number"),
    address: orNull(address, "The company's address"),
  })
  .meta({
    id: "Company",
    description: "A company whose people are in the HR or payroll system.",
    examples: [
      {
        id: "G1koKLwMLLJAnVnJq8_JRw",
        remote_id: "co_1",
        legal_name: "Larkfield Instruments GmbH",
        display_name: "Larkfield Instruments",
        tax_id: "DE000000000",
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
