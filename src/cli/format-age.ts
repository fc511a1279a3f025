const units: readonly [seconds: number, unit: string][] = [
  [86_400, "d"],
  [3_600, "h"],
  [60, "min"],
];

/** A length of time in its largest unit. */
export function formatAge(seconds: number): string {
  const [size, unit] = units.find(([least]) => seconds >= least) ?? [1, "s"];
  return `${Math.round(seconds / size)} ${unit}`;
}
