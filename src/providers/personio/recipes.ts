import type { Recipe } from "../recipe.ts";

/** Names of menus as Personio has them in English. Of what is not known by name, the texts say what it is for. */
export const credentialsRecipe: Recipe = {
  field: "client_id",
  title: "Where do I find the client ID and the client secret?",
  steps: [
    {
      text: "Sign in to Personio as an administrator, open “Marketplace” and there “Connected integrations”. In an older Personio it is “Settings”, “Integrations”, “API credentials”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 0, y: 0, width: 16, height: 1, look: "text", label: "Marketplace" },
        { x: 0, y: 1, width: 5, height: 1, look: "text" },
        {
          x: 5,
          y: 1,
          width: 11,
          height: 1,
          look: "text",
          label: "Connected integrations",
          isMarked: true,
        },
        { x: 0, y: 3, width: 7, height: 1, look: "text" },
        { x: 0, y: 4, width: 5, height: 1, look: "text" },
      ],
    },
    {
      text: "Make new API credentials for this access alone, with a name that you will know again.",
    },
    {
      text: "Choose the rights to read, which stand below. No right to write is needed.",
    },
    {
      text: "Choose the attributes of employees that may be read, such as name, position and salary. Personio leaves out all others.",
    },
    {
      text: "Copy the client ID and the client secret before you leave the page, and paste both here. Each begins with “papi-”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 1, y: 0, width: 14, height: 1, look: "text", label: "Client ID" },
        {
          x: 1,
          y: 1,
          width: 14,
          height: 1,
          look: "field",
          label: "papi-",
          isMarked: true,
        },
        { x: 1, y: 3, width: 14, height: 1, look: "text", label: "Client secret" },
        { x: 1, y: 4, width: 14, height: 1, look: "field", label: "papi-" },
      ],
    },
  ],
  rights: [
    "Reading is enough for each right. If one is missing, the rest can still be read.",
    "People: employees, with the attributes that this page names.",
    "Pay from earlier years, and full or part time: compensations.",
    "Time off, and what is left of it: employees and absences.",
    "Hours worked: attendances.",
    "Company, departments, cost centres and work locations: legal entities, org units, cost centers and workplaces.",
  ],
  ending: [
    "Delete the credentials in the same place. They stay in Personio until you do, also when the access has been ended here.",
  ],
};
