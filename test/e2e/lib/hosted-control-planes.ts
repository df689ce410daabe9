import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { TenantControlPlane } from "@butler/api";
import { Pod } from "@butler/api-external";
import { type ConnectedClient, connect, loadKubeConfig } from "@butler/kube";
import { builtinKinds, findCondition, type ObjectKey } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { tenantVersion } from "./cluster-objects.ts";
import { KubectlCalls } from "./kubectl-calls.ts";

type Spec = TenantControlPlane["spec"];

/** What a test says about a control plane; all else is as Steward decides. */
export interface ControlPlaneWish {
  readonly name: string;
  readonly version?: string;
  readonly replicas?: number;
  readonly serviceType?: Spec["controlPlane"]["service"]["serviceType"];
  /** The host by which Butler's own gateway finds it. */
  readonly hostname?: string;
  readonly networkProfile?: Partial<Spec["networkProfile"]>;
}

export interface HostedControlPlanesInput {
  /** The administrator's kubeconfig of the management cluster. */
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Where kubeconfigs of tenants are put. */
  readonly directory: string;
}

const slowMachineMs = 300_000;
const rotate = "certs.steward.butlerlabs.dev/rotate";

/** The TenantControlPlanes of one namespace, as an administrator deals with them. */
export class HostedControlPlanes {
  readonly namespace: string;
  readonly kubectl: KubectlCalls;
  readonly #directory: string;
  readonly #management: ConnectedClient;

  constructor({ kubeconfig, namespace, directory }: HostedControlPlanesInput) {
    this.namespace = namespace;
    this.kubectl = new KubectlCalls(kubeconfig);
    this.#directory = directory;
    this.#management = connect(loadKubeConfig(kubeconfig));
  }

  /** Makes control planes, or changes them, by kubectl apply. */
  apply(...wishes: readonly ControlPlaneWish[]): Promise<void> {
    return this.kubectl.apply(wishes.map((wish) => manifestOf(this.namespace, wish)));
  }

  /** The control plane as it is now. */
  get(name: string): Promise<TenantControlPlane> {
    return this.#management.client.get(TenantControlPlane, this.#key(name));
  }

  /** Waits until all are ready, and says after how many milliseconds each was. */
  async ready(...names: readonly string[]): Promise<number[]> {
    const startedAt = performance.now();
    const times = new Map<string, number>();
    const look = async (): Promise<boolean> => {
      const { items } = await this.#management.client.list(TenantControlPlane, { namespace: this.namespace });
      for (const item of items.filter(isReady)) {
        const { name } = item.metadata;
        if (!times.has(name)) times.set(name, performance.now() - startedAt);
      }
      return names.every((name) => times.has(name));
    };
    const missing = (): string => `Ready of ${names.filter((name) => !times.has(name)).join(", ")}`;
    await eventually(look, { timeoutMs: slowMachineMs, intervalMs: 200, what: missing });
    return names.map((name) => Math.round(times.get(name) ?? 0));
  }

  /** The pods of a control plane, also those that are about to go. */
  async pods(name: string): Promise<string[]> {
    const { items } = await this.#management.client.list(Pod, {
      namespace: this.namespace,
      labelSelector: `steward.butlerlabs.dev/name=${name}`,
    });
    return items.map(({ metadata }) => metadata.name);
  }

  /** Waits until a control plane is ready and none of the given pods is left. */
  async replaced(name: string, pods: readonly string[]): Promise<void> {
    const look = async (): Promise<boolean> => {
      const now = await this.pods(name);
      return isReady(await this.get(name)) && !now.some((pod) => pods.includes(pod));
    };
    await eventually(look, { timeoutMs: slowMachineMs, intervalMs: 200, what: `new pods of ${name}` });
  }

  /** Asks for new content of the Secrets of a control plane whose names end so. */
  async rotate(name: string, ...suffixes: readonly string[]): Promise<void> {
    const secrets = suffixes.map((suffix) => `${name}-${suffix}`);
    await this.kubectl.run("annotate", "secret", "-n", this.namespace, ...secrets, `${rotate}=`, "--overwrite");
  }

  /** When such a Secret got the content that was asked for. */
  async rotatedAt(name: string, suffix: string): Promise<string | undefined> {
    const { metadata } = await this.#management.client.get(builtinKinds.Secret, this.#key(`${name}-${suffix}`));
    return metadata.annotations?.[rotate];
  }

  /** What one key of a Secret of the namespace holds. */
  async secretText(name: string, key: string): Promise<string> {
    const secret = await this.#management.client.get(builtinKinds.Secret, this.#key(name));
    const data = secret["data"] as Record<string, string>;
    return Buffer.from(data[key] ?? "", "base64").toString();
  }

  /** The administrators' kubeconfig of a control plane. */
  adminKubeconfig(name: string): Promise<string> {
    return this.secretText(`${name}-admin-kubeconfig`, "admin.conf");
  }

  /** A file with the administrators' kubeconfig of a control plane. */
  async kubeconfigFile(name: string): Promise<string> {
    const folder = join(this.#directory, this.namespace);
    const file = join(folder, `${name}.kubeconfig`);
    await mkdir(folder, { recursive: true });
    await writeFile(file, await this.adminKubeconfig(name), { mode: 0o600 });
    return file;
  }

  /** kubectl for the tenant, with nothing but the administrators' kubeconfig. */
  async kubectlOf(name: string): Promise<KubectlCalls> {
    return new KubectlCalls(await this.kubeconfigFile(name));
  }

  /** Ends all connections. */
  close(): Promise<void> {
    return this.#management.close();
  }

  #key(name: string): ObjectKey {
    return { name, namespace: this.namespace };
  }
}

function isReady({ metadata, status }: TenantControlPlane): boolean {
  const isSeen = status?.observedGeneration === metadata.generation;
  return isSeen && findCondition(status?.conditions, "Ready")?.status === "True";
}

function manifestOf(namespace: string, wish: ControlPlaneWish): object {
  const { name, version = tenantVersion, replicas = 1, serviceType = "ClusterIP", hostname, networkProfile } = wish;
  return {
    apiVersion: "steward.butlerlabs.dev/v1alpha1",
    kind: TenantControlPlane.kind,
    metadata: { name, namespace },
    spec: {
      controlPlane: {
        deployment: { replicas },
        service: { serviceType },
        ...(hostname === undefined ? {} : { gateway: { hostname } }),
      },
      kubernetes: { version, kubelet: {} },
      ...(networkProfile === undefined ? {} : { networkProfile }),
    },
  };
}
