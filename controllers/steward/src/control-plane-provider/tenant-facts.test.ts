import type { TenantControlPlane } from "@butler/api";
import { describe, expect, it } from "vitest";
import { aCondition, aTenant, servingStatus } from "./testing/objects.ts";
import { parseEndpoint, readTenant, type TenantFacts } from "./tenant-facts.ts";

type Status = NonNullable<TenantControlPlane["status"]>;

describe("an endpoint as text", () => {
  it.each([
    ["10.0.0.7:6443", { host: "10.0.0.7", port: 6443 }],
    ["blue.example.com:65535", { host: "blue.example.com", port: 65_535 }],
    ["blue.example.com:32768", { host: "blue.example.com", port: 32_768 }],
    ["[fd00::7]:443", { host: "fd00::7", port: 443 }],
    ["fd00::7:443", undefined],
    ["10.0.0.7", undefined],
    ["10.0.0.7:0", undefined],
    ["10.0.0.7:65536", undefined],
    [":6443", undefined],
    ["", undefined],
    [undefined, undefined],
  ])("%s is %o", (text, expected) => {
    expect(parseEndpoint(text)).toEqual(expected);
  });
});

describe("the status of a TenantControlPlane", () => {
  const phase = (status: NonNullable<NonNullable<Status["kubernetesResources"]>["version"]>["status"], ready = 2) => ({
    kubernetesResources: { version: { version: "1.36.3", status }, deployment: { replicas: 2, readyReplicas: ready } },
  });
  const unavailable = aCondition("Available", { status: "False", reason: "NoPodReady", message: "no pod is ready" });

  it.each<[string, Status, Partial<TenantFacts>]>([
    [
      "that it is serving",
      servingStatus(),
      { isServing: true, isAsleep: false, hasJoinResources: true, version: "v1.36.3" },
    ],
    ["nothing", {}, { isServing: false, hasJoinResources: false, version: undefined, endpoint: undefined }],
    [
      "that it is serving, by its phase",
      phase("Ready"),
      { isServing: true, hasJoinResources: false, version: "v1.36.3" },
    ],
    ["that it is serving during an upgrade", phase("Upgrading"), { isServing: true }],
    ["a good phase without a pod", phase("Ready", 0), { isServing: false }],
    [
      "a bad phase",
      phase("NotReady"),
      { isServing: false, state: { reason: "NotReady", message: expect.any(String) } },
    ],
    [
      "that it is scaled to zero, regardless of its conditions",
      { ...phase("Sleeping"), conditions: [aCondition("Available")] },
      { isServing: false, isAsleep: true, state: { reason: "Sleeping", message: expect.any(String) } },
    ],
    [
      "why it is not serving",
      { ...phase("Ready"), conditions: [unavailable] },
      { isServing: false, state: { reason: "NoPodReady", message: "no pod is ready" } },
    ],
    ["that workers can join", { kubeadmPhase: { bootstrapToken: { checksum: "1" } } }, { hasJoinResources: true }],
    ["that everything is complete", { conditions: [aCondition("Ready")] }, { hasJoinResources: true }],
  ])("is read: %s", (_what, status, expected) => {
    expect(readTenant(aTenant(undefined, { status }))).toMatchObject(expected);
  });

  it("is empty when it does not exist", () => {
    expect(readTenant(undefined)).toMatchObject({ isServing: false, hasJoinResources: false, nextVersion: undefined });
  });
});
