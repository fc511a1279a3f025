/** What a person reads when the sign-in cannot go on. */
export const explanations = {
  none: "No company was approved. Please continue to Gusto again and choose the one to connect.",
  another:
    "This is another company than the one that is connected. Please choose the same one at Gusto.",
  noRight:
    "Nothing of this company may be read. Please approve as its primary administrator, or as one with full access.",
};
