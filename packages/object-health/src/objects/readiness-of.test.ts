import type { DynamicObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { readinessOf } from "./readiness-of.ts";
import { condition, make, seen, table } from "./testing/verdicts.ts";

describe("cluster-level kinds", () => {
  const definition = "apiextensions.k8s.io/v1/CustomResourceDefinition";
  const apiService = "apiregistration.k8s.io/v1/APIService";
  const claim = (phase: string): DynamicObject =>
    make("v1/PersistentVolumeClaim", { spec: { storageClassName: "fast" }, status: { phase } });
  const balanced = { type: "LoadBalancer" };
  table([
    ["a bound claim", claim("Bound"), "ready", "bound"],
    ["a claim without a volume", claim("Pending"), "progressing", "storage class fast"],
    ["a claim whose volume is lost", claim("Lost"), "failed", "lost"],
    ["a Service", make("v1/Service", { spec: { type: "ClusterIP" } }), "ready", "exists"],
    ["a load balancer without an address", make("v1/Service", { spec: balanced }), "progressing", "address"],
    [
      "a load balancer",
      make("v1/Service", { spec: balanced, status: { loadBalancer: { ingress: [{ ip: "192.0.2.1" }] } } }),
      "ready",
      "address",
    ],
    [
      "a load balancer by hand",
      make("v1/Service", { spec: { ...balanced, externalIPs: ["192.0.2.1"] } }),
      "ready",
      "address",
    ],
    ["a namespace", make("v1/Namespace", { status: { phase: "Active" } }), "ready", "exists"],
    ["a leaving namespace", make("v1/Namespace", { status: { phase: "Terminating" } }), "progressing", "deleted"],
    ["a new definition", make(definition), "progressing", "not served yet"],
    ["a definition", make(definition, { status: { conditions: [condition("Established")] } }), "ready", "served"],
    [
      "a definition with taken names",
      make(definition, { status: { conditions: [condition("NamesAccepted", "False", { message: "taken by y" })] } }),
      "failed",
      "taken by y",
    ],
    ["an API service", make(apiService, { status: { conditions: [condition("Available")] } }), "ready", "available"],
    ["a new API service", make(apiService), "progressing", "API availability not checked yet"],
    [
      "an API service that does not answer",
      make(apiService, { status: { conditions: [condition("Available", "False", { reason: "MissingEndpoints" })] } }),
      "progressing",
      "MissingEndpoints",
    ],
    ["an Ingress", make("networking.k8s.io/v1/Ingress", { status: { loadBalancer: {} } }), "ready", "exists"],
    ["a CronJob", make("batch/v1/CronJob"), "ready", "exists"],
    [
      "an autoscaler without metrics",
      make("autoscaling/v2/HorizontalPodAutoscaler", { status: { conditions: [condition("ScalingActive", "False")] } }),
      "ready",
      "exists",
    ],
    ["a budget", make("policy/v1/PodDisruptionBudget", { status: { observedGeneration: 1 } }), "ready", "exists"],
  ]);
});

describe("any other kind", () => {
  const other = (...conditions: readonly object[]): DynamicObject => make("a.b/v1/Thing", { status: { conditions } });
  table([
    ["without a status", make("a.b/v1/Thing"), "ready", "exists"],
    [
      "on its way out",
      make("a.b/v1/Thing", { metadata: { deletionTimestamp: "now" } }),
      "progressing",
      "being deleted",
    ],
    [
      "not looked at",
      make("a.b/v1/Thing", { status: { observedGeneration: 1 } }),
      "progressing",
      "latest spec not observed",
    ],
    ["ready", other(condition("Ready")), "ready", "ready"],
    ["not ready", other(condition("Ready", "False", { message: "no DNS" })), "progressing", "not ready: no DNS"],
    ["not known", other(condition("Available", "Unknown")), "progressing", "not available: Available is Unknown"],
    ["synced and not ready", other(condition("Synced"), condition("Ready", "False")), "progressing", "not ready"],
    ["ready and not synced", other(condition("Ready"), condition("Synced", "False")), "progressing", "not synced"],
    ["stalled", other(condition("Ready", "False"), condition("Stalled", "True", { message: "bad" })), "failed", "bad"],
    ["failed", other(condition("Failed", "True", { reason: "Broken" })), "failed", "Broken"],
    ["not failed", other(condition("Failed", "False")), "ready", "exists"],
    ["at work", other(condition("Ready"), condition("Reconciling")), "progressing", "Reconciling"],
    ["that says something else", other(condition("Weather", "False")), "ready", "exists"],
  ]);
});

describe("any object", () => {
  const kinds = [
    "apps/v1/Deployment",
    "apps/v1/StatefulSet",
    "apps/v1/DaemonSet",
    "batch/v1/Job",
    "v1/Pod",
    "v1/Service",
  ];
  const body = fc.record({ spec: fc.jsonValue(), status: fc.jsonValue() });
  const lively = fc.record({
    spec: fc.dictionary(fc.constantFrom("replicas", "type", "suspend", "paused", "updateStrategy"), fc.jsonValue()),
    status: fc.dictionary(fc.constantFrom("conditions", "phase", "replicas", "containerStatuses"), fc.jsonValue()),
  });

  it("gets a verdict with a short message on one line", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds, "a.b/v1/Thing"), fc.oneof(body, lively), (kind, content) => {
        const { state, message } = readinessOf(make(kind, content));
        expect(["ready", "progressing", "failed"]).toContain(state);
        expect(message).toMatch(/^.{1,600}$/);
      }),
    );
  });

  it("is never ready while it is being deleted", () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds, "v1/ConfigMap"), body, (kind, content) => {
        const object = make(kind, { ...content, metadata: { deletionTimestamp: "2026-01-01T00:00:00Z" } });
        expect(readinessOf(object).state).toBe("progressing");
      }),
    );
  });

  it("is ready as a Deployment exactly when its counts say so", () => {
    const count = fc.integer({ min: 0, max: 4 });
    fc.assert(
      fc.property(count, count, count, count, (wanted, replicas, updatedReplicas, availableReplicas) => {
        const status = { ...seen, replicas, updatedReplicas, availableReplicas };
        const { state } = readinessOf(make("apps/v1/Deployment", { spec: { replicas: wanted }, status }));
        const isDone = updatedReplicas === wanted && replicas <= updatedReplicas && availableReplicas >= wanted;
        expect(state === "ready").toBe(isDone);
      }),
    );
  });
});
