/** The languages of the pages that an end user sees. The first one is what adapters are written in. */
export const locales = ["en", "de", "fr", "es", "it", "nl", "pl", "pt"] as const;

export type Locale = (typeof locales)[number];
/** One into which the English sentences of adapters are translated. */
export type Translation = Exclude<Locale, "en">;
