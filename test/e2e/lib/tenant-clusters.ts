import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { TenantCluster } from "@butler/api";
import { isConditionTrue } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { KubectlCalls } from "./kubectl-calls.ts";

/** The tenant clusters of one team, as its members use them. */
export class TenantClusters {
  readonly #management: KubectlCalls;
  readonly #namespace: string;
  readonly #directory: string;

  constructor(management: KubectlCalls, { namespace, directory }: { namespace: string; directory: string }) {
    this.#management = management;
    this.#namespace = namespace;
    this.#directory = directory;
  }

  async get(name: string): Promise<TenantCluster> {
    return JSON.parse(await this.#call("get", name, "-o", "json")) as TenantCluster;
  }

  /** Changes the spec and waits until the change is complete. */
  async change(name: string, spec: object): Promise<TenantCluster> {
    await this.patch(name, spec);
    return this.settled(name);
  }

  /** Changes the spec without waiting. */
  async patch(name: string, spec: object): Promise<void> {
    await this.#call("patch", name, "--type=merge", "-p", JSON.stringify({ spec }));
  }

  /** Creates a cluster with small workers. */
  async create(name: string, { replicas = 1 }: { readonly replicas?: number } = {}): Promise<void> {
    const workers = { replicas, machineTemplate: { cpu: 1, memory: "1Gi" } };
    await this.#management.apply([
      {
        apiVersion: "butler.butlerlabs.dev/v1alpha1",
        kind: "TenantCluster",
        metadata: { name, namespace: this.#namespace },
        spec: { teamRef: { name: this.#namespace }, workers },
      },
    ]);
  }

  /** Waits until the cluster matches its spec. */
  settled(name: string): Promise<TenantCluster> {
    let last = "";
    return eventually(
      async () => {
        const cluster = await this.get(name);
        const { status, metadata } = cluster;
        last = JSON.stringify(status?.conditions?.map(({ type, status: holds, message }) => [type, holds, message]));
        return status?.observedGeneration === metadata.generation && isConditionTrue(status?.conditions, "Ready")
          ? cluster
          : undefined;
      },
      { timeoutMs: 240_000, intervalMs: 250, what: () => `the tenant cluster ${name} (${last})` },
    );
  }

  /** kubectl for a cluster, with its admin kubeconfig. */
  async inside(name: string): Promise<KubectlCalls> {
    const { status } = await this.get(name);
    const secret = status?.kubeconfigSecretRef?.name ?? "";
    const value = ["-n", status?.tenantNamespace ?? "", "-o", "jsonpath={.data.value}"];
    const text = await this.#management.run("get", "secret", secret, ...value);
    const file = join(this.#directory, `${name}.kubeconfig`);
    await writeFile(file, Buffer.from(text, "base64"), { mode: 0o600 });
    return new KubectlCalls(file);
  }

  #call(verb: string, name: string, ...rest: string[]): Promise<string> {
    return this.#management.run(verb, "tenantcluster", name, "-n", this.#namespace, ...rest);
  }
}
