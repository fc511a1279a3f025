/**
 * Part of every text that must not be found afterwards. Only letters and digits, so that escaping
 * does not change it.
 */
export const markerCore = "QZ7PXW4KV";

/** A text with the marker. The name tells where a find comes from. */
export function mark(name: string): string {
  return `${markerCore}-${name}`;
}

/**
 * Personal values that cannot contain the marker, because they are dates or numbers. Nothing else
 * equals them.
 */
export const plainMarkers = {
  dateOfBirth: "1913-07-29",
  startDate: "1931-11-17",
  payRate: "7391846.25",
  grossPay: "918273645",
} as const;
