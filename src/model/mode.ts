import type { z } from "zod";
import { namedEnum } from "./field.ts";

export const mode = namedEnum("Mode", "How a connection reads the provider.", {
  official: "with the vendor's own API",
  xhr: "with a customer's own sign-in",
});
export type Mode = z.output<typeof mode>;

export const modes: readonly Mode[] = mode.options;
