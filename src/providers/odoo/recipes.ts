import type { Recipe } from "../recipe.ts";

const rights = [
  "Your rights in Odoo decide what can be read. Your Odoo administrator sets them under “Settings”, “Users”. If one is missing, the rest can still be read.",
  "Employees with contracts and pay: “Administrator” for “Employees”.",
  "Time off: “Officer: Manage all requests” for “Time Off”.",
  "Hours worked: “Officer: Manage all attendances” for “Attendances”, or “Administrator” for “Timesheets”.",
];

/** Menus and buttons as Odoo 19 has them, in the languages of Odoo itself. */
export const keyRecipe: Recipe = {
  field: "key",
  title: "Where do I find the API key?",
  steps: [
    {
      text: "In Odoo, click your picture at the top right and choose “My Preferences”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 6, look: "area" },
        { x: 0, y: 0, width: 3, height: 1, look: "text" },
        { x: 3, y: 0, width: 3, height: 1, look: "text" },
        { x: 15, y: 0, width: 1, height: 1, look: "picture" },
        { x: 6, y: 1, width: 10, height: 4, look: "area" },
        { x: 6, y: 1, width: 6, height: 1, look: "text" },
        {
          x: 6,
          y: 2,
          width: 10,
          height: 1,
          look: "text",
          label: "My Preferences",
          isMarked: true,
        },
        { x: 6, y: 3, width: 7, height: 1, look: "text" },
        { x: 6, y: 4, width: 4, height: 1, look: "text" },
      ],
    },
    {
      text: "Open the “Security” tab.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 6, height: 1, look: "text", label: "Preferences" },
        { x: 6, y: 0, width: 5, height: 1, look: "text", label: "Calendar" },
        { x: 11, y: 0, width: 5, height: 1, look: "text", label: "Security", isMarked: true },
        { x: 0, y: 1, width: 5, height: 1, look: "text" },
        { x: 0, y: 2, width: 8, height: 1, look: "text" },
        { x: 0, y: 3, width: 4, height: 1, look: "text" },
      ],
    },
    {
      text: "Under “API Keys”, click “Add API Key”, and confirm with your password if Odoo asks for it.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 5, height: 1, look: "text" },
        { x: 6, y: 0, width: 7, height: 1, look: "button" },
        { x: 0, y: 2, width: 6, height: 1, look: "text", label: "API Keys" },
        {
          x: 6,
          y: 2,
          width: 10,
          height: 1,
          look: "button",
          label: "Add API Key",
          isMarked: true,
        },
      ],
    },
    {
      text: "Type a name that you will know again, and choose the longest duration: when it is over, you have to sign in here again with a new key. Click “Generate key”.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 6, look: "area" },
        { x: 1, y: 0, width: 6, height: 1, look: "text" },
        { x: 1, y: 1, width: 14, height: 1, look: "field" },
        { x: 1, y: 2, width: 5, height: 1, look: "text", label: "Duration" },
        { x: 6, y: 2, width: 9, height: 1, look: "field" },
        {
          x: 1,
          y: 4,
          width: 9,
          height: 1,
          look: "button",
          label: "Generate key",
          isMarked: true,
        },
        { x: 11, y: 4, width: 4, height: 1, look: "button" },
      ],
    },
    {
      text: "Copy the key at once, because Odoo shows it only once, and paste it here.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 1, y: 0, width: 8, height: 1, look: "text" },
        { x: 1, y: 1, width: 14, height: 1, look: "field", label: "API key", isMarked: true },
        { x: 1, y: 3, width: 4, height: 1, look: "button" },
      ],
    },
  ],
  rights,
  ending: [
    "In “My Preferences”, “Security”, click “Delete” beside the key. From then on nothing can be read with it.",
  ],
};

export const passwordRecipe: Recipe = {
  field: "password",
  title: "Where do I find my address and password?",
  steps: [
    {
      text: "Open Odoo in your browser. The address of your Odoo is the beginning of what the address bar shows.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 1, height: 1, look: "picture" },
        { x: 1, y: 0, width: 1, height: 1, look: "picture" },
        {
          x: 2,
          y: 0,
          width: 13,
          height: 1,
          look: "field",
          label: "https://example.odoo.com",
          isMarked: true,
        },
        { x: 0, y: 2, width: 4, height: 1, look: "text" },
        { x: 5, y: 2, width: 10, height: 1, look: "text" },
        { x: 5, y: 3, width: 7, height: 1, look: "text" },
      ],
    },
    {
      text: "Your email and password are those that you sign in to Odoo with. If you have forgotten the password, click “Reset Password” on the sign-in page of Odoo.",
      drawing: [
        { x: 1, y: 0, width: 14, height: 5, look: "area" },
        { x: 2, y: 0, width: 12, height: 1, look: "field", label: "Email" },
        { x: 2, y: 1, width: 12, height: 1, look: "field", label: "Password" },
        { x: 2, y: 2, width: 12, height: 1, look: "button" },
        {
          x: 2,
          y: 4,
          width: 12,
          height: 1,
          look: "text",
          label: "Reset Password",
          isMarked: true,
        },
      ],
    },
    {
      text: "If you sign in to Odoo by Odoo.com, Google or Microsoft, you have no password there yet. Your Odoo administrator opens your user under “Settings”, “Users”, and chooses “Change Password” in the menu at the gear.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 6, look: "area" },
        { x: 0, y: 0, width: 6, height: 1, look: "text", label: "Users" },
        { x: 6, y: 0, width: 1, height: 1, look: "picture" },
        { x: 0, y: 2, width: 5, height: 1, look: "text" },
        { x: 0, y: 3, width: 4, height: 1, look: "text" },
        { x: 6, y: 1, width: 10, height: 4, look: "area" },
        { x: 6, y: 1, width: 6, height: 1, look: "text" },
        { x: 6, y: 2, width: 4, height: 1, look: "text" },
        {
          x: 6,
          y: 3,
          width: 10,
          height: 1,
          look: "text",
          label: "Change Password",
          isMarked: true,
        },
        { x: 6, y: 4, width: 7, height: 1, look: "text" },
      ],
    },
  ],
  rights: [...rights, "Pay runs and payslips: “Administrator” for “Payroll”."],
  ending: [
    "Change your password in Odoo, in “My Preferences”, “Security” (before version 19: “Preferences” or “My Profile”, “Account Security”).",
  ],
};
