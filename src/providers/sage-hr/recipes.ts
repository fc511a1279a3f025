import type { Recipe } from "../recipe.ts";

/** Menus by their English names, which Sage HR's own help uses. */
export const keyRecipe: Recipe = {
  field: "key",
  title: "Where do I find the API key?",
  steps: [
    {
      text: "Sign in to Sage HR as an administrator. Best is one for this alone: the key ends when its user is no administrator any more.",
    },
    {
      text: "Click your name at the top right, and choose “Settings”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 0, y: 0, width: 5, height: 1, look: "text" },
        { x: 15, y: 0, width: 1, height: 1, look: "picture" },
        { x: 9, y: 1, width: 7, height: 3, look: "area" },
        { x: 9, y: 1, width: 5, height: 1, look: "text" },
        { x: 9, y: 2, width: 7, height: 1, look: "text", label: "Settings", isMarked: true },
        { x: 9, y: 3, width: 4, height: 1, look: "text" },
      ],
    },
    {
      text: "Open “Integrations”, then “API”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 0, y: 0, width: 4, height: 1, look: "text" },
        { x: 0, y: 1, width: 5, height: 1, look: "text" },
        { x: 0, y: 2, width: 6, height: 1, look: "text", label: "Integrations" },
        { x: 0, y: 3, width: 4, height: 1, look: "text" },
        { x: 8, y: 1, width: 3, height: 1, look: "text", label: "API", isMarked: true },
        { x: 8, y: 2, width: 7, height: 1, look: "text" },
      ],
    },
    {
      text: "Choose “Enable API access” if it is off. Do not switch it off and on again: that makes new keys for everybody, and what uses the old ones stops.",
    },
    {
      text: "Copy the key and paste it here.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 1, y: 0, width: 8, height: 1, look: "text", label: "Enable API access" },
        { x: 1, y: 2, width: 14, height: 1, look: "field", label: "API key", isMarked: true },
      ],
    },
  ],
  rights: [
    "The key of an administrator can read and change everything in the account. Sage HR has none that may do less; only what you agree to here is read.",
  ],
  ending: [
    "Open “API” in the same way and switch the access off. This ends the keys of everybody in the account.",
    "The key ends, too, when its user is no administrator any more.",
  ],
};
