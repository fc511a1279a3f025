/** What a person reads at a field of the form. */
export const explanations = {
  another:
    "These credentials are not known to belong to the company that is connected. Please use the client ID of before, or credentials that may read its legal entities.",
};
