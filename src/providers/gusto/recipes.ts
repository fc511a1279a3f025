import type { Recipe } from "../recipe.ts";

/** Nothing is typed here, but who is not an administrator would go to Gusto and back for nothing. */
export const approvalRecipe: Recipe = {
  title: "What do I need in Gusto?",
  steps: [
    {
      text: "You need to be the primary administrator of the company in Gusto, or an administrator with full access. The login of an accountant is not enough.",
    },
    { text: "Continue here, and sign in on Gusto’s own page." },
    {
      text: "If you manage several companies, choose the one to connect. Then approve the access.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 1, y: 0, width: 12, height: 1, look: "text" },
        { x: 1, y: 1, width: 14, height: 1, look: "field", label: "Example Inc.", isMarked: true },
        { x: 1, y: 3, width: 7, height: 1, look: "button" },
        { x: 9, y: 3, width: 5, height: 1, look: "button" },
      ],
    },
  ],
  rights: ["One access reads one company. To connect another one, come here once more."],
  ending: [
    "Gusto lists the apps that are connected to the company. Remove this one there, at any time.",
  ],
};
