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

/** The settings of a control plane that a test sets; all others have Steward's defaults. */
export interface ControlPlaneWish {
  readonly name: string;
  readonly version?: string;
  readonly replicas?: number;
  readonly serviceType?: Spec["controlPlane"]["service"]["serviceType"];
  /** The hostname at Butler's SNI gateway. */
  readonly hostname?: string;
  readonly networkProfile?: Partial<Spec["networkProfile"]>;
}

export interface HostedControlPlanesInput {
  /** The administrator's kubeconfig of the management cluster. */
  readonly kubeconfig: string;
  readonly namespace: string;
  /** Directory for kubeconfigs of tenants. */
  readonly directory: string;
}

const slowMachineMs = 300_000;
const rotate = "certs.steward.butlerlabs.dev/rotate";

/** The TenantControlPlanes of one namespace, managed like an administrator does. */
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

  /** Creates or changes control planes with kubectl apply. */
  apply(...wishes: readonly ControlPlaneWish[]): Promise<void> {
    return this.kubectl.apply(wishes.map((wish) => manifestOf(this.namespace, wish)));
  }

  /** The current control plane. */
  get(name: string): Promise<TenantControlPlane> {
    return this.#management.client.get(TenantControlPlane, this.#key(name));
  }

  /** Waits until all are ready, and returns the milliseconds until each was. */
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

  /** The pods of a control plane, including terminating ones. */
  async pods(name: string): Promise<string[]> {
    const { items } = await this.#management.client.list(Pod, {
      namespace: this.namespace,
      labelSelector: `steward.butlerlabs.dev/name=${name}`,
    });
    return items.map(({ metadata }) => metadata.name);
  }

  /** Waits until a control plane is ready and none of the given pods exists. */
  async replaced(name: string, pods: readonly string[]): Promise<void> {
    const look = async (): Promise<boolean> => {
      const now = await this.pods(name);
      return isReady(await this.get(name)) && !now.some((pod) => pods.includes(pod));
    };
    await eventually(look, { timeoutMs: slowMachineMs, intervalMs: 200, what: `new pods of ${name}` });
  }

  /** Requests rotation of the Secrets of a control plane with this suffix. */
  async rotate(name: string, ...suffixes: readonly string[]): Promise<void> {
    const secrets = suffixes.map((suffix) => `${name}-${suffix}`);
    await this.kubectl.run("annotate", "secret", "-n", this.namespace, ...secrets, `${rotate}=`, "--overwrite");
  }

  /** The time at which such a Secret was rotated. */
  async rotatedAt(name: string, suffix: string): Promise<string | undefined> {
    const { metadata } = await this.#management.client.get(builtinKinds.Secret, this.#key(`${name}-${suffix}`));
    return metadata.annotations?.[rotate];
  }

  /** The value of a key of a Secret in the namespace. */
  async secretText(name: string, key: string): Promise<string> {
    const secret = await this.#management.client.get(builtinKinds.Secret, this.#key(name));
    const data = secret["data"] as Record<string, string>;
    return Buffer.from(data[key] ?? "", "base64").toString();
  }

  /** The admin kubeconfig of a control plane. */
  adminKubeconfig(name: string): Promise<string> {
    return this.secretText(`${name}-admin-kubeconfig`, "admin.conf");
  }

  /** A file with the admin kubeconfig of a control plane. */
  async kubeconfigFile(name: string): Promise<string> {
    const folder = join(this.#directory, this.namespace);
    const file = join(folder, `${name}.kubeconfig`);
    await mkdir(folder, { recursive: true });
    await writeFile(file, await this.adminKubeconfig(name), { mode: 0o600 });
    return file;
  }

  /** kubectl for the tenant, with its admin kubeconfig only. */
  async kubectlOf(name: string): Promise<KubectlCalls> {
    return new KubectlCalls(await this.kubeconfigFile(name));
  }

  /** Closes all connections. */
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
