import { LocalCluster, LocalMachine } from "@butler/api";
import { Cluster, clusterNameLabel, clusterSecretType, Machine } from "@butler/api-external";
import type { ApiClient } from "@butler/kube";
import { builtinKinds, controllerReference, type KubeObject } from "@butler/resource";
import { aCluster, aLocalCluster, aLocalMachine, aMachine } from "./objects.ts";

/** Bootstrap data in the format of Cluster API's kubeadm provider. */
export const joinData = `## template: jinja
#cloud-config

write_files:
-   path: /run/kubeadm/kubeadm-join-config.yaml
    owner: root:root
    permissions: '0640'
    content: |
      ---
      nodeRegistration:
        name: '{{ ds.meta_data.local_hostname }}'
        kubeletExtraArgs:
        - name: provider-id
          value: local:////{{ ds.meta_data.instance_id }}
runcmd:
  - kubeadm join --config /run/kubeadm/kubeadm-join-config.yaml  && echo success > /run/cluster-api/bootstrap-success.complete
`;

/** Simulates Cluster API for one Cluster `blue` with one Machine `blue-1` in a namespace. */
export class Tenant {
  readonly #client: ApiClient;
  readonly namespace: string;

  constructor(client: ApiClient, namespace: string) {
    this.#client = client;
    this.namespace = namespace;
  }

  async createCluster(
    spec: Cluster["spec"] = { controlPlaneEndpoint: { host: "10.0.0.1", port: 6443 } },
  ): Promise<void> {
    await this.#client.create(Cluster, aCluster({ namespace: this.namespace, spec }));
  }

  async createLocalCluster(): Promise<void> {
    await this.#createOwned(LocalCluster, aLocalCluster({ namespace: this.namespace }), Cluster, "blue");
  }

  /** Creates the named Secret with the cluster's label. */
  async createSecret(name: string, data: Record<string, string>): Promise<void> {
    await this.#client.create(builtinKinds.Secret, {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name, namespace: this.namespace, labels: { [clusterNameLabel]: "blue" } },
      type: clusterSecretType,
      stringData: data,
    } as KubeObject);
  }

  async createMachine(spec: Partial<Machine["spec"]> = {}): Promise<void> {
    await this.#client.create(Machine, aMachine({ namespace: this.namespace, spec }));
  }

  async createLocalMachine(change: Parameters<typeof aLocalMachine>[0] = {}): Promise<void> {
    await this.#createOwned(LocalMachine, aLocalMachine({ namespace: this.namespace, ...change }), Machine, "blue-1");
  }

  /** Creates everything that a machine needs, in the order in which Cluster API creates it. */
  async createAll(data: Record<string, string> = { value: joinData, format: "cloud-config" }): Promise<void> {
    await this.createCluster();
    await this.createMachine();
    await this.createSecret("blue-1", data);
    await this.createLocalMachine();
  }

  async #createOwned(
    kind: typeof LocalCluster | typeof LocalMachine,
    object: KubeObject,
    ...[ownerKind, ownerName]: [typeof Cluster | typeof Machine, string]
  ): Promise<void> {
    const owner = await this.#client.get(ownerKind, { name: ownerName, namespace: this.namespace });
    const { uid: _uid, ...metadata } = object.metadata;
    const owned = { ...object, metadata: { ...metadata, ownerReferences: [controllerReference(owner)] } };
    await this.#client.create(kind, owned);
  }
}
