import { z } from "zod";

/**
 * How an end user finds what the form asks for, such as an API key. It unfolds on the page of the sign-in. Every
 * sentence is English text, and `texts` has it in other languages.
 */
export interface Recipe {
  /** The field of the form that it stands at. Without it, it stands before the button. */
  field?: string;
  /** The question that it answers, such as "Where do I find the API key?" */
  title: string;
  /** In their order; six at most. */
  steps: readonly RecipeStep[];
  /** Which rights the account or the key needs, a sentence for each; six at most. */
  rights?: readonly string[];
  /** How to end the access at the provider afterwards; six at most. */
  ending?: readonly string[];
}

interface RecipeStep {
  /** It says all that there is to do: not everybody sees the drawing. */
  text: string;
  /** Where on the provider's page it is done: boxes, those behind others first. One of them is marked. */
  drawing?: readonly DrawnBox[];
}

/** A box of a drawing that is 16 cells wide and at most 10 high. A cell is a little higher than wide. */
interface DrawnBox {
  /** Of its left upper corner, in whole cells, from 0. */
  x: number;
  y: number;
  width: number;
  height: number;
  look: DrawnLook;
  /** What stands on it there, such as the name of a menu. Without one it stands for anything. */
  label?: string;
  /** The one to click, to fill in or to copy. It has a label. */
  isMarked?: boolean;
}

const looks = ["area", "button", "field", "text", "picture"] as const;

/** `area` is a page, a menu or a dialog; `text` has no frame; `picture` is round. */
export type DrawnLook = (typeof looks)[number];

export const drawingCells = { width: 16, height: 10 };
const mostSteps = 6;
const mostSentences = 6;
const mostBoxes = 24;
const mostCharacters = { title: 100, sentence: 400, label: 60 };

const title = z.string().min(1).max(mostCharacters.title);
const sentence = z.string().min(1).max(mostCharacters.sentence);
const label = z.string().min(1).max(mostCharacters.label);

const box = z.object({
  x: z.int().min(0),
  y: z.int().min(0),
  width: z.int().min(1).max(drawingCells.width),
  height: z.int().min(1).max(drawingCells.height),
  look: z.enum(looks),
  label: label.exactOptional(),
  isMarked: z.boolean().exactOptional(),
});

const step = z.object({
  text: sentence,
  drawing: z.array(box).min(1).max(mostBoxes).readonly().exactOptional(),
});

/** A recipe, as data. */
export const recipeDeclaration = z.object({
  field: z.string().exactOptional(),
  title,
  steps: z.array(step).min(1).max(mostSteps).readonly(),
  rights: z.array(sentence).max(mostSentences).readonly().exactOptional(),
  ending: z.array(sentence).max(mostSentences).readonly().exactOptional(),
});

export type DeclaredRecipe = z.output<typeof recipeDeclaration>;
export type Drawing = NonNullable<DeclaredRecipe["steps"][number]["drawing"]>;

/** Each text of a recipe, with how long it and its translations may be. */
export function listRecipeTexts({
  title,
  steps,
  rights = [],
  ending = [],
}: Recipe): { text: string; most: number }[] {
  const sentences = [...steps.map(({ text }) => text), ...rights, ...ending];
  const labels = steps.flatMap(({ drawing = [] }) => drawing.flatMap((drawn) => drawn.label ?? []));
  return [
    { text: title, most: mostCharacters.title },
    ...sentences.map((text) => ({ text, most: mostCharacters.sentence })),
    ...labels.map((text) => ({ text, most: mostCharacters.label })),
  ];
}

/** The sentences of a provider in other languages, by the English ones. */
type Texts = Readonly<Record<string, Readonly<Record<string, string>> | undefined>>;

/** What is wrong with a recipe beside its form and texts; undefined when nothing is. */
export function describeRecipeMistake(
  recipe: DeclaredRecipe,
  { fields, texts }: { fields: readonly { name: string }[]; texts: Texts },
): string | undefined {
  const { field, steps } = recipe;
  if (field !== undefined && !fields.some(({ name }) => name === field))
    return `names the field ${field}, which the form does not have`;
  for (const [index, { drawing }] of steps.entries()) {
    const mistake = drawing && describeDrawingMistake(drawing);
    if (mistake) return `has a drawing at step ${index + 1} that ${mistake}`;
  }
  return describeTranslationMistake(recipe, texts);
}

function describeDrawingMistake(drawing: Drawing): string | undefined {
  const isOutside = drawing.some(
    ({ x, y, width, height }) => x + width > drawingCells.width || y + height > drawingCells.height,
  );
  if (isOutside)
    return `has a box outside of its ${drawingCells.width} by ${drawingCells.height} cells`;
  const [marked, ...others] = drawing.filter(({ isMarked }) => isMarked);
  if (!marked || others.length > 0) return "has to mark one box";
  return marked.label === undefined ? "marks a box without a label" : undefined;
}

function describeTranslationMistake(recipe: Recipe, texts: Texts): string | undefined {
  const listed = listRecipeTexts(recipe);
  for (const [language, translations = {}] of Object.entries(texts)) {
    const tooLong = listed.find(
      ({ text, most }) =>
        Object.hasOwn(translations, text) && (translations[text] ?? "").length > most,
    );
    if (tooLong)
      return `has a translation (${language}) of more than ${tooLong.most} characters: ${tooLong.text}`;
  }
  return undefined;
}
