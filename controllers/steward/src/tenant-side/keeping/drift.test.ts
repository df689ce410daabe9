import { AppliedMemory } from "@butler/controller";
import type { DynamicObject, KubeObject } from "@butler/resource";
import { isRecord } from "@butler/std";
import { describe, expect, it } from "vitest";
import { tenantObjects } from "../objects/tenant-objects.ts";
import { aTenantInput } from "../testing/tenant-input.ts";
import { applicable, isOurs, isStillVerified, mustBeRead, stepFor, verifiedAs, withoutTenantsChoice } from "./drift.ts";
import { idOf } from "./tenant-catalog.ts";

const objects = tenantObjects(aTenantInput({ coreDNS: {}, kubeProxy: {} }));

function the(id: string): DynamicObject {
  const found = objects.find((object) => idOf(object) === id);
  if (found === undefined) throw new Error(`there is no ${id}`);
  return found as DynamicObject;
}

const role = the("roles.rbac.authorization.k8s.io kube-system/kubeadm:kubelet-config");
const corefile = the("configmaps kube-system/coredns");
const deployment = the("deployments.apps kube-system/coredns");

/** What the API server holds after an apply, and after another client has changed it. */
function live(desired: KubeObject, change: Partial<DynamicObject> = {}): DynamicObject {
  const applied = applicable(desired, undefined);
  const metadata = { ...applied.metadata, uid: "one", resourceVersion: "7", ...change.metadata };
  return { ...applied, ...change, metadata };
}

const withData = (data: Record<string, string>): Partial<DynamicObject> => ({ data });
const withReplicas = (replicas: number): Partial<DynamicObject> => ({
  spec: { ...(deployment["spec"] as object), replicas },
});

describe("stepFor", () => {
  it.each<[string, KubeObject, DynamicObject | undefined, string]>([
    ["an object that is missing", role, undefined, "write"],
    ["an object as it was applied", role, live(role), "nothing"],
    ["an object that was edited", role, live(role, { rules: [] }), "write"],
    ["an object of another manager", role, { ...role, metadata: { ...role.metadata, uid: "x" } }, "write"],
    [
      "an object that is being deleted",
      role,
      live(role, { metadata: { name: "x", deletionTimestamp: "now" } }),
      "wait for deletion",
    ],
    ["a Corefile as it was applied", corefile, live(corefile), "nothing"],
    ["a Corefile that is missing", corefile, undefined, "write"],
    ["a Corefile that was emptied", corefile, live(corefile, { data: undefined }), "leave to the tenant"],
    ["an edited Corefile", corefile, live(corefile, withData({ Corefile: ".:53 {}\n" })), "leave to the tenant"],
    [
      "a Corefile with an additional file",
      corefile,
      live(corefile, withData({ ...(corefile["data"] as Record<string, string>), x: "y" })),
      "leave to the tenant",
    ],
    ["a Corefile of the tenant's own", corefile, { ...corefile, metadata: { name: "coredns" } }, "leave to the tenant"],
    ["a scaled Deployment", deployment, live(deployment, withReplicas(5)), "nothing"],
    ["a Deployment scaled to zero", deployment, live(deployment, withReplicas(0)), "nothing"],
    ["a Deployment that was edited otherwise", deployment, live(deployment, { spec: { replicas: 5 } }), "write"],
  ])("of %s", (_what, desired, found, step) => {
    expect(stepFor(desired, found)).toBe(step);
  });

  it.each(objects.map((object) => [idOf(object), object] as const))(
    "finds %s in place after an apply",
    (_id, object) => {
      expect(stepFor(object, live(object))).toBe("nothing");
    },
  );

  it("replaces an unedited Corefile of a former version, but not an edited one", () => {
    const later = tenantObjects(aTenantInput({ clusterDomain: "blue.internal", coreDNS: {} }));
    const next = later.find((object) => idOf(object) === idOf(corefile)) as DynamicObject;
    expect(stepFor(next, live(corefile))).toBe("write");
    expect(stepFor(next, live(corefile, withData({ Corefile: "mine" })))).toBe("leave to the tenant");
  });

  it("writes only once more when the server stores a normalized form", () => {
    const memory = new AppliedMemory();
    const sidecar = { ...deployment, spec: { ...(deployment["spec"] as object), paused: true } };
    const kept = live(sidecar, { spec: { ...(deployment["spec"] as object), paused: false } });
    expect(stepFor(sidecar, kept, memory)).toBe("write");
    memory.remember(sidecar, withoutTenantsChoice(sidecar, kept));
    expect(stepFor(sidecar, kept, memory)).toBe("nothing");
    const scaled = { ...kept, spec: { ...(kept["spec"] as object), replicas: 9 } };
    expect(stepFor(sidecar, scaled, memory)).toBe("nothing");
  });
});

describe("applicable", () => {
  it("keeps the tenant's number of replicas once it is set", () => {
    const replicas = (found: DynamicObject | undefined): unknown => {
      const { spec } = applicable(deployment, found);
      return isRecord(spec) ? spec["replicas"] : undefined;
    };
    expect(replicas(undefined)).toBe(2);
    expect(replicas(live(deployment, withReplicas(5)))).toBe(5);
    expect(replicas(live(deployment, withReplicas(0)))).toBe(0);
  });

  it("reads the fields that the tenant may change", () => {
    expect(objects.filter(mustBeRead).map(idOf)).toEqual([idOf(corefile), idOf(deployment)]);
  });
});

describe("isOurs", () => {
  it("is true of what Steward wrote, and not of what the tenant wrote or took over", () => {
    expect(isOurs(live(role))).toBe(true);
    expect(isOurs(live(role, { rules: [] }))).toBe(true);
    expect(isOurs(live(corefile))).toBe(true);
    expect(isOurs(live(corefile, withData({ Corefile: "mine" })))).toBe(false);
    expect(isOurs({ ...role, metadata: { name: "x", labels: role.metadata.labels } })).toBe(false);
  });
});

describe("isStillVerified", () => {
  const seen = (object: DynamicObject, metadata: object): DynamicObject => ({
    ...object,
    metadata: { ...object.metadata, ...metadata },
  });
  const verifiedRole = verifiedAs(role, live(role));
  const verifiedDeployment = verifiedAs(deployment, seen(live(deployment), { generation: 1 }));

  it.each([
    ["the same version", seen(live(role), {}), true],
    ["an older version", seen(live(role), { resourceVersion: "6" }), true],
    ["a newer version", seen(live(role), { resourceVersion: "8" }), false],
    ["an object of the same name", seen(live(role), { uid: "two" }), false],
  ])("of %s", (_what, object, expected) => {
    expect(isStillVerified(role, verifiedRole, object)).toBe(expected);
  });

  it.each([
    ["a newer version of the same generation", { resourceVersion: "9", generation: 1 }, true],
    ["a newer generation", { resourceVersion: "9", generation: 2 }, false],
    ["other labels", { resourceVersion: "9", generation: 1, labels: {} }, false],
    ["its deletion", { resourceVersion: "9", generation: 1, deletionTimestamp: "now" }, false],
  ])("of a Deployment with %s", (_what, metadata, expected) => {
    expect(isStillVerified(deployment, verifiedDeployment, seen(live(deployment), metadata))).toBe(expected);
  });

  it("is false for another desired object", () => {
    expect(
      isStillVerified({ ...role, kind: "Role", metadata: { ...role.metadata, labels: {} } }, verifiedRole, live(role)),
    ).toBe(false);
    expect(isStillVerified(role, undefined, live(role))).toBe(false);
  });
});
