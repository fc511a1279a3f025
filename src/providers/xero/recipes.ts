import type { Recipe } from "../recipe.ts";

/**
 * Nothing is typed here. Without the role of Xero's payroll, though, the whole way to Xero and back is for nothing, so
 * it stands here before the way begins.
 */
export const approvalRecipe: Recipe = {
  title: "What do I need in Xero?",
  steps: [
    {
      text: "You need a user of the organisation with the role “Standard” or “Adviser” who is payroll administrator too. Whoever manages the users of your Xero can tell and change it.",
    },
    {
      text: "Continue here. Sign in on Xero’s own page, as this user.",
    },
    {
      text: "Choose the organisation whose payroll is to be read, and approve the access.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 1, y: 0, width: 1, height: 1, look: "picture" },
        { x: 3, y: 0, width: 9, height: 1, look: "text" },
        { x: 1, y: 1, width: 12, height: 1, look: "text" },
        { x: 1, y: 2, width: 14, height: 1, look: "field", label: "Example Ltd", isMarked: true },
        { x: 1, y: 4, width: 7, height: 1, look: "button" },
        { x: 9, y: 4, width: 5, height: 1, look: "button" },
      ],
    },
    {
      text: "Xero leads you back here. If several organisations were approved, you are asked which one to connect. The others are not read.",
    },
  ],
  rights: [
    "The access has the rights of the user who approves it. If one is missing, the rest can still be read.",
    "Payroll has to be set up in Xero, for an organisation in the United Kingdom, New Zealand or Australia. Of one in another country, only the company can be read.",
  ],
  ending: [
    "Xero lists the apps that are connected to the organisation. Disconnect this one there, at any time.",
    "When the access is ended here, it ends in Xero by itself, unless another access reads the same organisation by your approval.",
  ],
};
