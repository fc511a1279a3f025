import type { ProviderTexts } from "../contract.ts";

/** Sentences by names of the adapter's own, each in the languages of our pages. */
type Said = Readonly<Record<string, Readonly<Record<"en" | "de" | "es" | "fr", string>>>>;

/** What `texts` of a definition has: of each other language, its sentence for the English one. */
export function textsOf(said: Said): ProviderTexts {
  const inLanguage = (language: "de" | "es" | "fr") =>
    Object.fromEntries(Object.values(said).map((one) => [one.en, one[language]]));
  return { de: inLanguage("de"), es: inLanguage("es"), fr: inLanguage("fr") };
}
