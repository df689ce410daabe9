import { StewardControlPlane } from "@butler/api";
import { Cluster } from "@butler/api-external";
import type { ApiClient } from "@butler/kube";
import type { ObjectKey } from "@butler/resource";
import { aCluster, aControlPlane, ownedByCluster } from "./objects.ts";

/** Simulates Cluster API for one Cluster with one StewardControlPlane in a namespace. */
export class Tenant {
  readonly #client: ApiClient;
  readonly namespace: string;

  constructor(client: ApiClient, namespace: string) {
    this.#client = client;
    this.namespace = namespace;
  }

  key(name: string): ObjectKey {
    return { name, namespace: this.namespace };
  }

  async createCluster(change: Parameters<typeof aCluster>[0] = {}): Promise<void> {
    await this.#client.create(Cluster, aCluster({ namespace: this.namespace, ...change }));
  }

  /** A control plane as a user creates it, not owned by a Cluster yet. */
  async createControlPlane(change: Parameters<typeof aControlPlane>[0] = {}): Promise<void> {
    const { metadata, ...rest } = aControlPlane({ ...change, ownerReferences: [] });
    const { uid: _uid, generation: _generation, ...stated } = metadata;
    const object = { ...rest, metadata: { ...stated, namespace: this.namespace } };
    await this.#client.create(StewardControlPlane, object);
  }

  /** Makes a Cluster the owner of a control plane, as Cluster API does. */
  async adopt(controlPlane = "blue", cluster = "blue"): Promise<void> {
    const { metadata } = await this.#client.get(Cluster, this.key(cluster));
    const patch = { metadata: { ownerReferences: [ownedByCluster(cluster, metadata.uid)] } };
    await this.#client.patch(StewardControlPlane, this.key(controlPlane), { type: "merge", patch });
  }

  /** Creates everything that a control plane needs, in Cluster API's order. */
  async createAll(
    change: Parameters<typeof aControlPlane>[0] = {},
    cluster: Parameters<typeof aCluster>[0] = {},
  ): Promise<void> {
    await this.createCluster(cluster);
    await this.createControlPlane(change);
    await this.adopt(change?.name, cluster.name);
  }
}
