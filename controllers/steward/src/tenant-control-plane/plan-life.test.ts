import type { Pod } from "@butler/api-external";
import { Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { abandonDataStoreAnnotation, pausedAnnotation } from "./names.ts";
import { aControlPlane, type ControlPlaneTraits } from "./testing/objects.ts";
import { ControlPlaneModel } from "./testing/control-plane-model.ts";

const model = (traits: ControlPlaneTraits = {}) => new ControlPlaneModel(aControlPlane(traits));
const user = "tenant-0f0e5e0a-0000-4000-8000-000000000001";

describe("a version change", () => {
  it("is reported as an upgrade until all pods run it", async () => {
    const played = model({ version: "v1.35.4", deployment: { replicas: 2 } });
    await played.settleRunning();
    played.change((spec) => ({ ...spec, kubernetes: { ...spec.kubernetes, version: "v1.36.3" } }));
    await played.settle();
    expect(played.phase).toBe("Upgrading");
    expect(played.tcp.status?.kubernetesResources?.version?.version).toBe("v1.35.4");
    expect(played.condition("Available")).toMatchObject({ status: "True" });
    played.bringUpPods();
    await played.settle();
    expect(played.phase).toBe("Ready");
    expect(played.tcp.status?.kubernetesResources?.version?.version).toBe("v1.36.3");
    expect(played.tcp.status?.observedGeneration).toBe(2);
  });

  it("completes at once while the control plane is scaled to zero", async () => {
    const played = model({ version: "1.35.4" });
    await played.settleRunning();
    played.change((spec) => ({
      ...spec,
      controlPlane: { ...spec.controlPlane, deployment: { ...spec.controlPlane.deployment, replicas: 0 } },
      kubernetes: { ...spec.kubernetes, version: "v1.36.3" },
    }));
    await played.settle();
    expect(played.phase).toBe("Sleeping");
    expect(played.keepCalls.at(-1)).toMatch(/^forget/);
    played.bringUpPods(0);
    await played.settle();
    expect(played.tcp.status?.kubernetesResources?.version).toEqual({ version: "v1.36.3", status: "Sleeping" });
    expect(played.condition("Available")).toMatchObject({ status: "False", reason: "Sleeping" });
  });
});

describe("the deletion of a control plane", () => {
  it("leaves nothing in the store", async () => {
    const played = model();
    await played.settleRunning();
    played.delete();
    const finalizers = [];
    for (let count = 0; count < 3; count++) finalizers.push((await played.pass()).plan.finalizer);
    expect(finalizers).toEqual(["hold", "hold", "release"]);
    expect(played.storeCalls.at(-1)).toBe(`remove shared ${user}`);
    expect(played.keepCalls.at(-1)).toMatch(/^forget/);
  });

  it("works at any point of its creation", async () => {
    const played = model();
    await played.pass();
    played.delete();
    expect((await played.pass()).plan.effects?.map(({ type }) => type)).toEqual(["removeFromStore"]);
    expect((await played.pass()).plan.finalizer).toBe("release");
  });

  it("keeps its data in the store until its pods have stopped, but not indefinitely", async () => {
    const played = model();
    await played.settleRunning();
    const metadata = { name: "blue-1", namespace: "tenants" };
    const pod: Pod = { apiVersion: "v1", kind: "Pod", metadata, spec: { containers: [] } };
    const typesAt = async (pods: readonly Pod[], seconds: number): Promise<string[] | undefined> => {
      played.pods = pods;
      played.now = new Date(deletedAt + seconds * 1_000);
      return (await played.pass()).plan.effects?.map(({ type }) => type);
    };
    played.delete();
    const deletedAt = played.now.getTime();
    expect(await typesAt([pod], 0)).toEqual(["forgetTenant"]);
    expect(await typesAt([pod], 1)).toBeUndefined();
    expect((await played.pass()).plan).toMatchObject({ finalizer: "hold", requeueAfterMs: 89_000 });
    expect(await typesAt([pod], 90)).toEqual(["removeFromStore"]);
    expect((await played.pass()).plan.finalizer).toBe("release");
  });

  it("waits for an unavailable store, and reports the remedy", async () => {
    const played = model();
    await played.settleRunning();
    played.delete();
    await played.pass();
    played.storeFailure = new Unavailable("etcd does not answer");
    await played.pass();
    expect(played.condition("Ready")?.message).toContain(`${abandonDataStoreAnnotation}=true`);
    expect((await played.pass()).plan.finalizer).toBe("hold");
    expect(played.condition("Deleting")).toMatchObject({ status: "True", reason: "RemovingData" });
    played.storeFailure = undefined;
    await played.pass();
    expect((await played.pass()).plan.finalizer).toBe("release");
  });

  it("is not blocked by an abandoned store", async () => {
    const played = model();
    await played.settleRunning();
    played.store = { name: "shared" };
    played.delete();
    await played.pass();
    expect((await played.pass()).plan.finalizer).toBe("hold");
    expect(played.condition("Deleting")).toMatchObject({ status: "True", reason: "DataStoreGone" });
    played.annotate({ [abandonDataStoreAnnotation]: "true" });
    expect((await played.pass()).plan.finalizer).toBe("release");
  });
});

describe("a control plane that is paused", () => {
  it("is left unchanged, and reports it", async () => {
    const played = model();
    await played.settleRunning();
    played.annotate({ [pausedAnnotation]: "" });
    played.remove("apiServer");
    const { plan: decided } = await played.pass();
    expect(decided).toMatchObject({ finalizer: "none" });
    expect(decided.effects).toBeUndefined();
    expect(played.condition("Paused")).toMatchObject({ status: "True" });
    expect(played.condition("Ready")).toMatchObject({ status: "True" });
    played.annotate({});
    await played.settle();
    expect(played.condition("Paused")).toBeUndefined();
    expect(played.secret("apiServer")).toBeDefined();
  });
});
