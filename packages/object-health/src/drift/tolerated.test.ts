import { builtinKinds, type DynamicObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import { anObject } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { refusalText } from "./dry-run.ts";
import { asHelmApplies, isExpected, isOfReplicas, scales } from "./tolerated.ts";

const difference = (...path: readonly string[]) => ({ path, live: 1, wanted: 2 });

describe("expected differences", () => {
  const role = (body: object): DynamicObject => anObject(builtinKinds.ClusterRole, { body: { rules: [], ...body } });
  it.each([
    ["a certificate put into a webhook", difference("webhooks", "[a]", "clientConfig", "caBundle"), role({}), true],
    ["rules gathered from other roles", difference("rules"), role({ aggregationRule: {} }), true],
    ["the labels of such a role", difference("metadata", "labels"), role({ aggregationRule: {} }), false],
    ["rules of a plain role", difference("rules"), role({}), false],
  ])("%s", (_what, found, live, expected) => expect(isExpected(found, live)).toBe(expected));

  it("are recognized by their path", () => {
    expect(isOfReplicas(difference("spec", "replicas"))).toBe(true);
    expect(isOfReplicas(difference("spec", "template", "replicas"))).toBe(false);
    expect(isOfReplicas(difference("spec", "replicas", "x"))).toBe(false);
  });
});

describe("an autoscaler", () => {
  const web = anObject(builtinKinds.Deployment, { name: "web" });
  it.each([
    [{ apiVersion: "apps/v1", kind: "Deployment", name: "web" }, true],
    [{ apiVersion: "apps/v1beta2", kind: "Deployment", name: "web" }, true],
    [{ kind: "Deployment", name: "web" }, true],
    [{ apiVersion: "a.b/v1", kind: "Deployment", name: "web" }, false],
    [{ apiVersion: "apps/v1", kind: "StatefulSet", name: "web" }, false],
    [{ apiVersion: "apps/v1", kind: "Deployment", name: "other" }, false],
  ])("for %j", (scaleTargetRef, expected) => {
    const scaler = anObject(builtinKinds.Pod, { body: { spec: { scaleTargetRef } } });
    expect(scales(scaler, web)).toBe(expected);
  });
});

describe("the object that is applied", () => {
  it("has the manifest's fields and Helm's additions, without server-managed fields", () => {
    const stated = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name: "a", uid: "1", labels: { x: "1" } },
      status: 1,
    };
    const annotations = { "meta.helm.sh/release-name": "r", other: "2" };
    const labels = { "app.kubernetes.io/managed-by": "Helm", y: "3" };
    const live = anObject(builtinKinds.ConfigMap, { name: "a", namespace: "n", labels, annotations });
    expect(asHelmApplies(stated, live)).toEqual({
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: "a",
        namespace: "n",
        labels: { x: "1", "app.kubernetes.io/managed-by": "Helm" },
        annotations: { "meta.helm.sh/release-name": "r" },
      },
    });
  });
});

describe("a rejection by the server", () => {
  it.each([
    [
      'apply deployments.apps n/web: Deployment.apps "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"a":"hunter2"}}: field is immutable',
      'Deployment.apps "web" is invalid: spec.selector: invalid value, field is immutable',
    ],
    [
      'Thing "x" is invalid: spec.a: Invalid value: v1.Sel{Labels:map[string]string{"app":"hunter2"}}: is wrong',
      'Thing "x" is invalid: spec.a: invalid value, is wrong',
    ],
    ['Pod "x" is invalid: env[3]: Duplicate value: {"name":"hunter2"}', 'Pod "x" is invalid: env[3]: duplicate value'],
    ['x: Unsupported value: "hunter2": supported values: "A"', "x: unsupported value"],
    ["spec: Forbidden: field is immutable", "spec: Forbidden: field is immutable"],
  ])("%j says %j", (message, text) => {
    expect(refusalText(new InvalidInput(message))).toBe(text);
  });
});
