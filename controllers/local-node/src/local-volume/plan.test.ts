import { describe, expect, it } from "vitest";
import type { PersistentVolume, PersistentVolumeClaim } from "../core-kinds.ts";
import { planClaim, planVolume, provisioner } from "./plan.ts";

const folder = "/srv/volumes";

function claim(difference: { node?: string; className?: string; volumeName?: string } = {}): PersistentVolumeClaim {
  const { node = "node-1", className = "local", volumeName } = difference;
  return {
    apiVersion: "v1",
    kind: "PersistentVolumeClaim",
    metadata: {
      name: "data",
      namespace: "shop",
      uid: "u1",
      ...(node === "" ? {} : { annotations: { "volume.kubernetes.io/selected-node": node } }),
    },
    spec: {
      storageClassName: className,
      accessModes: ["ReadWriteOnce"],
      resources: { requests: { storage: "5Gi" } },
      volumeName,
    },
  };
}

function volume(path: string, { phase = "Released", by = provisioner } = {}): PersistentVolume {
  return {
    apiVersion: "v1",
    kind: "PersistentVolume",
    metadata: { name: "local-u1", annotations: { "pv.kubernetes.io/provisioned-by": by } },
    spec: { local: { path } },
    status: { phase },
  };
}

describe("the plan for a claim", () => {
  it("creates a volume of the claim's size on the chosen node, bound to the claim", () => {
    const [made] = planClaim({ claim: claim(), folder }).apply ?? [];
    expect(made).toMatchObject({
      metadata: { name: "local-u1" },
      spec: {
        capacity: { storage: "5Gi" },
        claimRef: { namespace: "shop", name: "data", uid: "u1" },
        local: { path: "/srv/volumes/shop-data-u1" },
      },
    });
  });

  it("creates the directory until the volume is bound, and never again", () => {
    const makeFolder = { type: "makeFolder", path: "/srv/volumes/shop-data-u1" };
    expect(planClaim({ claim: claim(), folder }).effects).toEqual([makeFolder]);
    expect(planClaim({ claim: claim({ volumeName: "local-u1" }), folder }).effects).toEqual([]);
  });

  it.each([{ node: "" }, { className: "other" }, { volumeName: "another-volume" }])(
    "creates none for %j",
    (difference) => {
      expect(planClaim({ claim: claim(difference), folder }).apply).toBeUndefined();
    },
  );
});

describe("the plan for a volume", () => {
  it("deletes a volume whose claim was deleted", () => {
    const path = "/srv/volumes/shop-data-u1";
    expect(planVolume({ volume: volume(path), folder }).effects).toEqual([
      { type: "removeVolume", name: "local-u1", path },
    ]);
  });

  it.each([
    ["in use", volume("/srv/volumes/x", { phase: "Bound" })],
    ["created by another provisioner", volume("/srv/volumes/x", { by: "other" })],
    ["elsewhere on the machine", volume("/etc")],
    ["reached through ..", volume("/srv/volumes/../../etc")],
    ["below another volume", volume("/srv/volumes/a/b")],
    ["the folder itself", volume("/srv/volumes")],
  ])("ignores a volume that is %s", (_what, given) => {
    expect(planVolume({ volume: given, folder }).effects).toBeUndefined();
  });
});
