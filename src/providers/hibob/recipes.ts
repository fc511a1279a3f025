import type { Recipe } from "../recipe.ts";

export const keyRecipe: Recipe = {
  field: "token",
  title: "Where do I get the ID and the token?",
  steps: [
    {
      text: "Sign in to Bob as an administrator. Open “System settings”, then “Integrations”, and “Service users” under “Automation”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 5, look: "area" },
        { x: 0, y: 0, width: 4, height: 1, look: "text" },
        { x: 0, y: 1, width: 5, height: 1, look: "text" },
        { x: 7, y: 1, width: 8, height: 3, look: "area" },
        { x: 7, y: 1, width: 8, height: 1, look: "text", label: "Service users", isMarked: true },
      ],
    },
    {
      text: "Choose “New service user” and type a name. Copy the ID and the token at once: the token is not shown again.",
    },
    {
      text: "Open “Permission groups” in the settings, make a group, and add the service user to it. A new service user may see nothing.",
    },
    {
      text: "Under “Access data for” choose “Everyone”, and take away the condition that the lifecycle status is Employed: it hides who has left, who will begin and who is away.",
    },
    { text: "Paste the ID and the token here." },
  ],
  rights: [
    "People’s data: view Basic info, About, Work, Employment, Lifecycle, Personal, Personal contact details, Address, Home, Identification, EEO, Emergency contact and Payroll, and the histories of Work, Employment, Lifecycle and Payroll.",
    "Time off: see who is out, private policies, requests that wait, and balances.",
    "Balances need “Manage” of the time off settings, and working times “Manage time attendance sheets”. Both allow changes too. Only what you agree to here is read.",
  ],
  ending: [
    "Open “Service users” in the same way and delete the service user. Its token works until then.",
  ],
};
