import { TenantControlPlane } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, findCondition, type Kind } from "@butler/resource";
import { rotateAnnotation } from "../names.ts";
import type { TenantReconciler } from "../ports/kept-tenants.ts";
import { aControlPlaneManifest, type ControlPlaneTraits } from "./objects.ts";
import { runSteward, type RunStewardOptions } from "./run-steward.ts";

/** Does not reconcile tenants. */
export const emptyTenants: TenantReconciler = {
  keep: () => Promise.resolve({ applied: 0 }),
  forget: () => Promise.resolve(),
};

/** The data of a Secret. */
export function secretDataOf(secret: DynamicObject): Record<string, string> {
  return secret["data"] as Record<string, string>;
}

/** Runs Steward during an operation. */
export async function withSteward(
  client: ApiClient,
  work: (steward: Awaited<ReturnType<typeof runSteward>>) => Promise<unknown>,
  options: RunStewardOptions = {},
): Promise<void> {
  const steward = await runSteward(client, { tenantSides: emptyTenants, ...options });
  try {
    await work(steward);
  } finally {
    await steward.stop();
  }
}

/** A control plane named blue in its own namespace, with helpers to inspect and change it. */
export class TestTenant {
  readonly namespace: string;
  readonly #client: ApiClient;
  readonly #traits: ControlPlaneTraits;
  /** The UID of the control plane, once it exists. */
  uid = "";

  constructor(client: ApiClient, namespace: string, traits: ControlPlaneTraits = {}) {
    this.#client = client;
    this.namespace = namespace;
    this.#traits = traits;
  }

  async create(): Promise<void> {
    const manifest = aControlPlaneManifest({ ...this.#traits, metadata: { namespace: this.namespace } });
    const made = await this.#client.create(TenantControlPlane, manifest);
    this.uid = made.metadata.uid ?? "";
  }

  at(name = "blue"): { name: string; namespace: string } {
    return { name, namespace: this.namespace };
  }

  controlPlane(): Promise<TenantControlPlane> {
    return this.#client.get(TenantControlPlane, this.at());
  }

  delete(): Promise<void> {
    return this.#client.delete(TenantControlPlane, this.at());
  }

  async isGone(): Promise<boolean> {
    return (await this.#client.find(TenantControlPlane, this.at())) === undefined;
  }

  /** Whether the current status of the control plane matches. */
  async says(type: string, reason: string): Promise<boolean> {
    const { metadata, status } = await this.controlPlane();
    const isCurrent = status?.observedGeneration === metadata.generation;
    return isCurrent && findCondition(status?.conditions, type)?.reason === reason;
  }

  secret(suffix: string): Promise<DynamicObject> {
    return this.#client.get(builtinKinds.Secret, this.at(`blue-${suffix}`));
  }

  find(kind: Kind, name = "blue"): Promise<DynamicObject | undefined> {
    return this.#client.find(kind, this.at(name));
  }

  async names(kind: Kind, labelSelector?: string): Promise<string[]> {
    const { items } = await this.#client.list(kind, { namespace: this.namespace, labelSelector });
    return items.map(({ metadata }) => metadata.name).sort();
  }

  async patch(kind: Kind, name: string, patch: object): Promise<void> {
    await this.#client.patch(kind, this.at(name), { type: "merge", patch });
  }

  patchSpec(spec: object): Promise<void> {
    return this.patch(TenantControlPlane, "blue", { spec });
  }

  annotate(annotations: Record<string, string>): Promise<void> {
    return this.patch(TenantControlPlane, "blue", { metadata: { annotations } });
  }

  /** Requests rotation of a Secret. */
  rotate(suffix: string): Promise<void> {
    return this.patch(builtinKinds.Secret, `blue-${suffix}`, { metadata: { annotations: { [rotateAnnotation]: "" } } });
  }

  /** Deletes the control plane without Steward. */
  async drop(): Promise<void> {
    await this.patch(TenantControlPlane, "blue", { metadata: { finalizers: null } }).catch(() => undefined);
    await this.delete().catch(() => undefined);
  }
}
