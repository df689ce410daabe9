import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rotateAnnotation } from "./names.ts";
import { type SecretId, secretIds } from "./secrets/secret-names.ts";
import { encodeData } from "./secrets/secret-data.ts";
import { aControlPlane } from "./testing/objects.ts";
import { PlayedWorld } from "./testing/played-world.ts";

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

async function happen(world: PlayedWorld, event: Disturbance): Promise<void> {
  switch (event.what) {
    case "remove":
      if (event.id in world.observed.secrets) world.remove(event.id);
      return;
    case "spoil": {
      if (!(event.id in world.observed.secrets)) return;
      const keys = Object.keys(world.secret(event.id).data);
      const rubbish = Object.fromEntries(keys.map((key) => [key, "rubbish"]));
      world.edit(event.id, { data: encodeData(rubbish) });
      return;
    }
    case "rotate":
      if (event.id in world.observed.secrets) {
        world.edit(event.id, { annotations: { ...world.secret(event.id).annotations, [rotateAnnotation]: "" } });
      }
      return;
    case "scale":
      world.change((spec) => ({
        ...spec,
        controlPlane: {
          ...spec.controlPlane,
          deployment: { ...spec.controlPlane.deployment, replicas: event.replicas },
        },
      }));
      return;
    case "wait":
      world.now = new Date(world.now.getTime() + event.days * 86_400_000);
      return;
    case "version":
      world.change((spec) => ({ ...spec, kubernetes: { ...spec.kubernetes, version: `v1.36.${event.patch}` } }));
      return;
    case "name":
      world.change((spec) => ({ ...spec, networkProfile: { ...spec.networkProfile, certSANs: [event.name] } }));
      return;
    case "pass":
      await world.pass();
  }
}

describe("whatever happens to a control plane", () => {
  it("settles in the desired state, and then stays unchanged", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(disturbance, { maxLength: 12 }), async (events) => {
        const world = new PlayedWorld(aControlPlane());
        for (const event of events) await happen(world, event);
        await world.settleRunning();
        const { replicas } = world.tcp.spec.controlPlane.deployment;
        expect(world.phase).toBe(replicas === 0 ? "Sleeping" : "Ready");
        expect(world.condition("Ready")?.status).toBe(replicas === 0 ? "False" : "True");
        expect(world.condition("CertificatesReady")?.status).toBe("True");
        expect(world.tcp.status?.observedGeneration).toBe(world.tcp.metadata.generation);
        expect(world.tcp.status?.kubernetesResources?.version?.version).toBe(world.tcp.spec.kubernetes.version);
        expect(Object.keys(world.observed.secrets).sort()).toEqual([...ownSecrets].sort());
        const [secrets, pods] = [new Map(world.secrets), world.podAnnotations];
        expect(await world.settle()).toHaveLength(1);
        expect(new Map(world.secrets)).toEqual(secrets);
        expect(world.podAnnotations).toEqual(pods);
      }),
      { numRuns: 40 },
    );
  });

  it("is deleted on request at any moment, with nothing left in the store", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(disturbance, { maxLength: 6 }), fc.nat({ max: 5 }), async (events, passes) => {
        const world = new PlayedWorld(aControlPlane());
        for (const event of events) await happen(world, event);
        for (let count = 0; count < passes; count++) await world.pass();
        world.delete();
        const records = [await world.pass(), await world.pass(), await world.pass()];
        expect(records.at(-1)?.plan.finalizer).toBe("release");
        expect(records.at(-1)?.plan.effects ?? []).toEqual([]);
        expect(world.storeCalls.at(-1)).toMatch(/^remove /);
      }),
      { numRuns: 40 },
    );
  });
});
