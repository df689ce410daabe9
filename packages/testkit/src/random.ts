import { isSoak } from "./soak.ts";

/** A stream of seeded random numbers, so that a failing run can be reproduced (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = state;
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Arbitrary, but the same for everyone, so that failures are reproducible. */
const fixedSeed = 20_260_601;

/**
 * The seed of a run: `BUTLER_TEST_SEED` when set; else a new one for the long form of a test and a fixed one for the
 * short form. Print it, so that the run can be reproduced.
 */
export function chooseSeed(): number {
  const given = Number(process.env["BUTLER_TEST_SEED"]);
  if (Number.isInteger(given) && given > 0) return given;
  return isSoak() ? 1 + Math.floor(Math.random() * (2 ** 31 - 1)) : fixedSeed;
}
