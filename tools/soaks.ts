import { glob, readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { repositoryRoot } from "./steps.ts";

/** The long form of tests that `npm test` runs briefly. */
export interface Soak {
  readonly name: string;
  readonly what: string;
  /** Approximate duration on a machine with two CPUs. */
  readonly minutes: number;
  /** Tests that are run in their long form. */
  readonly files: readonly string[] | "with properties";
  /** Benchmarks to run after the tests, each with name and arguments. */
  readonly benches?: readonly (readonly [string, ...string[]])[];
}

export const soaks: readonly Soak[] = [
  {
    name: "informer",
    what: "20,000 objects and 100,000 changes behind a fault-injecting proxy",
    minutes: 8,
    files: ["test/chaos/informer.cluster.test.ts"],
  },
  {
    name: "server-replicas",
    what: "two server replicas under load; one is killed every 20 s, 30 times",
    minutes: 12,
    files: ["test/e2e/server-replicas.cluster.test.ts"],
  },
  {
    name: "claims",
    what: "500 concurrent claims on a pool for 400, with two process crashes",
    minutes: 1,
    files: ["controllers/network/src/claims-at-once.cluster.test.ts"],
  },
  {
    name: "network-protocol",
    what: "20,000 schedules of address allocators, and 28,000 histories of load balancers",
    minutes: 8,
    files: [
      "controllers/network/src/protocol.properties.test.ts",
      "controllers/network/src/tenant-load-balancers/histories.properties.test.ts",
    ],
  },
  {
    name: "addon-histories",
    what: "600,000 histories of an add-on release",
    minutes: 2,
    files: ["controllers/addons/src/release/histories.properties.test.ts"],
  },
  {
    name: "ipam",
    what: "two million runs of the address allocator against models and invariants",
    minutes: 8,
    files: [
      "packages/ipam/src/address-space-invariants.test.ts",
      "packages/ipam/src/address-space-model.test.ts",
      "packages/ipam/src/describe-range.test.ts",
      "packages/ipam/src/draw-pool.test.ts",
      "packages/ipam/src/range-set.test.ts",
      "packages/ipam/src/sorted-pairs.test.ts",
      "packages/ipam/src/usage.test.ts",
    ],
  },
  {
    name: "hostile-archives",
    what: "20,000 chart archives with a changed byte, and hostile contents of repositories and releases",
    minutes: 2,
    files: [
      "packages/helm/src/fetch/check-archive.test.ts",
      "packages/helm/src/fetch/chart-index.test.ts",
      "packages/helm/src/fetch/hostile.test.ts",
      "packages/helm/src/decode/decode-release.test.ts",
    ],
  },
  {
    name: "properties",
    what: "every property test with a new seed, most with at least ten times the runs of npm test",
    minutes: 60,
    files: "with properties",
  },
  {
    name: "fleet",
    what: "the cost of each of 80 tenant clusters compared with the ten before, then the benchmark of 200 with simulated nodes",
    minutes: 20,
    files: ["controllers/tenancy/src/tenant-cluster/fleet.cluster.test.ts"],
    benches: [["fleet"]],
  },
  {
    name: "memory",
    what: "memory use of the server and of the console during ten minutes of changes each",
    minutes: 30,
    files: [],
    benches: [
      ["server", "--lists", "0", "--live", "600"],
      ["console", "--minutes", "10"],
    ],
  },
];

/** Seeds are positive and lower than this. */
export const mostSeed = 2 ** 31;

/** The requested soak. */
export interface SoakRequest {
  readonly soak: Soak;
  /** Random by default. */
  readonly seed?: number;
}

/** Undefined when the soak or the seed is invalid. */
export function parseSoakRequest(args: readonly string[]): SoakRequest | undefined {
  try {
    const { values, positionals } = parseArgs({
      args: [...args],
      options: { seed: { type: "string" } },
      allowPositionals: true,
    });
    const soak = soaks.find(({ name }) => name === positionals[0]);
    if (soak === undefined || positionals.length > 1) return undefined;
    if (values.seed === undefined) return { soak };
    const seed = Number(values.seed);
    return Number.isInteger(seed) && seed > 0 && seed < mostSeed ? { soak, seed } : undefined;
  } catch {
    // An unknown flag.
    return undefined;
  }
}

/** All names, each with its description and duration. */
export function listSoaks(): string {
  const width = Math.max(...soaks.map(({ name }) => name.length));
  return soaks
    .map(({ name, what, minutes }) => `  ${name.padEnd(width)}  ${String(minutes).padStart(2)} min  ${what}`)
    .join("\n");
}

/** The test files of a soak, relative to the repository. */
export async function filesOf({ files }: Soak): Promise<readonly string[]> {
  return files === "with properties" ? filesWithProperties() : files;
}

async function filesWithProperties(): Promise<string[]> {
  const pattern = "{apps,controllers,engine,packages,providers,test,tools}/**/*.test.{ts,tsx}";
  const found: string[] = [];
  for await (const path of glob(pattern, { cwd: repositoryRoot, exclude: ["**/node_modules/**"] })) {
    const text = await readFile(join(repositoryRoot, path), "utf8");
    if (text.includes('from "fast-check"')) found.push(path);
  }
  return found.sort();
}
