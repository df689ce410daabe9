import { type AdmissionHandler, judgeAdmission, type KubeClient } from "@butler/kube";
import type { DynamicObject, Resource } from "@butler/resource";
import { controlPlaneAdmission, dataStoreAdmission, tenantControlPlaneAdmission } from "@butler/steward";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { platformAdmission } from "./platform-admission.ts";

/** An empty API server: what a rule reads does not exist. */
const client = {
  find: () => Promise.resolve(undefined),
  list: () => Promise.resolve({ items: [], resourceVersion: "1", continueToken: undefined }),
  create: () => Promise.resolve({ status: { allowed: false } }),
  replace: () => Promise.resolve({}),
} as unknown as KubeClient;

const handlers: readonly AdmissionHandler[] = [
  ...platformAdmission({ client }),
  ...(tenantControlPlaneAdmission({ client }) as readonly AdmissionHandler[]),
  dataStoreAdmission(client),
  ...(controlPlaneAdmission as readonly unknown[] as readonly AdmissionHandler[]),
];
const named = handlers.map((handler) => [handler.path, handler] as const);
const metadata = { deletionTimestamp: "2026-01-01T00:00:00Z", finalizers: ["example.com/hold"] };

/** The example of a kind, held by a finalizer of its writer. */
function leavingExample({ kind }: AdmissionHandler): DynamicObject {
  const { example, apiVersion } = kind as Resource;
  const object = example as unknown as DynamicObject;
  return { ...object, apiVersion, kind: kind.kind, metadata: { ...object.metadata, ...metadata } };
}

async function refusalOf(handler: AdmissionHandler, oldObject: DynamicObject, object: DynamicObject) {
  const userInfo = { username: "pipeline", uid: "", groups: [] };
  const { name, namespace } = object.metadata;
  const request = { uid: "1", kind: handler.kind, subResource: undefined, name, namespace, userInfo, dryRun: true };
  const signal = AbortSignal.timeout(5_000);
  const response = await judgeAdmission(handler, { ...request, operation: "UPDATE", oldObject, object }, signal);
  return response.status?.message ?? "";
}

/** A value in the place of another, which is not the same. */
const changed = fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.dictionary(fc.string(), fc.string()));

describe("no order of operations passes a rule: an object held by a finalizer", () => {
  it.each(named)("%s refuses every change of its spec", async (_path, handler) => {
    const before = leavingExample(handler);
    const spec = before["spec"] as Record<string, unknown>;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(spec), "added"), changed, async (field, value) => {
        fc.pre(JSON.stringify(spec[field]) !== JSON.stringify(value));
        const after = { ...before, spec: { ...spec, [field]: value } };
        expect(await refusalOf(handler, before, after)).toContain("the object is being deleted");
      }),
      { numRuns: 30, seed: 19 },
    );
  });

  it.each(named)("%s lets its finalizers and labels be removed", async (_path, handler) => {
    const before = leavingExample(handler);
    const after = { ...before, metadata: { ...before.metadata, finalizers: [] } };
    expect(await refusalOf(handler, before, after)).toBe("");
    const labelled = { ...before, metadata: { ...before.metadata, labels: { ...before.metadata.labels, a: "b" } } };
    expect(await refusalOf(handler, labelled, before)).toBe("");
  });
});
