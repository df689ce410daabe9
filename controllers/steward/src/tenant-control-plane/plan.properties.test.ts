import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rotateAnnotation } from "./names.ts";
import { type SecretId, secretIds } from "./secrets/secret-names.ts";
import { encodeData } from "./secrets/secret-data.ts";
import { aControlPlane } from "./testing/objects.ts";
import { ControlPlaneModel } from "./testing/control-plane-model.ts";

/** Something that happens to a control plane. */
type Disturbance =
  | { readonly what: "remove" | "spoil" | "rotate"; readonly id: SecretId }
  | { readonly what: "scale"; readonly replicas: number }
  | { readonly what: "wait"; readonly days: number }
  | { readonly what: "version"; readonly patch: number }
  | { readonly what: "name"; readonly name: string }
  | { readonly what: "pass" };

const ownSecrets = secretIds.filter((id) => !id.startsWith("etcd"));

const disturbance: fc.Arbitrary<Disturbance> = fc.oneof(
  fc.record({
    what: fc.constantFrom("remove", "spoil", "rotate"),
    id: fc.constantFrom(...ownSecrets),
  }) as fc.Arbitrary<Disturbance>,
  fc.record({ what: fc.constant("scale"), replicas: fc.nat({ max: 3 }) }) as fc.Arbitrary<Disturbance>,
  fc.record({ what: fc.constant("wait"), days: fc.nat({ max: 300 }) }) as fc.Arbitrary<Disturbance>,
  fc.record({ what: fc.constant("version"), patch: fc.nat({ max: 9 }) }) as fc.Arbitrary<Disturbance>,
  fc.record({
    what: fc.constant("name"),
    name: fc.constantFrom("a.example.com", "b.example.com"),
  }) as fc.Arbitrary<Disturbance>,
  fc.constant<Disturbance>({ what: "pass" }),
);

async function happen(model: ControlPlaneModel, event: Disturbance): Promise<void> {
  switch (event.what) {
    case "remove":
      if (event.id in model.observed.secrets) model.remove(event.id);
      return;
    case "spoil": {
      if (!(event.id in model.observed.secrets)) return;
      const keys = Object.keys(model.secret(event.id).data);
      const rubbish = Object.fromEntries(keys.map((key) => [key, "rubbish"]));
      model.edit(event.id, { data: encodeData(rubbish) });
      return;
    }
    case "rotate":
      if (event.id in model.observed.secrets) {
        model.edit(event.id, { annotations: { ...model.secret(event.id).annotations, [rotateAnnotation]: "" } });
      }
      return;
    case "scale":
      model.change((spec) => ({
        ...spec,
        controlPlane: {
          ...spec.controlPlane,
          deployment: { ...spec.controlPlane.deployment, replicas: event.replicas },
        },
      }));
      return;
    case "wait":
      model.now = new Date(model.now.getTime() + event.days * 86_400_000);
      return;
    case "version":
      model.change((spec) => ({ ...spec, kubernetes: { ...spec.kubernetes, version: `v1.36.${event.patch}` } }));
      return;
    case "name":
      model.change((spec) => ({ ...spec, networkProfile: { ...spec.networkProfile, certSANs: [event.name] } }));
      return;
    case "pass":
      await model.pass();
  }
}

describe("whatever happens to a control plane", () => {
  it("settles in the desired state, and then stays unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(disturbance, { maxLength: 12 }), async (events) => {
        const model = new ControlPlaneModel(aControlPlane());
        for (const event of events) await happen(model, event);
        await model.settleRunning();
        const { replicas } = model.tcp.spec.controlPlane.deployment;
        expect(model.phase).toBe(replicas === 0 ? "Sleeping" : "Ready");
        expect(model.condition("Ready")?.status).toBe(replicas === 0 ? "False" : "True");
        expect(model.condition("CertificatesReady")?.status).toBe("True");
        expect(model.tcp.status?.observedGeneration).toBe(model.tcp.metadata.generation);
        expect(model.tcp.status?.kubernetesResources?.version?.version).toBe(model.tcp.spec.kubernetes.version);
        expect(Object.keys(model.observed.secrets).sort()).toEqual([...ownSecrets].sort());
        const [secrets, pods] = [new Map(model.secrets), model.podAnnotations];
        expect(await model.settle()).toHaveLength(1);
        expect(new Map(model.secrets)).toEqual(secrets);
        expect(model.podAnnotations).toEqual(pods);
      }),
      { numRuns: 40 },
    );
  });

  it("is deleted on request at any moment, with nothing left in the store", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(disturbance, { maxLength: 6 }), fc.nat({ max: 5 }), async (events, passes) => {
        const model = new ControlPlaneModel(aControlPlane());
        for (const event of events) await happen(model, event);
        for (let count = 0; count < passes; count++) await model.pass();
        model.delete();
        const records = [await model.pass(), await model.pass(), await model.pass()];
        expect(records.at(-1)?.plan.finalizer).toBe("release");
        expect(records.at(-1)?.plan.effects ?? []).toEqual([]);
        expect(model.storeCalls.at(-1)).toMatch(/^remove /);
      }),
      { numRuns: 40 },
    );
  });
});
