/** How often each property is tried. Together they are at least 100,000 runs, which a test holds them to. */
export const propertyRuns = {
  modelIpv4: 20_000,
  modelIpv6: 20_000,
  modelLong: 200,
  bestFit: 15_000,
  blocksIpv4: 10_000,
  blocksIpv6: 10_000,
  history: 8_000,
  room: 8_000,
  usage: 8_000,
  sortedPairs: 60,
  rangeSets: 4_000,
  description: 6_000,
  drawing: 2_000,
} as const;
