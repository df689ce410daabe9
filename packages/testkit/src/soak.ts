/**
 * Long tests have two forms. `npm test` runs the short one: a modest number of runs with a fixed seed, so that it takes
 * seconds and failures are reproducible. `npm run soak -- NAME` runs the long one, with another seed each time, by
 * setting `BUTLER_SOAK=1`. They differ only in the amount of work: the requirements are the same.
 */
export function isSoak(): boolean {
  return process.env["BUTLER_SOAK"] === "1";
}

/** The number of runs, objects or milliseconds of a test, by its form. */
export function shortOrLong(short: number, long: number): number {
  return isSoak() ? long : short;
}
