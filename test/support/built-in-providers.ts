import { loadAllBuiltIn } from "../../src/providers/built-in.ts";

/** All of them, for tests of what each provider declares. */
export const builtInProviders = await loadAllBuiltIn();
