import { allResources, IPAllocation, TenantCluster, User } from "@butler/api";
import type { DynamicObject } from "@butler/resource";
import { deepFreeze } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openSealed, sealFiles } from "../archive/sealed.ts";
import { packBackup, unpackBackup } from "./backup-file.ts";
import { butlerKinds } from "./backup-kinds.ts";
import { idOf, inOrder, ownersOf } from "./order.ts";
import { planRestore } from "./plan-restore.ts";
import { portable, type PortableObject } from "./portable.ts";
import { secretPaths, secretsOf } from "./secret-references.ts";

const manifest = {
  createdAt: "2026-11-16T02:00:00.000Z",
  butler: "0.1.0",
  kubernetes: "v1.36.3",
  cluster: "u",
  withSecrets: false,
};

function anObject(kind: string, name: string, further: Partial<PortableObject> = {}): PortableObject {
  return { apiVersion: "butler.butlerlabs.dev/v1alpha1", kind, metadata: { name }, spec: {}, ...further };
}

describe("secretPaths", () => {
  it("finds every Secret reference of Butler's kinds", () => {
    const found = butlerKinds.flatMap((kind) => secretPaths(kind).map((path) => `${kind.kind} ${path.join(".")}`));
    expect(found.sort()).toEqual([
      "AddonDefinition spec.chart.credentialsRef",
      "ButlerConfig spec.gitProvider.secretRef",
      "ButlerConfig spec.imageFactory.credentialsRef",
      "ClusterBootstrap spec.addons.capi.infrastructureProviders.*.credentialsSecretRef",
      "IdentityProvider spec.oidc.clientSecretRef",
      "IdentityProvider spec.oidc.googleWorkspace.serviceAccountSecretRef",
      "ProviderConfig spec.credentialsRef",
      "TenantAddon spec.helm.credentialsRef",
      "TenantCluster spec.addons.gitops.repository.secretRef",
      // Recreated with the cluster; like status, not part of a backup.
      "TenantCluster status.kubeconfigSecretRef",
      "User status.passwordSecretRef",
      "Workspace spec.repositories.*.secretRef",
      "Workspace spec.repository.secretRef",
      "WorkspaceTemplate spec.template.repositories.*.secretRef",
      "WorkspaceTemplate spec.template.repository.secretRef",
    ]);
  });

  it("defaults to the namespace of the object", () => {
    const provider = allResources.find(({ kind }) => kind === "ProviderConfig");
    if (provider === undefined) throw new Error("there is no such kind");
    const object = anObject("ProviderConfig", "lab", { metadata: { name: "lab", namespace: "payments" } });
    const refers = (credentialsRef: object): object[] =>
      secretsOf(provider, { ...object, spec: { credentialsRef } } as DynamicObject);
    expect(refers({ name: "key" })).toEqual([{ name: "key", namespace: "payments" }]);
    expect(refers({ name: "key", namespace: "other" })).toEqual([{ name: "key", namespace: "other" }]);
    expect(refers({})).toEqual([]);
  });
});

describe("portable", () => {
  it("keeps the desired state, and nothing specific to one cluster", () => {
    const live = deepFreeze({
      ...anObject("Team", "payments"),
      metadata: {
        name: "payments",
        uid: "1",
        resourceVersion: "2",
        generation: 3,
        creationTimestamp: "2026-01-01T00:00:00Z",
        finalizers: ["x"],
        labels: { a: "b" },
        annotations: { "kubectl.kubernetes.io/last-applied-configuration": "{}" },
        ownerReferences: [{ apiVersion: "v1", kind: "Namespace", name: "n", uid: "9", controller: true }],
        managedFields: [],
      },
      status: { phase: "Ready" },
    });
    expect(portable(live)).toEqual({
      ...anObject("Team", "payments"),
      metadata: { name: "payments", labels: { a: "b" } },
      owners: [{ apiVersion: "v1", kind: "Namespace", name: "n", controller: true }],
    });
  });

  it("keeps allocated addresses and the reference to a password", () => {
    const claim = anObject(IPAllocation.kind, "lb", {
      spec: { count: 2 },
      status: { startAddress: "10.0.0.1", endAddress: "10.0.0.2" },
    });
    expect(portable(claim)["spec"]).toEqual({
      count: 2,
      pinnedRange: { startAddress: "10.0.0.1", endAddress: "10.0.0.2" },
    });
    const user = anObject(User.kind, "ada", { status: { phase: "Active", passwordSecretRef: { name: "p" } } });
    expect(portable(user)["status"]).toEqual({ passwordSecretRef: { name: "p" } });
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.string()), fc.jsonValue(), (labels, spec) => {
        const once = portable({
          ...anObject("Team", "x"),
          metadata: { name: "x", labels, uid: "1" },
          spec,
        } as DynamicObject);
        expect(portable(once)).toEqual(once);
      }),
    );
  });
});

describe("inOrder", () => {
  it("returns every object once, owners before their dependents, for any ownership", () => {
    const names = fc.constantFrom("a", "b", "c", "d");
    const kinds = fc.constantFrom("Team", "User", "TenantCluster", "TenantAddon", "Secret");
    const object = fc.record({ kind: kinds, name: names, owner: fc.option(fc.record({ kind: kinds, name: names })) });
    fc.assert(
      fc.property(fc.uniqueArray(object, { selector: ({ kind, name }) => `${kind} ${name}` }), (list) => {
        const objects = list.map(({ kind, name, owner }) =>
          anObject(kind, name, owner === null ? {} : { owners: [{ apiVersion: "v1", ...owner }] }),
        );
        const ordered = inOrder(objects);
        expect(new Set(ordered)).toEqual(new Set(objects));
        expect(ordered.length).toBe(objects.length);
        if (hasCycle(objects)) return;
        const at = new Map(ordered.map((each, place) => [idOf(each), place]));
        for (const each of ordered) {
          for (const owner of ownersOf(each)) expect(at.get(owner) ?? -1).toBeLessThan(at.get(idOf(each)) ?? 0);
        }
      }),
    );
  });
});

function hasCycle(objects: readonly PortableObject[]): boolean {
  const byId = new Map(objects.map((each) => [idOf(each), each]));
  return objects.some((start) => {
    let current: PortableObject | undefined = start;
    for (let step = 0; step <= objects.length; step += 1) {
      const next: string | undefined = current === undefined ? undefined : ownersOf(current)[0];
      current = next === undefined ? undefined : byId.get(next);
      if (current === undefined) return false;
    }
    return true;
  });
}

describe("a backup's file", () => {
  const objects = [
    anObject("Team", "payments"),
    anObject("User", "x".repeat(253), { spec: { email: "yes: 'no'\n- #" } }),
  ];

  it("returns the packed objects for any text", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.dictionary(fc.string(), fc.string(), { maxKeys: 5 }), { maxLength: 5 }),
        async (specs) => {
          const some = specs.map((spec, at) => anObject("Team", `t${at}`, { spec }));
          const back = await unpackBackup(await packBackup({ manifest, objects: some }));
          expect(back).toEqual({ manifest, objects: some });
        },
      ),
      { numRuns: 50 },
    );
    expect((await unpackBackup(await packBackup({ manifest, objects }))).objects).toEqual(objects);
  });

  it("is rejected when it is truncated or any byte was changed", async () => {
    const packed = await packBackup({ manifest, objects });
    await fc.assert(
      fc.asyncProperty(fc.nat({ max: packed.length - 2 }), async (length) => {
        await expect(unpackBackup(packed.subarray(0, length))).rejects.toMatchObject({ code: "INVALID_INPUT" });
      }),
      { numRuns: 60 },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 12, max: packed.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, flip) => {
          const changed = Buffer.from(packed);
          changed[at] = (changed[at] ?? 0) ^ flip;
          await expect(unpackBackup(changed)).rejects.toMatchObject({ code: "INVALID_INPUT" });
        },
      ),
      { numRuns: 60 },
    );
  });

  it("is rejected with an additional or a missing file", async () => {
    const files = [...(await openSealed(await packBackup({ manifest, objects })))].map(([path, content]) => ({
      path,
      content,
    }));
    const more = [...files, { path: "objects/000099-more.yaml", content: Buffer.from("kind: Team\n") }];
    for (const wrong of [more, files.slice(0, -1), files.slice(1)]) {
      await expect(unpackBackup(await sealFiles(wrong, new Date(0)))).rejects.toMatchObject({ code: "INVALID_INPUT" });
    }
  });
});

describe("planRestore", () => {
  const kept = anObject("User", "ada", { spec: { email: "a" } });
  const live = (spec: object, metadata: object = {}): PortableObject =>
    ({ ...kept, spec, metadata: { name: "ada", uid: "1", ...metadata } }) as PortableObject;
  const changedAt = (time: string): object => ({ managedFields: [{ manager: "x", time }] });
  const plan = (there: PortableObject | undefined, overwrite = false) =>
    planRestore({
      objects: [kept],
      live: new Map(there === undefined ? [] : [[idOf(kept), there]]),
      createdAt: manifest.createdAt,
      overwrite,
      paused: false,
    })[0];

  it.each([
    { name: "absent", there: undefined, action: "create" },
    { name: "the same", there: live({ email: "a" }), action: "unchanged" },
    { name: "different", there: live({ email: "b" }), action: "conflict", because: /differs: spec\.email/ },
    {
      name: "newer",
      there: live({ email: "b" }, changedAt("2026-11-16T03:00:00Z")),
      action: "conflict",
      because: /changed after the backup/,
    },
    {
      name: "on its way out",
      there: live({ email: "a" }, { deletionTimestamp: "2026-11-16T03:00:00Z" }),
      action: "conflict",
      because: /being deleted/,
    },
  ])("$name: $action", ({ there, action, because }) => {
    const step = plan(there);
    expect(step?.action).toBe(action);
    if (because !== undefined) expect(step).toMatchObject({ because: expect.stringMatching(because) as string });
  });

  it("replaces only objects that differ, only with --overwrite, and never objects that are being deleted", () => {
    expect(plan(live({ email: "b" }), true)?.action).toBe("replace");
    expect(plan(live({ email: "a" }), true)?.action).toBe("unchanged");
    expect(plan(live({ email: "b" }, { deletionTimestamp: "x" }), true)?.action).toBe("conflict");
  });

  it("never reports values that differ, because they may be secret", () => {
    const secret = anObject("Secret", "s", { data: { token: "aHVudGVyMg==" }, apiVersion: "v1" });
    const there = { ...secret, data: { token: "b3RoZXI=" } };
    const steps = planRestore({
      objects: [secret],
      live: new Map([[idOf(secret), there]]),
      createdAt: "",
      overwrite: false,
      paused: false,
    });
    const [step] = steps;
    expect(step).toMatchObject({ because: "differs: data.token" });
  });

  it("creates tenant clusters paused on request, and treats a paused one as unchanged", () => {
    const cluster = anObject(TenantCluster.kind, "shop", { spec: { a: 1 } });
    const input = { objects: [cluster], createdAt: "", overwrite: false, paused: true };
    expect(planRestore({ ...input, live: new Map() })[0]?.object["spec"]).toEqual({ a: 1, paused: true });
    const held = { ...cluster, spec: { a: 1, paused: true } };
    expect(planRestore({ ...input, live: new Map([[idOf(cluster), held]]) })[0]?.action).toBe("unchanged");
  });
});
