import type { Recipe } from "../recipe.ts";

const moreRights = [
  "Numbers, dates of leaving, personal details and home addresses need the right to reports, too.",
  "Dependents need the right to administer benefits.",
];

/** Menus and buttons by their English names, which BambooHR's own help uses. */
export const keyRecipe: Recipe = {
  field: "key",
  title: "Where do I find the API key?",
  steps: [
    {
      text: "In BambooHR, click your picture or your name, at the bottom left or at the top right, and choose “API Keys” or “My Device & API Keys”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 7, look: "area" },
        { x: 0, y: 0, width: 2, height: 1, look: "text" },
        { x: 0, y: 1, width: 2, height: 1, look: "text" },
        { x: 0, y: 2, width: 2, height: 1, look: "text" },
        { x: 4, y: 0, width: 7, height: 1, look: "text" },
        { x: 4, y: 1, width: 10, height: 1, look: "text" },
        { x: 0, y: 6, width: 1, height: 1, look: "picture" },
        { x: 2, y: 3, width: 10, height: 4, look: "area" },
        { x: 2, y: 3, width: 6, height: 1, look: "text" },
        { x: 2, y: 4, width: 8, height: 1, look: "text" },
        { x: 2, y: 5, width: 10, height: 1, look: "text", label: "API Keys", isMarked: true },
        { x: 2, y: 6, width: 4, height: 1, look: "text" },
      ],
    },
    {
      text: "Click “Add New Key”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 6, height: 1, look: "text", label: "API Keys" },
        {
          x: 8,
          y: 0,
          width: 8,
          height: 1,
          look: "button",
          label: "Add New Key",
          isMarked: true,
        },
        { x: 0, y: 2, width: 12, height: 1, look: "text" },
        { x: 0, y: 3, width: 9, height: 1, look: "text" },
      ],
    },
    {
      text: "Type a name that you will know again, and click “Generate Key”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 1, y: 0, width: 6, height: 1, look: "text" },
        { x: 1, y: 1, width: 14, height: 1, look: "field" },
        {
          x: 1,
          y: 3,
          width: 8,
          height: 1,
          look: "button",
          label: "Generate Key",
          isMarked: true,
        },
        { x: 10, y: 3, width: 4, height: 1, look: "button" },
      ],
    },
    {
      text: "Copy the key at once, because BambooHR shows it only once, and paste it here.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 1, y: 0, width: 8, height: 1, look: "text" },
        { x: 1, y: 1, width: 14, height: 1, look: "field", label: "API key", isMarked: true },
        { x: 1, y: 3, width: 4, height: 1, look: "button" },
      ],
    },
  ],
  rights: [
    "The key has the rights of the user who makes it. If one is missing, the rest can still be read.",
    "Best is a user for this alone: an administrator makes an access level under “Settings”, “Access Levels”, with “View Only” for the data that this page names, adds a non-employee user to it, and makes the key as this user.",
    ...moreRights,
  ],
  ending: [
    "Open “API Keys” in the same way and delete the key. Administrators see all keys under “Settings”, “Account”, “API Management”.",
    "The key ends, too, when the user who made it is disabled.",
  ],
};

export const approvalRecipe: Recipe = {
  field: "companyDomain",
  title: "Where do I find the company domain?",
  steps: [
    {
      text: "Open BambooHR in your browser. The company domain is the part of the address before “.bamboohr.com”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 1, height: 1, look: "picture" },
        { x: 1, y: 0, width: 1, height: 1, look: "picture" },
        { x: 2, y: 0, width: 13, height: 1, look: "field" },
        { x: 3, y: 0, width: 5, height: 1, look: "text", label: "example", isMarked: true },
        { x: 8, y: 0, width: 7, height: 1, look: "text", label: ".bamboohr.com" },
        { x: 0, y: 2, width: 4, height: 1, look: "text" },
        { x: 5, y: 2, width: 10, height: 1, look: "text" },
        { x: 5, y: 3, width: 7, height: 1, look: "text" },
      ],
    },
    {
      text: "Type it here and continue. Then BambooHR asks you to sign in and to approve the access.",
    },
  ],
  rights: [
    "The access has the rights of the user who approves it. If one is missing, the rest can still be read.",
    ...moreRights,
  ],
  ending: ["Ask your BambooHR administrator to remove the access of the application."],
};
