import type { Translation } from "../../model/index.ts";

type Sentences<Sentence extends string> = Readonly<Record<Sentence, string>>;

/** The languages of recipes. In each other one a recipe is shown in English. */
type RecipeTranslation = Extract<Translation, "de" | "es" | "fr">;

/** The `texts` of a built-in provider: what its forms say, the same sentences in each language, and its recipes. */
export function textsOf<Sentence extends string, RecipeSentence extends string>(
  forms: Readonly<Record<Translation, Sentences<Sentence>>>,
  recipes?: Readonly<Record<RecipeTranslation, Sentences<RecipeSentence>>>,
): Readonly<Record<Translation, Readonly<Record<string, string>>>> {
  if (!recipes) return forms;
  const { de, es, fr, ...others } = forms;
  return {
    ...others,
    de: { ...recipes.de, ...de },
    es: { ...recipes.es, ...es },
    fr: { ...recipes.fr, ...fr },
  };
}
