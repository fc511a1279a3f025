import { z } from "zod";
import { contrastOf } from "./html/index.ts";

/** On the pages for end users, behind text. */
const lightGround = "#f3f4f8";

/** A colour as `#rrggbb`, dark enough for text on a light page, by WCAG 2. */
export const textColor = z
  .string()
  .regex(/^#[0-9A-Fa-f]{6}$/, { error: "is a colour such as #1f5aa6", abort: true })
  .toLowerCase()
  .refine((color) => contrastOf(color, lightGround) >= 4.5, {
    error: ({ input }) =>
      `has a contrast of ${contrastOf(input as string, lightGround).toFixed(1)} on the pages; 4.5 is needed, so take a darker one`,
  });
