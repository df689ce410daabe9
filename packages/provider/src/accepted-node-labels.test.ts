import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { kubeletLabels, machineLabels, nodeLabelFaults } from "./accepted-node-labels.ts";
import { aPool, anyWorkers } from "./testing/pools.ts";

const pool = (labels: Record<string, string>, taints: { key: string; value?: string; effect: string }[] = []) => ({
  ...aPool({ cpu: 1, memory: "4Gi", diskSize: "40Gi" }),
  labels,
  taints,
});

describe("labels of nodes", () => {
  it.each([
    "plain",
    "example.com/tier",
    "node.kubernetes.io/pool",
    "gpu.node.kubernetes.io/model",
    "kubelet.kubernetes.io/note",
    "topology.kubernetes.io/zone",
    "notkubernetes.io/tier",
  ])("may be set by the node itself: %s", (key) => {
    expect(nodeLabelFaults(pool({ [key]: "a" }))).toEqual([]);
    expect(kubeletLabels({ [key]: "a" })).toEqual({ [key]: "a" });
    expect(machineLabels({ [key]: "a" })).toEqual({});
  });

  it.each([
    "node-role.kubernetes.io/gpu",
    "node-restriction.kubernetes.io/secure",
    "red.node-restriction.kubernetes.io/secure",
    "node.cluster.x-k8s.io/tier",
  ])("are copied from its Machine: %s", (key) => {
    expect(nodeLabelFaults(pool({ [key]: "" }))).toEqual([]);
    expect(kubeletLabels({ [key]: "" })).toEqual({});
    expect(machineLabels({ [key]: "" })).toEqual({ [key]: "" });
  });

  it.each([
    ["kubernetes.io/hostname", "is reserved for Kubernetes"],
    ["kubernetes.io/arch", "is reserved for Kubernetes"],
    ["storage.k8s.io/fast", "is reserved for Kubernetes"],
    ["cluster.x-k8s.io/cluster-name", "is reserved for Kubernetes"],
    ["red.node-role.kubernetes.io/gpu", "is reserved for Kubernetes"],
    ["a,b=c", 'label key "a,b=c" in pool workers is invalid'],
    ["--flag", 'label key "--flag" in pool workers is invalid'],
  ])("are rejected: %s", (key, why) => {
    expect(nodeLabelFaults(pool({ [key]: "a" }))).toEqual([expect.stringContaining(why)]);
    if (!key.includes(",") && !key.startsWith("-")) {
      expect({ ...kubeletLabels({ [key]: "a" }), ...machineLabels({ [key]: "a" }) }).toEqual({});
    }
  });

  it.each(["a b", "a,kubernetes.io/hostname=b", "{{ ds }}", "a\nb"])(
    "are rejected with a value such as %j",
    (value) => {
      expect(nodeLabelFaults(pool({ tier: value }))).toEqual([
        expect.stringContaining("value of label tier in pool workers is invalid"),
      ]);
    },
  );

  it("are set in one place only", () => {
    fc.assert(
      fc.property(anyWorkers, ({ labels }) => {
        const kubelet = Object.keys(kubeletLabels(labels));
        const machine = Object.keys(machineLabels(labels));
        expect(kubelet.filter((key) => machine.includes(key))).toEqual([]);
        if (nodeLabelFaults(pool(labels)).length === 0) {
          expect([...kubelet, ...machine].toSorted()).toEqual(Object.keys(labels).toSorted());
        }
      }),
    );
  });
});

describe("taints of nodes", () => {
  it("may share a key with different effects", () => {
    const taints = ["NoSchedule", "NoExecute"].map((effect) => ({ key: "example.com/gpu", value: "yes", effect }));
    expect(nodeLabelFaults(pool({}, taints))).toEqual([]);
  });

  it.each<[{ key: string; value?: string }, string]>([
    [{ key: "node.kubernetes.io/not-ready" }, "reserved"],
    [{ key: "node.cluster.x-k8s.io/uninitialized" }, "reserved"],
    [{ key: "a b" }, 'taint key "a b" in pool workers is invalid'],
    [{ key: "gpu", value: "{{ x }}" }, "value of taint gpu in pool workers is invalid"],
  ])("are rejected: %j", (taint, why) => {
    const faults = nodeLabelFaults(pool({}, [{ ...taint, effect: "NoSchedule" }]));
    expect(faults).toEqual([expect.stringContaining(why)]);
  });

  it("are rejected when duplicated", () => {
    const taint = { key: "gpu", effect: "NoSchedule" };
    expect(nodeLabelFaults(pool({}, [taint, { ...taint, value: "b" }]))).toEqual([
      expect.stringContaining("duplicate taint gpu:NoSchedule"),
    ]);
  });
});
