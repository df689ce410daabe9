import { type StewardControlPlane, TenantControlPlane } from "@butler/api";
import { type Cluster, clusterNameLabel } from "@butler/api-external";
import type { Plan } from "@butler/controller";
import { controllerReference, type DynamicObject, mergeConditions, parseObject } from "@butler/resource";
import { type PlanTrial, settleDeletion, settleToFixedPoint } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isControlledBy } from "./membership.ts";
import { type ControlPlaneEffect, type Observed, plan } from "./plan.ts";
import {
  aCluster,
  aClusterSecret,
  aControlPlane,
  anAdminSecret,
  anAuthoritySecret,
  aSecretOf,
  aTenant,
  endpoint,
  servingStatus,
} from "./testing/objects.ts";
import { deletionTimestamp, now } from "./testing/observed-with.ts";

type Effects = readonly ControlPlaneEffect[];

/** Simulates the effects of a plan: the API server, the TenantControlPlane controller and the infrastructure. */
function settle(before: Observed, decided: Plan<ControlPlaneEffect>): Observed {
  const { apply = [], remove = [], effects = [] } = decided;
  const isRemoved = (object: { metadata: { name: string } } | undefined) =>
    remove.some(({ name }) => name === object?.metadata.name);
  const secret = (name: string) => apply.find(({ kind, metadata }) => kind === "Secret" && metadata.name === name);
  const owned = (object: object | undefined, old: DynamicObject | undefined): DynamicObject | undefined => {
    if (object === undefined) return isRemoved(old) ? undefined : old;
    const { metadata, ...rest } = object as DynamicObject;
    const ownerReferences = [controllerReference(before.controlPlane)];
    return { ...rest, metadata: { ...metadata, uid: `uid-of-${metadata.name}`, ownerReferences } };
  };
  const clusterName = before.cluster?.metadata.name ?? "";
  const tenant = tenantAfter(before, { apply, isRemoved });
  return {
    ...before,
    tenant,
    controlPlane: controlPlaneAfter(before.controlPlane, decided, effects),
    infrastructure: infrastructureAfter(before, effects),
    secrets: {
      ...before.secrets,
      clusterKubeconfig: owned(secret(`${clusterName}-kubeconfig`), before.secrets.clusterKubeconfig),
      clusterAuthority: owned(secret(`${clusterName}-ca`), before.secrets.clusterAuthority),
    },
  };
}

function tenantAfter(
  { tenant, controlPlane }: Observed,
  { apply, isRemoved }: { apply: readonly object[]; isRemoved: (object: TenantControlPlane | undefined) => boolean },
): TenantControlPlane | undefined {
  if (isRemoved(tenant)) return undefined;
  const made = apply.find((object) => (object as { kind: string }).kind === TenantControlPlane.kind);
  if (made === undefined) return tenant;
  const { metadata, spec } = parseObject(TenantControlPlane, made);
  const status = servingStatus({ version: spec.kubernetes.version, replicas: spec.controlPlane.deployment.replicas });
  const ownerReferences = [controllerReference(controlPlane)];
  return {
    apiVersion: TenantControlPlane.apiVersion,
    kind: TenantControlPlane.kind,
    metadata: { ...metadata, uid: "uid-of-tenant", ownerReferences },
    spec,
    status,
  };
}

function controlPlaneAfter(
  controlPlane: StewardControlPlane,
  { status, conditions }: Plan<ControlPlaneEffect>,
  effects: Effects,
): StewardControlPlane {
  const { metadata, spec } = controlPlane;
  const { generation = 0 } = metadata;
  const published = effects.find(({ type }) => type === "setEndpoint");
  const stated =
    conditions === undefined
      ? {}
      : { conditions: mergeConditions({ current: undefined, stated: conditions, generation, now }) };
  return {
    ...controlPlane,
    metadata: { ...metadata, generation: generation + (published === undefined ? 0 : 1) },
    spec: published === undefined ? spec : { ...spec, controlPlaneEndpoint: published.endpoint },
    status: { ...(status ?? controlPlane.status), ...stated } as NonNullable<StewardControlPlane["status"]>,
  };
}

function infrastructureAfter({ infrastructure }: Observed, effects: Effects): Observed["infrastructure"] {
  const announcement = effects.find(({ type }) => type === "announceEndpoint");
  if (announcement === undefined || infrastructure === undefined) return infrastructure;
  return { ...infrastructure, endpoint: announcement.endpoint, isProvisioned: true };
}

const named = (name: string, kind: string | undefined, spec: Cluster["spec"] = {}): Cluster => {
  const infrastructureRef = kind && { apiGroup: "infrastructure.cluster.x-k8s.io", kind, name: "blue" };
  return aCluster({ name, spec: { infrastructureRef: infrastructureRef || undefined, ...spec } });
};

const anyCluster = fc.oneof(
  fc.constant(undefined),
  fc.constant(named("blue", "LocalCluster", { paused: true })),
  fc
    .tuple(
      fc.constantFrom("blue", "green"),
      fc.constantFrom(undefined, "LocalCluster", "ProxmoxCluster", "Metal3Cluster", "OpenStackCluster", "MoonCluster"),
      fc.constantFrom("10.96.0.0/16", "10.0.0.0/30", "fd00::/112"),
    )
    .map(([name, kind, range]) => named(name, kind, { clusterNetwork: { services: { cidrBlocks: [range] } } })),
);

const anyInfrastructure = fc.option(
  fc.record({
    uid: fc.constant("u"),
    endpoint: fc.constantFrom(undefined, endpoint, { host: "192.0.2.1", port: 443 }),
    isOurs: fc.boolean(),
    isProvisioned: fc.boolean(),
  }),
  { nil: undefined },
);

const anySecrets = fc.record({
  admin: fc.constantFrom(undefined, anAdminSecret()),
  authority: fc.constantFrom(undefined, anAuthoritySecret(), anAuthoritySecret(aTenant(undefined, { labels: {} }))),
  clusterKubeconfig: fc.constantFrom(
    undefined,
    aClusterSecret("kubeconfig"),
    aSecretOf("blue-kubeconfig", { data: { value: "by hand" } }),
    aSecretOf("blue-kubeconfig", { data: {} }),
  ),
  clusterAuthority: fc.constantFrom(undefined, aClusterSecret("ca", "green")),
});

const anyControlPlane = fc
  .record({
    replicas: fc.constantFrom(0, 1, 2),
    version: fc.constantFrom("v1.36.3", "1.35.4"),
    controlPlaneEndpoint: fc.constantFrom(undefined, endpoint, { host: "10.0.0.1", port: 1 }),
    isInitialized: fc.boolean(),
  })
  .map(({ isInitialized, ...spec }) => {
    const status = isInitialized ? { initialized: true, initialization: { controlPlaneInitialized: true } } : {};
    return aControlPlane({ spec, status });
  });

const anyObserved: fc.Arbitrary<Observed> = fc
  .record({
    controlPlane: anyControlPlane,
    cluster: anyCluster,
    secrets: anySecrets,
    infrastructure: anyInfrastructure,
    tenant: fc.constantFrom<TenantControlPlane | undefined>(
      undefined,
      aTenant(),
      aTenant(undefined, { status: servingStatus({ version: "v1.35.4" }) }),
      aTenant(aControlPlane({ uid: "another-owner" }), { status: servingStatus() }),
      aTenant(undefined, { deletionTimestamp, status: servingStatus() }),
    ),
  })
  .map((observed) => ({ ...observed }));

const trial = (observed: Observed): PlanTrial<Observed, ControlPlaneEffect> => ({ plan, observed, now, settle });
const isInitialized = ({ controlPlane }: Observed) => controlPlane.status?.initialized === true;
const isOurs = ({ tenant, controlPlane }: Observed) => tenant !== undefined && isControlledBy(tenant, controlPlane);

describe("every plan for a control plane", () => {
  it("settles, and never unsets initialized", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        const { observed: rest } = settleToFixedPoint(trial(observed));
        if (isInitialized(observed)) expect(isInitialized(rest)).toBe(true);
      }),
    );
  });

  it("initializes a control plane that nothing blocks", () => {
    const smooth = fc.record({
      controlPlane: anyControlPlane,
      cluster: fc.constantFrom(
        named("blue", "ProxmoxCluster"),
        named("green", "LocalCluster"),
        named("green", "MoonCluster"),
      ),
    });
    fc.assert(
      fc.property(smooth, ({ controlPlane, cluster }) => {
        const labels = { [clusterNameLabel]: cluster.metadata.name };
        const secrets = { admin: anAdminSecret(), authority: anAuthoritySecret(aTenant(controlPlane, { labels })) };
        const none = { clusterKubeconfig: undefined, clusterAuthority: undefined };
        const infrastructure = { uid: "u", endpoint: undefined, isOurs: false, isProvisioned: false };
        const start = { controlPlane, cluster, tenant: undefined, secrets: { ...secrets, ...none }, infrastructure };
        const { observed: rest } = settleToFixedPoint(trial(start));
        expect(rest.controlPlane.spec.controlPlaneEndpoint).toEqual(endpoint);
        expect(rest.controlPlane.status).toMatchObject({ initialized: true, ready: true });
        if (cluster.spec?.infrastructureRef?.kind === "ProxmoxCluster") {
          expect(rest.infrastructure?.endpoint).toEqual(endpoint);
        }
      }),
    );
  });

  it("never reports initialized before Cluster API has all that it needs then", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        const { status = {} } = plan(observed);
        if (isInitialized(observed) || status["initialized"] !== true) return;
        const { controlPlane, cluster, secrets } = observed;
        expect(isOurs(observed)).toBe(true);
        expect(controlPlane.spec.controlPlaneEndpoint).toEqual(endpoint);
        expect(secrets.clusterKubeconfig).toBeDefined();
        expect(cluster?.metadata.name === "blue" ? secrets.authority : secrets.clusterAuthority).toBeDefined();
      }),
    );
  });

  it("creates and deletes only its own objects, in its own namespace", () => {
    fc.assert(
      fc.property(anyObserved, fc.boolean(), (observed, isDeleted) => {
        const { metadata } = observed.controlPlane;
        const controlPlane = isDeleted
          ? { ...observed.controlPlane, metadata: { ...metadata, deletionTimestamp } }
          : observed.controlPlane;
        const { apply = [], remove = [] } = plan({ ...observed, controlPlane });
        const clusterName = observed.cluster?.metadata.name ?? "";
        const allowed = [
          `TenantControlPlane ${metadata.name}`,
          `Secret ${clusterName}-kubeconfig`,
          ...(clusterName === metadata.name ? [] : [`Secret ${clusterName}-ca`]),
        ];
        for (const object of apply) {
          expect(allowed).toContain(`${object.kind} ${object.metadata.name}`);
          expect(object.metadata.namespace).toBe(metadata.namespace);
        }
        if (observed.tenant !== undefined && !isOurs(observed)) {
          expect([...apply, ...remove.map(({ kind }) => kind)].map(({ kind }) => kind)).not.toContain(
            "TenantControlPlane",
          );
        }
        expect(JSON.stringify(apply)).not.toContain(Buffer.from("secret key").toString("base64"));
      }),
    );
  });

  it("completes a deletion, and leaves none of its objects behind", () => {
    fc.assert(
      fc.property(anyObserved, (observed) => {
        const { controlPlane } = observed;
        const deleted = { ...controlPlane, metadata: { ...controlPlane.metadata, deletionTimestamp } };
        const left = settleDeletion(trial({ ...observed, controlPlane: deleted }));
        if (observed.cluster?.spec?.paused === true) return;
        expect(isOurs(left)).toBe(false);
        const { clusterKubeconfig, clusterAuthority } = left.secrets;
        for (const secret of [clusterKubeconfig, clusterAuthority]) {
          expect(secret === undefined || !isControlledBy(secret, deleted)).toBe(true);
        }
      }),
    );
  });
});
