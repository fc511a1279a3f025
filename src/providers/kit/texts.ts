import { locales, type Translation } from "../../model/index.ts";
import type { ProviderTexts } from "../contract.ts";

/** English sentences, each with what it is in other languages. */
type Sentences<Language extends Translation> = Readonly<
  Record<string, Readonly<Record<Language, string>>>
>;

/** What recipes say. In the languages that are not here, a recipe is shown in English. */
export type RecipeTexts = Sentences<Extract<Translation, "de" | "es" | "fr">>;

const translations = locales.filter((locale) => locale !== "en");

/** The `texts` of a built-in provider: what its forms say, and its recipes. */
export function textsOf(forms: Sentences<Translation>, recipes: RecipeTexts = {}): ProviderTexts {
  const sentences = Object.entries<Partial<Record<Translation, string>>>({ ...recipes, ...forms });
  return Object.fromEntries(
    translations.map((language) => [
      language,
      Object.fromEntries(
        sentences.flatMap(([sentence, { [language]: said }]) =>
          said === undefined ? [] : [[sentence, said]],
        ),
      ),
    ]),
  );
}
