import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";

const root = join(import.meta.dirname, "../..");

/** Files with a delay of their own, and why it is not a reconcile loop: those are run by `packages/controller`. */
const delays: Readonly<Record<string, string>> = {
  "apps/butler/src/deploy/chart-progress.ts": "polls during an installation, for its output",
  "apps/butler/src/served-kinds.ts": "waits for Butler's CRDs on a local engine",
  "apps/butler/src/server.ts": "drains connections before the process exits",
  "controllers/addons/src/jobs/release-jobs.ts": "time limit of a Helm process",
  "controllers/steward/src/data-store/store-connection.ts": "closes replaced connections after a grace period",
  "controllers/steward/src/sni-gateway/dial.ts": "time limit of a connection",
  "controllers/steward/src/sni-gateway/route-watch.ts": "gathers route changes of the gateway",
  "controllers/steward/src/sni-gateway/sni-gateway.ts": "drains connections, and samples metrics",
  "controllers/steward/src/sni-gateway/waiting-room.ts": "time limit of a handshake",
  "controllers/tenancy/src/admission/ledger/quota-ledger.ts": "retries a conflict within an admission request",
};

const products = globSync("{controllers,providers,apps/butler}/**/*.ts", {
  cwd: root,
  exclude: (path) => path.includes("node_modules"),
})
  .filter((path) => !/\.test\.ts$|\/testing\//.test(path))
  .sort();

/** The product files that contain the pattern. */
function filesWith(pattern: RegExp): string[] {
  return products.filter((path) => pattern.test(readFileSync(join(root, path), "utf8")));
}

describe("timers", () => {
  it("are not set by controllers, providers and roles themselves", () => {
    expect(products.length).toBeGreaterThan(300);
    // `socket.setTimeout` is a limit of Node's own.
    expect(filesWith(/(?<![.\w])set(Timeout|Interval|Immediate)\(|node:timers/)).toEqual([]);
  });

  it("are used through a clock for few purposes, none of which is a reconcile loop", () => {
    expect(filesWith(/\bsleep\(|[cC]lock\.after\(/)).toEqual(Object.keys(delays).sort());
  });
});
