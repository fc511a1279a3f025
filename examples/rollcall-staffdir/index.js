import { createSignIn } from "./sign-in.js";
import { createReaders } from "./readers.js";
import { texts } from "./texts.js";

export { conformance } from "./conformance.js";

/**
 * The default export is called once with the kit, when Rollcall starts.
 * @param {import("@rollcall/provider").Kit} kit
 */
export default (kit) =>
  kit.defineProvider({
    apiVersion: 1,
    name: "staffdir",
    title: "StaffDir",
    tags: ["directory"],
    modes: { xhr: { ...createSignIn(kit), resources: createReaders(kit) } },
    limits: {
      concurrency: 4,
      // StaffDir counts requests by company.
      quotas: { requests: { perMinute: 600, atOnce: 4 } },
    },
    texts,
  });
