/**
 * What unfolds at the form: where a person finds the company's name. A drawing is a list of boxes in 16 columns, and
 * one of them is marked.
 * @type {import("@rollcall/provider").Recipe}
 */
export const recipe = {
  field: "company",
  title: "Where do I find the company name?",
  steps: [
    {
      text: "Open StaffDir in your browser. The name is the first part of the address.",
      drawing: [
        { x: 0, y: 0, width: 16, height: 4, look: "area" },
        { x: 0, y: 0, width: 1, height: 1, look: "picture" },
        { x: 1, y: 0, width: 15, height: 1, look: "field" },
        { x: 2, y: 0, width: 5, height: 1, look: "text", label: "lindgren", isMarked: true },
        { x: 7, y: 0, width: 8, height: 1, look: "text", label: ".staffdir.example" },
        { x: 1, y: 2, width: 9, height: 1, look: "text" },
      ],
    },
    { text: "Type it here, with your work email and the password that you use there." },
  ],
  rights: ["Dates of birth and tax numbers are read with an administrator’s account alone."],
  ending: ["Change your password in StaffDir, under “My account”."],
};
