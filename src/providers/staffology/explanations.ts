/** What a person reads at a field of the form. */
export const explanations = {
  noEmployer:
    "This key reaches no employer in Staffology. Use the key of a user who may see the employer.",
  otherEmployer:
    "This key does not reach the employer that was connected before. Use the key of a user who may see it.",
};
