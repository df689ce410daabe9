import { describe, expect, it } from "vitest";
import { complaintOf, explanationOf, reasonOf } from "./helm-complaints.ts";
import { HelmFailed, type HelmFailureReason } from "./helm-failed.ts";

describe("reasonOf", () => {
  it.each<[HelmFailureReason, string]>([
    ["SchemaViolated", "values don't meet the specifications of the schema(s) in the following chart(s):\nweb:"],
    ["KubernetesUnsupported", "chart requires kubeVersion: >=1.30.0-0 which is incompatible with Kubernetes v1.20.0"],
    [
      "OwnedByAnother",
      'unable to continue with install: ConfigMap "web" in namespace "shop" exists and cannot be imported into the current release: invalid ownership metadata',
    ],
    ["ReleaseLocked", "another operation (install/upgrade/rollback) is in progress"],
    ["ReleaseLocked", 'create: failed to create: secrets "sh.helm.release.v1.web.v2" already exists'],
    ["RevisionMissing", "release has no 77 version"],
    ["HookFailed", "failed post-install: resource Job/shop/web not ready.\ncontext deadline exceeded"],
    ["HookFailed", "pre-upgrade hooks failed: 1 error occurred"],
    ["KindMissing", 'unable to build kubernetes objects from release manifest: no matches for kind "Greeting"'],
    [
      "CredentialsRefused",
      "kubernetes cluster unreachable: the server has asked for the client to provide credentials",
    ],
    ["ClusterUnreachable", 'kubernetes cluster unreachable: Get "https://127.0.0.1:9/version": connection refused'],
    ["TimedOut", "resource Deployment/shop/web not ready. status: InProgress\ncontext deadline exceeded"],
    ["ChartInvalid", "found in Chart.yaml, but missing in charts/ directory: greeter"],
    ["RenderFailed", "execution error at (web/templates/a.yaml:1:3): a greeting is needed"],
    ["Refused", 'server-side apply failed for object shop/web: Service "web" is invalid: [spec.ports[0].port: 99999]'],
    ["Refused", 'admission webhook "x" denied the request: this is forbidden'],
    ["Forbidden", 'secrets is forbidden: User "guest" cannot list resource "secrets"'],
    ["Refused", 'create: failed to create: namespaces "shop" not found'],
    ["HelmFailed", "an unforeseen error"],
    ["HelmFailed", ""],
  ])("is %s", (reason, complaint) => {
    expect(reasonOf(complaint)).toBe(reason);
    expect(explanationOf(reason).hint).toMatch(/\.$/);
  });

  it("marks retryable reasons", () => {
    expect(new HelmFailed("x", { reason: "SchemaViolated" }).isRetryable).toBe(false);
    expect(new HelmFailed("x", { reason: "ClusterUnreachable" })).toMatchObject({
      isRetryable: true,
      code: "HELM_FAILED",
      hint: expect.stringContaining("API server"),
    });
  });
});

describe("complaintOf", () => {
  it("is the final error of helm, with all lines and without log lines", () => {
    const lines = [
      'level=DEBUG msg="creating release"',
      "Error: UPGRADE FAILED: one",
      "- at '/two'",
      "",
      'level=WARN msg="three"',
    ];
    expect(complaintOf(lines)).toBe("one\n- at '/two'");
  });

  it("includes the cause of a failed deletion, which helm only logs", () => {
    const lines = [
      'level=DEBUG msg="uninstall: Failed to delete release" error="[configmaps \\"web\\" is forbidden]"',
      "Error: failed to delete release: web",
    ];
    expect(complaintOf(lines)).toBe('failed to delete release: web: [configmaps "web" is forbidden]');
    expect(reasonOf(complaintOf(lines))).toBe("Forbidden");
  });

  it.each([
    [[], "helm exited without output"],
    [['level=ERROR msg="out of space"'], 'level=ERROR msg="out of space"'],
    [["panic: runtime error"], "panic: runtime error"],
  ])("finds something in %j", (lines, complaint) => {
    expect(complaintOf(lines)).toBe(complaint);
  });

  it("is limited in length", () => {
    expect(complaintOf([`Error: ${"x".repeat(10_000)}`]).length).toBeLessThanOrEqual(1_500);
  });
});
