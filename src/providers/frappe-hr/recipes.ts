import type { Recipe } from "../recipe.ts";

export const keyRecipe: Recipe = {
  field: "key",
  title: "Where do I find the API key?",
  steps: [
    {
      text: "Use a user made for this alone, who is no employee. An administrator of the site (System Manager) can make one under “User”.",
    },
    {
      text: "Search for “User” at the top of the page, open this user, and click the tab “Settings”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 4, y: 0, width: 8, height: 1, look: "field" },
        { x: 0, y: 2, width: 4, height: 1, look: "text" },
        { x: 9, y: 2, width: 5, height: 1, look: "text", label: "Settings", isMarked: true },
      ],
    },
    {
      text: "Under “API Access”, click “Generate Keys”. Copy the secret at once, then the key. New keys end those that the user had before.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 6, height: 1, look: "text" },
        {
          x: 0,
          y: 2,
          width: 8,
          height: 1,
          look: "button",
          label: "Generate Keys",
          isMarked: true,
        },
      ],
    },
  ],
  rights: [
    "The roles “HR Manager” and “HR User”. The key can do all that its user can, and write too; only what you agree to here is read.",
    "No “User Permissions”: they hide records without a sign of it, so nothing is read with them.",
  ],
  ending: [
    "Switch the user off, or click “Generate Keys” again. Until then the key works, also when the access has been ended here.",
  ],
};
