import { shortOrLong } from "@butler/testkit/soak";

const times = shortOrLong(1, 20);

/** Number of runs of each property. A test checks that the total is at least 100,000. */
export const propertyRuns = {
  modelIpv4: 20_000 * times,
  modelIpv6: 20_000 * times,
  modelLong: 200 * times,
  bestFit: 15_000 * times,
  blocksIpv4: 10_000 * times,
  blocksIpv6: 10_000 * times,
  history: 8_000 * times,
  room: 8_000 * times,
  usage: 8_000 * times,
  sortedPairs: 60 * times,
  rangeSets: 4_000 * times,
  description: 6_000 * times,
  drawing: 2_000 * times,
};
