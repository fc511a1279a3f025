/** What a person reads when the sign-in cannot go on, and the question that it may ask. */
export const explanations = {
  organisation: "Which organisation do you want to connect?",
  none: "No organisation was approved. Please continue to Xero again and choose the one to connect.",
  another:
    "This is another organisation than the one that is connected. Please approve the same one at Xero.",
  noRight:
    "You may not read the payroll of this organisation. Please approve as a user with the role of payroll administrator.",
};
