import { cliAccountName } from "@butler/access";
import { annotations, finalizers } from "@butler/api";
import { type AdmissionRequest, judgeAdmission, type KubeClient } from "@butler/kube";
import type { DynamicObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { tenancyAdmission } from "../tenancy-admission.ts";
import { aCluster, ada, aUser, clusterFacts, type Traits } from "../testing/objects.ts";
import { storedClaims } from "./facts.ts";
import { claimOf } from "./quota.ts";

const held = { finalizers: [finalizers.tenantCluster] };
const leaving = { ...held, deletionTimestamp: "2026-01-01T00:00:00Z" };
const condition = {
  type: "DeletionOverdue",
  status: "True",
  reason: "DeadlineExceeded",
  message: "",
  lastTransitionTime: "2026-01-01T01:00:00Z",
};
const overdue: Traits = { metadata: leaving, status: { conditions: [condition] } };
const abandon = { annotations: { [annotations.abandon]: "true" } };
const abandoned: Traits = { ...overdue, metadata: { ...leaving, ...abandon } };

/** The answer of the whole webhook. Ada is the owner of the cluster, and Root the platform administrator. */
async function refusalOf(username: string, before: Traits | undefined, after: Traits): Promise<string> {
  const users = [
    aUser({ metadata: { uid: "uid-of-ada" } }),
    aUser({ metadata: { name: "root" }, spec: { email: "root@example.com", platformRole: "admin" } }),
  ];
  const client = {
    find: () => Promise.resolve(undefined),
    list: (kind: { kind: string }) =>
      Promise.resolve({ items: kind.kind === "User" ? users : [], resourceVersion: "1", continueToken: undefined }),
    create: () => Promise.resolve({ status: { allowed: false } }),
    replace: () => Promise.resolve({}),
  } as unknown as KubeClient;
  const handler = tenancyAdmission({ client, supportedSystems: {}, trustedUsernames: ["butler-server"] }).find(
    ({ path }) => path === "/validate-butler-butlerlabs-dev-v1alpha1-tenantcluster",
  );
  if (handler === undefined) throw new Error("no handler");
  const object = aCluster(after) as unknown as DynamicObject;
  const request: AdmissionRequest = {
    uid: "1",
    kind: handler.kind,
    subResource: undefined,
    name: "shop",
    namespace: "payments",
    operation: before === undefined ? "CREATE" : "UPDATE",
    userInfo: { username, uid: "", groups: [] },
    object,
    oldObject: before === undefined ? undefined : (aCluster(before) as unknown as DynamicObject),
    dryRun: true,
  };
  const { status } = await judgeAdmission(handler, request, AbortSignal.timeout(5_000));
  return status?.message ?? "";
}

const root = "root@example.com";
const controller = "system:serviceaccount:butler-system:butler-controller";
const cli = `system:serviceaccount:butler-cli:${cliAccountName("uid-of-ada")}`;

describe("giving up a cluster", () => {
  it.each<[string, string, Traits, Traits, string?]>([
    ["an owner abandons it", ada, overdue, abandoned, "can only be set by a platform administrator"],
    ["a pipeline abandons it", "pipeline", overdue, abandoned, "can only be set by a platform administrator"],
    ["a service account abandons it", controller, overdue, abandoned, "can only be set by a platform administrator"],
    ["a platform administrator abandons it", root, overdue, abandoned],
    [
      "before it is deleted",
      root,
      { metadata: held },
      { metadata: { ...held, ...abandon } },
      "after a deletion has failed",
    ],
    [
      "while it is deleted in time",
      root,
      { metadata: leaving },
      { metadata: { ...leaving, ...abandon } },
      "after a deletion has failed",
    ],
    [
      "with a condition from before",
      root,
      { metadata: held, status: { conditions: [condition] } },
      { metadata: { ...held, ...abandon }, status: { conditions: [condition] } },
      "after a deletion has failed",
    ],
    ["an owner takes that back", ada, abandoned, overdue],
    ["an owner labels it", ada, abandoned, { ...abandoned, metadata: { ...leaving, ...abandon, labels: { a: "b" } } }],
    [
      "an owner removes the finalizer",
      ada,
      overdue,
      { metadata: { ...leaving, finalizers: [] } },
      "metadata.finalizers: must contain",
    ],
    [
      "an owner removes it before the deletion",
      ada,
      { metadata: held },
      { metadata: {} },
      "metadata.finalizers: must contain",
    ],
    [
      "an owner removes another finalizer",
      ada,
      { metadata: { ...leaving, finalizers: [finalizers.tenantCluster, "a/b"] } },
      { metadata: leaving },
    ],
    [
      "a command line removes it",
      cli,
      overdue,
      { metadata: { ...leaving, finalizers: [] } },
      "metadata.finalizers: must contain",
    ],
    ["Butler removes it", controller, overdue, { metadata: { ...leaving, finalizers: [] } }],
    ["a platform administrator removes it", root, overdue, { metadata: { ...leaving, finalizers: [] } }],
  ])("%s", async (_what, username, before, after, refusal) => {
    const answer = await refusalOf(username, before, after);
    if (refusal === undefined) expect(answer).toBe("");
    else expect(answer).toContain(refusal);
  });

  it("is not possible in advance", async () => {
    expect(await refusalOf(root, undefined, { metadata: abandon })).toContain("after a deletion has failed");
  });

  it("frees no quota while the cluster has anything left", () => {
    const facts = clusterFacts();
    const cluster = aCluster(abandoned);
    expect([...storedClaims([cluster], facts).values()].map(({ claim }) => claim)).toEqual([claimOf(cluster, facts)]);
    expect(claimOf(cluster, facts).usage).toEqual(claimOf(aCluster(), facts).usage);
  });
});
