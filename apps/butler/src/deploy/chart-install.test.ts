import { HelmFailed, type HelmFailureReason } from "@butler/helm";
import { describe, expect, it } from "vitest";
import { explainHelm } from "./chart-errors.ts";
import { chartFolder, chartImageValues, chartRequest } from "./chart-install.ts";
import { isLeftover } from "./chart-leftovers.ts";
import { isRolledOut } from "./chart-progress.ts";

describe("chartRequest", () => {
  it("installs or upgrades the chart in its namespace, adopts existing objects, and waits", () => {
    expect(chartRequest({ helm: "helm", kubeconfig: "/k", namespace: "kaas", timeoutMs: 90_500 })).toMatchObject({
      release: "butler",
      chart: chartFolder,
      namespace: "kaas",
      createNamespace: true,
      takeOwnership: true,
      waitUntilReady: true,
      timeoutMs: 90_500,
      isDryRun: false,
    });
  });
});

describe("chartImageValues", () => {
  const digest = `sha256:${"a".repeat(64)}`;

  it.each([
    ["ghcr.io/butlerdotdev/butler:v1", { repository: "ghcr.io/butlerdotdev/butler", tag: "v1" }],
    ["registry.example:5000/butler:v1", { repository: "registry.example:5000/butler", tag: "v1" }],
    [`registry.example:5000/butler@${digest}`, { repository: "registry.example:5000/butler", digest }],
    [`registry.example/butler:v1@${digest}`, { repository: "registry.example/butler", digest }],
  ])("parses %s", (image, values) => {
    expect(chartImageValues(image)).toEqual({ image: values });
  });

  it.each(["", "butler", "registry.example:5000/butler"])("rejects %j, which has no version", (image) => {
    expect(() => chartImageValues(image)).toThrow("neither a tag nor a digest");
  });
});

describe("explainHelm", () => {
  it.each<[HelmFailureReason, string]>([
    ["SchemaViolated", "INVALID_INPUT"],
    ["ReleaseLocked", "CONFLICT"],
    ["TimedOut", "TIMEOUT"],
    ["ClusterUnreachable", "UNAVAILABLE"],
    ["Forbidden", "FORBIDDEN"],
    ["CredentialsRefused", "FORBIDDEN"],
    ["KubernetesUnsupported", "INVALID_INPUT"],
    ["Refused", "INVALID_INPUT"],
    ["HelmFailed", "UNAVAILABLE"],
  ])("maps %s to an error with a remedy: %s", (reason, code) => {
    const error = explainHelm(new HelmFailed("this is why", { reason }), "kaas");
    expect(error).toMatchObject({ code, hint: expect.stringMatching(/\.$/) });
    expect(error.message).toContain("this is why");
    expect(error.hint).not.toContain("NAMESPACE");
  });
});

describe("isLeftover", () => {
  const nowMs = 1_000_000;
  const at = (seconds: number) => ({ createdAt: "1", modifiedAt: String(seconds) });

  it.each([
    ["unfinished for long", { status: "pending-upgrade", ...at(900) }, true],
    ["unfinished, and never written again", { status: "pending-install", createdAt: "900" }, true],
    ["unfinished since just now", { status: "pending-install", ...at(901) }, false],
    ["finished", { status: "deployed", ...at(1) }, false],
    ["failed", { status: "failed", ...at(1) }, false],
    ["of unknown age", { status: "pending-install" }, false],
    ["not Helm's", {}, false],
  ])("evaluates a revision that is %s", (_title, labels, isNobodys) => {
    expect(isLeftover({ labels }, nowMs, 100_000)).toBe(isNobodys);
  });
});

describe("isRolledOut", () => {
  const all = { observedGeneration: 2, updatedReplicas: 2, availableReplicas: 2 };

  it.each([
    ["all are there", 2, all, true],
    ["none are wanted", 0, { observedGeneration: 2 }, true],
    ["one is missing", 2, { ...all, availableReplicas: 1 }, false],
    ["one is of an older version", 2, { ...all, updatedReplicas: 1 }, false],
    ["its latest change has not been observed", 2, { ...all, observedGeneration: 1 }, false],
    ["it has never been observed", 0, undefined, false],
  ])("evaluates a Deployment when %s", (_title, replicas, status, isDone) => {
    const object = { apiVersion: "apps/v1", kind: "Deployment", metadata: { name: "a", generation: 2 } };
    expect(isRolledOut({ ...object, spec: { replicas }, status })).toBe(isDone);
  });
});
