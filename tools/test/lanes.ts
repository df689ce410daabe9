// Assigns engine tests to engines. The files of a lane run one after another in one process, in this order, and share
// what they start; lanes run in parallel.

/** A lane: the name of its project, and its files in order. */
export interface Lane {
  readonly name: string;
  readonly files: readonly string[];
  /** Runs exclusively: its tests measure latencies, which others would affect. */
  readonly isAlone?: boolean;
  /** Leaves its engine to the exclusive lane. */
  readonly keepsEngine?: boolean;
}

export const engineLanes: readonly Lane[] = [
  {
    // Starts and ends with an empty machine: the only way to test every command of `butleradm`.
    name: "installer",
    files: ["test/e2e/butleradm.engine.test.ts"],
  },
  {
    // The platform under upgrades, crashes of its API server and kills of its controllers.
    name: "upgrades",
    files: [
      "test/e2e/tenants-at-once.engine.test.ts",
      "test/e2e/tenant-upgrade.engine.test.ts",
      "test/e2e/steward-upgrade.engine.test.ts",
      "test/e2e/addons.engine.test.ts",
    ],
  },
  {
    // The installed platform, as used by users.
    name: "platform",
    files: [
      "test/e2e/steward.engine.test.ts",
      "test/e2e/tenant-cluster.engine.test.ts",
      "test/e2e/example-cluster.engine.test.ts",
      "test/e2e/cli.engine.test.ts",
    ],
    keepsEngine: true,
  },
  {
    // Uses the engine of the previous lane.
    name: "measured",
    files: ["test/e2e/server.engine.test.ts", "test/e2e/console.engine.test.ts"],
    isAlone: true,
  },
  {
    // An engine without the platform, for its components.
    name: "bare",
    files: [
      "packages/helm/src/run/helm.engine.test.ts",
      "controllers/steward/src/data-store/etcd-pods.engine.test.ts",
      "controllers/steward/src/tenant-control-plane/on-engine.engine.test.ts",
      "test/e2e/local-workers.engine.test.ts",
      "engine/src/cluster-api/cluster-api.engine.test.ts",
      "apps/butler/src/deploy/butler-image.engine.test.ts",
    ],
  },
  {
    // How engines start, fail, are interrupted and stop: each file creates its own engine.
    name: "faults",
    files: [
      "engine/src/node/local-engine.engine.test.ts",
      "engine/src/node/faults-interrupted.engine.test.ts",
      "engine/src/node/faults-cache.engine.test.ts",
      "engine/src/node/certificate-renewal.engine.test.ts",
      "engine/src/node/faults-machine.engine.test.ts",
      "engine/src/node/faults-network.engine.test.ts",
    ],
  },
];

/** The position of a file in its lane; files without a lane come last. */
export function placeInLane(path: string): number {
  const at = engineLanes.flatMap(({ files }) => files).findIndex((file) => path.endsWith(`/${file}`));
  return at === -1 ? Number.POSITIVE_INFINITY : at;
}
