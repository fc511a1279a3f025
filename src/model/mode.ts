import { z } from "zod";

export const modes = ["official", "xhr"] as const;
export const mode = z.enum(modes).meta({ id: "Mode" });
export type Mode = z.output<typeof mode>;
