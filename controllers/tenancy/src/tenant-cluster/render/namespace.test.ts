import { harvesterMachines } from "@butler/provider-harvester";
import { localMachines } from "@butler/provider-local/machines";
import { describe, expect, it } from "vitest";
import { aTenantCluster } from "../testing/observed-objects.ts";
import { namespaceObject } from "./namespace.ts";

describe("the namespace of a cluster", () => {
  it.each([
    ["restricted, because its machines are elsewhere", harvesterMachines, "restricted"],
    ["privileged, because its machines are pods", localMachines, "privileged"],
  ])("74: is %s", (_what, machines, level) => {
    const { labels = {} } = namespaceObject(aTenantCluster(), machines).metadata;
    const levels = ["enforce", "audit", "warn"].map((mode) => labels[`pod-security.kubernetes.io/${mode}`]);
    expect(levels).toEqual([level, level, level]);
  });
});
