import { builtinKinds } from "@butler/resource";
import { anObject } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { claimReadiness, lateClassesOf } from "./storage.ts";

const kind = { ...builtinKinds.Pod, kind: "PersistentVolumeClaim", plural: "persistentvolumeclaims" };
const classes = lateClassesOf([
  anObject(builtinKinds.StorageClass, { name: "late", body: { volumeBindingMode: "WaitForFirstConsumer" } }),
  anObject(builtinKinds.StorageClass, { name: "early", body: { volumeBindingMode: "Immediate" } }),
]);

describe("a claim that waits for a volume", () => {
  it.each([
    ["late", {}, "ready"],
    ["late", { "volume.kubernetes.io/selected-node": "node-1" }, "progressing"],
    ["early", {}, "progressing"],
    ["", {}, "progressing"],
  ])("of class %j with %j is %s", (storageClassName, annotations, state) => {
    const claim = anObject(kind, { annotations, body: { spec: { storageClassName }, status: { phase: "Pending" } } });
    expect(claimReadiness(claim, classes).state).toBe(state);
  });
});
