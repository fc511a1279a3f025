import type { Recipe } from "../recipe.ts";

/** Staffology's names of its menus are not known for sure, so the texts say what they are for. */
export const keyRecipe: Recipe = {
  field: "key",
  title: "Where do I find the API key?",
  steps: [
    {
      text: "Decide whose key it is: it can do all that its user can, and write too. Best is a user for this alone, whose role may only look.",
    },
    {
      text: "Sign in to Staffology as this user, and open the settings of the account: those of the user, not those of an employer.",
    },
    {
      text: "Make a new API key there, with a name that you will know again.",
    },
    {
      text: "Copy the key and paste it here.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 1, y: 0, width: 8, height: 1, look: "text" },
        { x: 1, y: 1, width: 14, height: 1, look: "field", label: "API key", isMarked: true },
        { x: 1, y: 3, width: 4, height: 1, look: "button" },
      ],
    },
    {
      text: "If the key reaches several employers, as that of a payroll bureau does, you are asked next which one to connect. The others are not read.",
    },
  ],
  rights: [
    "The key has the role of its user at the employer. If a right is missing, the rest can still be read.",
    "People and time off: see all employees of the employer. If the role may not see one of them, people are not read at all.",
    "Pay runs and payslips: see pay schedules and pay runs.",
    "Departments: see departments and cost centres.",
  ],
  ending: [
    "Delete the key in the settings of the account. It stays in Staffology until you do, also when the access has been ended here.",
  ],
};
