/** What somebody reads whose access is not the one that is needed. */
export const explanations = {
  other:
    "This is another company than the one that is connected. Please use the same one as before.",
  person:
    "This access shows only what one person may see. Please sign in to Factorial as an administrator and approve it for the company.",
};
