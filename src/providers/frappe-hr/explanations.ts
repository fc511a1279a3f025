/** What is said of a sign-in that does not work. */
export const explanations = {
  notFrappe: "There is no Frappe HR or ERPNext at this address.",
  tooOld: "This site is too old to be read: it needs version 14 or newer.",
  other:
    "This is another site than the one that is connected. Please use the same address as before.",
  cut: "User permissions hide some records from the user of this key. Use the key of a user without user permissions.",
};
