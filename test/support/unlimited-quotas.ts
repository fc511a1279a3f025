import type { RequestQuotas } from "../../src/providers/index.ts";

const unlimited: RequestQuotas = {
  draw: async () => ({ end: () => undefined }),
  pause: async () => undefined,
};

/** Takes every request at once. */
export const unlimitedQuotas = { of: () => unlimited };
