import { StewardControlPlane, TenantControlPlane } from "@butler/api";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, type DynamicObject, isBeingDeleted, isConditionTrue, type ObjectKey } from "@butler/resource";
import { sleep, systemClock } from "@butler/std";
import { ignoreRaces } from "@butler/testkit";
import { anAdminSecret, anAuthoritySecret, servingStatus } from "./objects.ts";

const finalizer = "example.com/played";

/** Simulates the TenantControlPlane controller. */
export class PlayedSteward {
  readonly #client: ApiClient;
  readonly #namespace: string;

  constructor(client: ApiClient, namespace: string) {
    this.#client = client;
    this.#namespace = namespace;
  }

  /** Creates the Secrets of a TenantControlPlane, or recreates them with other content. */
  async issue(
    name: string,
    content: { readonly kubeconfig?: string; readonly certificate?: string } = {},
  ): Promise<void> {
    const tenant = await this.#client.get(TenantControlPlane, this.#key(name));
    await this.#write(anAdminSecret(tenant, content.kubeconfig));
    await this.#write(anAuthoritySecret(tenant, content.certificate));
  }

  /** Sets the status of a TenantControlPlane. */
  async report(name: string, status: TenantControlPlane["status"]): Promise<void> {
    await this.#client.patch(TenantControlPlane, this.#key(name), {
      type: "merge",
      subresource: "status",
      patch: { status },
    });
  }

  /** Reports that a TenantControlPlane serves its spec. */
  async serve(name: string): Promise<void> {
    const { metadata, spec } = await this.#client.get(TenantControlPlane, this.#key(name));
    const { version } = spec.kubernetes;
    const { replicas } = spec.controlPlane.deployment;
    const status = servingStatus({ version, replicas, name });
    await this.report(name, { ...status, observedGeneration: metadata.generation });
  }

  /**
   * Completes every creation and deletion of TenantControlPlanes, each step after the provider has reported the
   * previous one.
   */
  async play(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const { items } = await this.#client.list(TenantControlPlane, { namespace: this.#namespace });
      for (const tenant of items) await this.#step(tenant).catch(ignoreRaces);
      await sleep(systemClock, 10, signal).catch(() => undefined);
    }
  }

  async #step(tenant: TenantControlPlane): Promise<void> {
    const { name, finalizers = [] } = tenant.metadata;
    const controlPlane = await this.#client.find(StewardControlPlane, this.#key(name));
    const says = (type: string): boolean => isConditionTrue(controlPlane?.status?.conditions, type);
    if (isBeingDeleted(tenant)) return says("Deleting") ? this.#hold(name, []) : undefined;
    if (finalizers.length === 0) return this.#hold(name, [finalizer]);
    if (!says("TenantControlPlaneCreated")) return;
    if ((await this.#client.find(builtinKinds.Secret, this.#key(`${name}-ca`))) === undefined) return this.issue(name);
    if (isBehind(tenant) && awaitedWords(tenant).some(says)) await this.serve(name);
  }

  #hold(name: string, finalizers: string[]): Promise<void> {
    const patch = { metadata: { finalizers } };
    return this.#client.patch(TenantControlPlane, this.#key(name), { type: "merge", patch }).then(() => undefined);
  }

  async #write({ metadata, ...secret }: DynamicObject): Promise<void> {
    const { uid: _uid, ...rest } = metadata;
    const object = { ...secret, metadata: { ...rest, namespace: this.#namespace } };
    await this.#client.apply(builtinKinds.Secret, object, { fieldManager: "played-steward" });
  }

  #key(name: string): ObjectKey {
    return { name, namespace: this.#namespace };
  }
}

function isBehind({ metadata, status }: TenantControlPlane): boolean {
  return status?.observedGeneration !== metadata.generation;
}

/** The report of the provider that the next step waits for. */
function awaitedWords({ status }: TenantControlPlane): readonly string[] {
  return status?.observedGeneration === undefined
    ? ["CertificatesAvailable"]
    : ["RollingOut", "ScalingUp", "ScalingDown"];
}
