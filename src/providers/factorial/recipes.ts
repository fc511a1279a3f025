import type { Recipe } from "../recipe.ts";

export const keyRecipe: Recipe = {
  field: "key",
  title: "Where do I find the API key?",
  steps: [
    {
      text: "Sign in to Factorial as an administrator, open “Configuration” and choose “API”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 4, height: 1, look: "text" },
        { x: 0, y: 2, width: 6, height: 1, look: "text", label: "Configuration" },
        { x: 7, y: 2, width: 3, height: 1, look: "text", label: "API", isMarked: true },
      ],
    },
    {
      text: "Make a key for this alone, so that it can be deleted alone. Copy it and paste it here.",
    },
  ],
  rights: [
    "A key can read and change everything in the company. Factorial has none that may do less; only what you agree to here is read.",
  ],
  ending: [
    "Delete the key on the same page. Until then it works, also when the access has been ended here.",
  ],
};

/** Nothing is typed here. Who is no administrator would go to Factorial and back for nothing. */
export const approvalRecipe: Recipe = {
  title: "What do I need in Factorial?",
  steps: [
    {
      text: "Continue here. Sign in on Factorial’s own page as an administrator, and approve the access for the company.",
    },
  ],
  rights: [
    "The access is the company’s: it goes on when you leave. Only what you agree to here is read.",
  ],
  ending: [
    "When the access is ended here, Factorial is told, unless another access reads the same company.",
  ],
};
