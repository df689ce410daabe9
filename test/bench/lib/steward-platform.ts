import { join } from "node:path";
import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import type { EtcdAdmin } from "@butler/etcd";
import { eventually } from "@butler/testkit";
import { EngineWithButler } from "../../e2e/lib/engine-with-butler.ts";
import type { KubectlCalls } from "../../e2e/lib/kubectl-calls.ts";
import { SharedStore } from "../../e2e/lib/shared-store.ts";
import { BareApiServers } from "./bare-api-servers.ts";
import { HostedTenants } from "./hosted-tenants.ts";
import { managementWrites, ownWrites, samplesOf, type Counts } from "./write-counts.ts";

const namespace = "bench";
const system = "butler-system";

/** Writes by Steward so far, by two counts. */
export interface WriteCount {
  /** Counted by the management API server, by kind and verb. */
  readonly byKind: Counts;
  /** Counted by Steward itself. */
  readonly own: number;
}

/** An engine with the whole platform, and helpers to measure Steward. */
export class StewardPlatform {
  readonly #platform: EngineWithButler;
  #tenants: HostedTenants | undefined;
  #store: SharedStore | undefined;
  #root: EtcdAdmin | undefined;

  private constructor(platform: EngineWithButler) {
    this.#platform = platform;
  }

  /** Nothing is running yet, so that cleanup always works. */
  static async prepare(name: string): Promise<StewardPlatform> {
    return new StewardPlatform(await EngineWithButler.prepare(name));
  }

  async start(): Promise<HostedTenants> {
    await this.#platform.start();
    this.#store = await SharedStore.open(this.#platform.kubectl);
    this.#root = await this.#store.asRoot();
    this.#tenants = await HostedTenants.open(this.#platform.engine.paths.kubeconfig, namespace);
    return this.#tenants;
  }

  /** kubectl for the management cluster. */
  get kubectl(): KubectlCalls {
    return this.#platform.kubectl;
  }

  /** Copies the command line of a running tenant for those started manually. */
  async bareLike(tenants: HostedTenants, name: string): Promise<BareApiServers> {
    const spec = tenants.deployment(name)?.["spec"] as {
      template: { spec: { initContainers: readonly { name: string; args: readonly string[] }[] } };
    };
    const server = spec.template.spec.initContainers.find((container) => container.name === "kube-apiserver");
    const directory = join(this.#platform.engine.home, "..", "bare");
    await mkdir(directory, { recursive: true });
    return BareApiServers.prepare({
      args: server?.args ?? [],
      authentication: tenants.configMap(`${name}-authentication-configuration`),
      etcd: {
        address: await this.#get("pod", "default-etcd-0", "{.status.podIP}"),
        ca: await this.#secretText("default-etcd-ca", "ca.crt"),
        cert: await this.#secretText("default-etcd-root", "tls.crt"),
        key: await this.#secretText("default-etcd-root", "tls.key"),
        admin: this.#etcd,
      },
      directory,
      cgroup: await cpuGroupBesidePods(this.#platform.engine.name),
    });
  }

  /** Whether the shared etcd contains no tenant data. */
  async isStoreClean(): Promise<boolean> {
    const [keys, users, roles] = await Promise.all([
      this.#etcd.countKeys(""),
      this.#etcd.listUsers(),
      this.#etcd.listRoles(),
    ]);
    return keys === 0 && users.length === 1 && roles.length === 1;
  }

  /** Writes by Steward, once it has settled. */
  async settledWrites(): Promise<WriteCount> {
    let before = -1;
    const own = await eventually(
      async () => {
        const now = ownWrites(await this.#stewardMetrics());
        const isSettled = now === before;
        before = now;
        return isSettled && now;
      },
      { intervalMs: 2_000, timeoutMs: 120_000, what: "the end of Steward's writing" },
    );
    return { byKind: managementWrites(await this.#platform.kubectl.run("get", "--raw", "/metrics")), own };
  }

  /** The memory of Steward's process. */
  async stewardMemoryMiB(): Promise<number> {
    const [sample] = samplesOf(await this.#stewardMetrics(), "butler_process_resident_memory_bytes");
    return Math.round((sample?.value ?? Number.NaN) / 2 ** 20);
  }

  async remove(): Promise<void> {
    await this.#tenants?.close();
    await this.#store?.close();
    await this.#platform.remove();
  }

  get #etcd(): EtcdAdmin {
    if (this.#root === undefined) throw new Error("the platform is not started");
    return this.#root;
  }

  async #stewardMetrics(): Promise<string> {
    const selector = "app.kubernetes.io/component=steward";
    const path = "jsonpath={.items[0].metadata.name}";
    const pod = await this.#platform.kubectl.run("get", "pods", "-n", system, "-l", selector, "-o", path);
    return this.#platform.kubectl.run("get", "--raw", `/api/v1/namespaces/${system}/pods/${pod}:8081/proxy/metrics`);
  }

  #get(kind: string, name: string, path: string): Promise<string> {
    return this.#platform.kubectl.run("get", kind, name, "-n", system, "-o", `jsonpath=${path}`);
  }

  async #secretText(name: string, key: string): Promise<string> {
    const encoded = await this.#get("secret", name, `{.data.${key.replace(".", "\\.")}}`);
    return Buffer.from(encoded, "base64").toString();
  }
}

/** A cgroup that the engine removes with its own, with the same CPU weight as all pods together. */
async function cpuGroupBesidePods(engine: string): Promise<string> {
  const mountPoint = "/sys/fs/cgroup";
  const hierarchy = existsSync(join(mountPoint, "cgroup.controllers")) ? mountPoint : join(mountPoint, "cpu");
  const folder = join(hierarchy, `butler-${engine}`, "bare");
  await mkdir(folder, { recursive: true });
  return folder;
}
