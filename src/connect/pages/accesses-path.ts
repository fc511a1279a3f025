/** Where an end user begins to see who has access to an account. */
export const accessesPath = "/connect/accesses";
