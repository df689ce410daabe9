import { StewardControlPlane, TenantAddon, TenantControlPlane } from "@butler/api";
import { Cluster, Machine, MachineDeployment, MachineSet } from "@butler/api-external";
import type { ApiClient } from "@butler/kube";
import { apiVersionOf, type DynamicObject, isBeingDeleted, type Kind, type KubeObject } from "@butler/resource";
import { deepEqual, sleep, systemClock } from "@butler/std";
import { ignoreRaces } from "@butler/testkit";

const finalizer = "example.com/played";

/** Simulates what Cluster API and Steward do with the objects of tenant clusters. */
export class PlayedClusterApi {
  readonly #client: ApiClient;
  readonly #installsAddons: boolean;

  constructor(client: ApiClient, { installsAddons = false }: { readonly installsAddons?: boolean } = {}) {
    this.#client = client;
    this.#installsAddons = installsAddons;
  }

  /** Runs until the signal aborts. */
  async play(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await this.#round().catch(ignoreRaces);
      await sleep(systemClock, 10, signal).catch(() => undefined);
    }
  }

  async #round(): Promise<void> {
    for (const cluster of await this.#list<Cluster>(Cluster)) {
      if (isBeingDeleted(cluster)) await this.#takeDown(cluster).catch(ignoreRaces);
      else await this.#bringUp(cluster).catch(ignoreRaces);
    }
    for (const deployment of await this.#list<MachineDeployment>(MachineDeployment)) {
      if (!isBeingDeleted(deployment)) await this.#follow(deployment).catch(ignoreRaces);
    }
    if (this.#installsAddons) await this.#install().catch(ignoreRaces);
  }

  /** Reports every add-on as installed. */
  async #install(): Promise<void> {
    for (const addon of await this.#list<TenantAddon>(TenantAddon)) {
      const ready = { type: "Ready", status: "True", reason: "Played", message: "" };
      await this.#report(TenantAddon, addon, {
        phase: "Installed",
        observedGeneration: addon.metadata.generation,
        installedVersion: addon.spec.version,
        conditions: [{ ...ready, lastTransitionTime: "2026-01-01T00:00:00Z" }],
      });
    }
  }

  async #bringUp(cluster: Cluster): Promise<void> {
    const { name, namespace } = cluster.metadata;
    if (cluster.metadata.finalizers === undefined) await this.#hold(Cluster, cluster, [finalizer]);
    await this.#report(Cluster, cluster, { initialization: { infrastructureProvisioned: true } });
    const controlPlane = await this.#client.find(StewardControlPlane, { name, namespace });
    if (controlPlane === undefined) return;
    const { version } = controlPlane.spec;
    const { generation: observedGeneration } = controlPlane.metadata;
    await this.#report(StewardControlPlane, controlPlane, {
      initialized: true,
      ready: true,
      version,
      observedGeneration,
    });
    const tenant = {
      apiVersion: apiVersionOf(TenantControlPlane),
      kind: TenantControlPlane.kind,
      metadata: { name, namespace },
    };
    await this.#make(TenantControlPlane, tenant);
    const addons = { type: "AddonsReady", status: "True", reason: "Played", message: "all there" };
    const conditions = [{ ...addons, lastTransitionTime: "2026-01-01T00:00:00Z" }];
    await this.#report(TenantControlPlane, tenant, { conditions });
  }

  /** Machines first, then their owners, then the control plane; the Cluster last. */
  async #takeDown(cluster: Cluster): Promise<void> {
    const { namespace } = cluster.metadata;
    for (const kind of [MachineDeployment, MachineSet, Machine, StewardControlPlane, TenantControlPlane]) {
      for (const { metadata } of (await this.#client.list(kind, { namespace })).items) {
        await this.#client.delete(kind, metadata).catch(ignoreRaces);
      }
    }
    await this.#hold(Cluster, cluster, []);
  }

  /** One MachineSet for the current template with all machines, and none for any other. */
  async #follow(deployment: MachineDeployment): Promise<void> {
    const { namespace } = deployment.metadata;
    const own = (object: KubeObject): boolean => object.metadata.labels?.["deployment"] === deployment.metadata.name;
    const sets = (await this.#list<MachineSet>(MachineSet, namespace)).filter(own);
    const current = sets.find(({ spec }) => deepEqual(spec.template, deployment.spec.template));
    const { replicas = 0, template } = deployment.spec;
    const name =
      current?.metadata.name ??
      `${deployment.metadata.name}-${template.spec.infrastructureRef.name.slice(-4)}-${template.spec.version ?? ""}`;
    const labels = { ...template.metadata?.labels, deployment: deployment.metadata.name };
    if (current === undefined) {
      const set = {
        apiVersion: apiVersionOf(MachineSet),
        kind: MachineSet.kind,
        metadata: { name, namespace, labels },
      };
      await this.#make(MachineSet, { ...set, spec: { replicas, template } } as KubeObject);
      return;
    }
    if (current.spec.replicas !== replicas) {
      await this.#client.patch(MachineSet, current.metadata, { type: "merge", patch: { spec: { replicas } } });
    }
    await this.#keepMachines(current, { replicas, labels });
    for (const other of sets.filter((set) => set !== current)) await this.#dissolve(other);
  }

  async #keepMachines(
    set: MachineSet,
    { replicas, labels }: { readonly replicas: number; readonly labels: Record<string, string> },
  ): Promise<void> {
    const { namespace, name, uid = "" } = set.metadata;
    for (let at = 0; at < replicas; at++) {
      const machine = {
        apiVersion: apiVersionOf(Machine),
        kind: Machine.kind,
        metadata: {
          name: `${name}-${at}`,
          namespace,
          labels,
          ownerReferences: [{ apiVersion: set.apiVersion, kind: set.kind, name, uid }],
        },
        spec: set.spec.template.spec,
      };
      await this.#make(Machine, machine);
      const ready = {
        type: "Ready",
        status: "True",
        reason: "Played",
        message: "",
        lastTransitionTime: "2026-01-01T00:00:00Z",
      };
      await this.#report(Machine, machine, { nodeRef: { name: `${name}-${at}` }, conditions: [ready] });
    }
    const machines = await this.#machinesOf(set);
    const extra = machines.filter(({ metadata }) => Number(metadata.name.split("-").at(-1)) >= replicas);
    for (const { metadata } of extra) await this.#client.delete(Machine, metadata);
  }

  async #dissolve(set: MachineSet): Promise<void> {
    for (const { metadata } of await this.#machinesOf(set)) await this.#client.delete(Machine, metadata);
    await this.#client.delete(MachineSet, set.metadata);
  }

  async #machinesOf({ metadata: { namespace, uid } }: MachineSet): Promise<KubeObject[]> {
    const machines = await this.#list<KubeObject>(Machine, namespace);
    return machines.filter(({ metadata }) => metadata.ownerReferences?.some((owner) => owner.uid === uid));
  }

  async #list<T>(kind: Kind, namespace?: string): Promise<T[]> {
    return (await this.#client.list(kind, { namespace })).items as T[];
  }

  async #make(kind: Kind, object: KubeObject): Promise<void> {
    await this.#client.create(kind, object as DynamicObject).catch(ignoreRaces);
  }

  async #hold(kind: Kind, { metadata }: KubeObject, finalizers: string[]): Promise<void> {
    await this.#client.patch(kind, metadata, { type: "merge", patch: { metadata: { finalizers } } });
  }

  async #report(kind: Kind, { metadata }: KubeObject, status: object): Promise<void> {
    await this.#client.patch(kind, metadata, { type: "merge", subresource: "status", patch: { status } });
  }
}
