/** Stands in every text that must be found nowhere afterwards. Letters and digits only, so that no common encoding but a whole one changes it. */
export const markerCore = "QZ7PXW4KV";

/** A text that says what it is, for whoever finds it where it must not be. */
export function mark(name: string): string {
  return `${markerCore}-${name}`;
}

/** Personal values that cannot hold the marker, because they are dates or numbers. None of them is in anything else. */
export const plainMarkers = {
  dateOfBirth: "1913-07-29",
  startDate: "1931-11-17",
  payRate: "7391846.25",
  grossPay: "918273645",
} as const;
