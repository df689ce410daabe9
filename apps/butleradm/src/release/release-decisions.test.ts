import type { Release } from "@butler/helm";
import { deepFreeze } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { worstOf } from "../platform/check-result.ts";
import { kindsIn } from "./chart-kinds.ts";
import { helmMajor } from "./helm-access.ts";
import { planUpgrade } from "./plan-upgrade.ts";
import { preflight, type PreflightFacts } from "./preflight.ts";
import { imageOf, wantedProcesses } from "./read-preflight.ts";

const good: PreflightFacts = deepFreeze({
  kubernetes: "v1.35.2",
  kubernetesRange: ">=1.30.0-0",
  namespace: { name: "butler-system", state: "absent", enforced: undefined },
  kinds: [],
  missingRights: [],
  otherReleases: [],
  image: "ghcr.io/butlerdotdev/butler:v0.1.0",
  nodeImages: [],
  readyNodes: 3,
  hasDefaultStorageClass: true,
  needsDefaultStorageClass: true,
  hasClusterApi: true,
  wantedProcesses: 4,
});

const foreign = { release: "other", namespace: "elsewhere" };
const own = { release: "butler", namespace: "butler-system" };

describe("preflight", () => {
  it("reports no problems for a suitable cluster", () => {
    expect(worstOf(preflight(good))).toBe("ok");
  });

  it.each<[string, Partial<PreflightFacts>, string, "warning" | "fault" | "ok", RegExp]>([
    ["an old Kubernetes", { kubernetes: "v1.29.8" }, "kubernetes", "fault", /requires >=1\.30/],
    ["a Kubernetes of a vendor", { kubernetes: "v1.30.4+k3s1" }, "kubernetes", "ok", /k3s1/],
    ["an invalid version", { kubernetes: "unknown" }, "kubernetes", "fault", /unknown/],
    [
      "missing rights",
      { missingRights: ["create clusterroles"] },
      "rights",
      "fault",
      /missing permissions: create clusterroles/,
    ],
    [
      "another Butler",
      { otherReleases: [foreign] },
      "installation",
      "fault",
      /already installed in the namespace elsewhere/,
    ],
    [
      "a namespace that is being deleted",
      { namespace: { ...good.namespace, state: "terminating" } },
      "namespace",
      "fault",
      /deleted/,
    ],
    [
      "a lax namespace",
      { namespace: { name: "x", state: "there", enforced: "baseline" } },
      "namespace",
      "warning",
      /baseline/,
    ],
    [
      "kinds of another release",
      { kinds: [{ name: "teams.x", owner: foreign }] },
      "kinds",
      "fault",
      /CRDs owned by Helm release other in namespace elsewhere: teams\.x/,
    ],
    ["kinds of its own", { kinds: [{ name: "teams.x", owner: own }] }, "kinds", "ok", /belong to this release/],
    [
      "kinds without an owner",
      { kinds: [{ name: "teams.x", owner: undefined }] },
      "kinds",
      "warning",
      /will adopt them/,
    ],
    ["no node", { readyNodes: 0 }, "nodes", "fault", /no node/],
    ["no node when none is needed", { readyNodes: 0, wantedProcesses: 0 }, "nodes", "warning", /no node/],
    ["an image without tag", { image: "ghcr.io/x" }, "image", "fault", /not a valid image reference/],
    ["an image by its digest", { image: `r.io:5000/x@sha256:${"a".repeat(64)}` }, "image", "ok", /r\.io/],
    ["no volumes", { hasDefaultStorageClass: false }, "storage", "warning", /StorageClass/],
    [
      "no volumes when none are needed",
      { hasDefaultStorageClass: false, needsDefaultStorageClass: false },
      "storage",
      "ok",
      /volumes/,
    ],
    ["no Cluster API", { hasClusterApi: false }, "cluster-api", "warning", /Cluster API/],
  ])("%s", (_name, further, check, severity, says) => {
    const found = preflight({ ...good, ...further }).find((each) => each.check === check);
    expect(found).toMatchObject({ severity, says: expect.stringMatching(says) as string });
    expect(found?.remedy === undefined).toBe(severity === "ok");
  });
});

function aRelease(revision: number, version: string, status: Release["status"]): Release {
  const chart = { name: "butler", version, appVersion: version };
  const moment = "2026-11-16T02:00:00Z";
  const rest = { description: "", firstDeployed: moment, lastDeployed: moment, values: {}, manifest: "" };
  return { name: "butler", namespace: "butler-system", revision, status, chart, ...rest };
}

describe("planUpgrade", () => {
  const plan = (history: readonly Release[], toVersion: string, minutesLater = 60) =>
    planUpgrade({
      namespace: "butler-system",
      history,
      toVersion,
      nowMs: Date.parse("2026-11-16T02:00:00Z") + minutesLater * 60_000,
      leftoverAfterMs: 10 * 60_000,
    });

  it("starts from the deployed revision, whatever failed since", () => {
    const history = [
      aRelease(1, "0.1.0", "superseded"),
      aRelease(2, "0.1.0", "deployed"),
      aRelease(3, "0.2.0", "failed"),
    ];
    expect(plan(history, "0.2.0")).toMatchObject({ from: { revision: 2 }, fromVersion: "0.1.0", isSameVersion: false });
    expect(plan(history, "0.1.0")).toMatchObject({ isSameVersion: true });
  });

  it.each([
    ["nothing is installed", [], "0.2.0", "NOT_FOUND"],
    ["nothing is deployed", [aRelease(1, "0.1.0", "failed")], "0.2.0", "NOT_FOUND"],
    ["the version is older", [aRelease(1, "0.2.0", "deployed")], "0.1.9", "FORBIDDEN"],
    ["the version is a prerelease of the current one", [aRelease(1, "0.2.0", "deployed")], "0.2.0-rc.1", "FORBIDDEN"],
  ] as const)("fails when %s", (_name, history, to, code) => {
    expect(() => plan(history, to)).toThrow(expect.objectContaining({ code }) as Error);
  });

  it("waits for a concurrent operation until it counts as interrupted", () => {
    const history = [aRelease(1, "0.1.0", "deployed"), aRelease(2, "0.2.0", "pending-upgrade")];
    expect(() => plan(history, "0.2.0", 1)).toThrow(expect.objectContaining({ code: "CONFLICT" }) as Error);
    expect(plan(history, "0.2.0", 30).from.revision).toBe(1);
  });

  it("never downgrades", () => {
    const version = fc.tuple(fc.nat(3), fc.nat(3), fc.nat(3));
    fc.assert(
      fc.property(version, version, (from, to) => {
        const isOlder = to.join("").localeCompare(from.join("")) < 0;
        const attempt = () => plan([aRelease(1, from.join("."), "deployed")], to.join("."));
        if (isOlder) expect(attempt).toThrow();
        else expect(attempt().toVersion).toBe(to.join("."));
      }),
    );
  });
});

describe("facts from a chart", () => {
  const chart = { path: "/chart", metadata: { name: "butler", version: "1.2.3", appVersion: "1.2.4" }, values: {} };

  it.each([
    [{ repository: "r/b", tag: "", digest: "" }, "r/b:v1.2.4"],
    [{ repository: "r/b", tag: "x", digest: "" }, "r/b:x"],
    [{ repository: "r/b", tag: "x", digest: "sha256:1" }, "r/b@sha256:1"],
  ])("the image of %j is %s", (image, name) => {
    expect(imageOf({ image }, chart)).toBe(name);
  });

  it("counts the replicas of enabled roles", () => {
    const values = {
      steward: { replicas: 2 },
      controller: { replicas: 1 },
      localProvider: { enabled: false, replicas: 3 },
    };
    expect(wantedProcesses(values)).toBe(3);
  });

  it("finds CRDs in a manifest and adds the ownership metadata of the release", () => {
    const manifest =
      "kind: Namespace\n---\napiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata:\n  name: a\n---\n";
    const [only, ...others] = kindsIn(manifest, { release: "butler", namespace: "here" });
    expect(others).toEqual([]);
    expect(only?.metadata).toEqual({
      name: "a",
      labels: { "app.kubernetes.io/managed-by": "Helm" },
      annotations: { "meta.helm.sh/release-name": "butler", "meta.helm.sh/release-namespace": "here" },
    });
  });

  it.each([
    ["v4.0.1+g123\n", 4],
    ["v3.19.0", 3],
    ["4.1.0", 4],
    ["spawn helm ENOENT", undefined],
  ])("%j is a helm of major version %s", (text, major) => {
    expect(helmMajor(text)).toBe(major);
  });
});
