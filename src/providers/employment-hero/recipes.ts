import type { Recipe } from "../recipe.ts";

export const keyRecipe: Recipe = {
  field: "key",
  title: "Where do I find the API key?",
  steps: [
    {
      text: "Choose whose key it is: it can do all that its user can. The user needs full access to the business.",
    },
    {
      text: "Sign in to the payroll as this user, click the name at the top right and choose “My Account”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 15, y: 0, width: 1, height: 1, look: "picture" },
        { x: 8, y: 1, width: 8, height: 2, look: "area" },
        { x: 8, y: 1, width: 8, height: 1, look: "text", label: "My Account", isMarked: true },
      ],
    },
    {
      text: "Click “Generate API Key”, and copy the key. If the user has one already, ask who uses it first: a new key ends it.",
    },
    {
      text: "Paste it here. If it reaches several businesses, you are asked which one to connect. The others are not read.",
    },
  ],
  rights: [
    "Full access to the business. Of a user who sees only some of the people, no people are read.",
  ],
  ending: [
    "Click “Change API Key” on the same page. Until then the key works, also when the access has been ended here.",
  ],
};
