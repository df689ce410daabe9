import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  AddonDefinition,
  ButlerConfig,
  ManagementAddon,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
} from "@butler/api";
import type { Interceptor } from "@butler/controller";
import { ensureTools } from "@butler/engine";
import { findReleases } from "@butler/helm";
import { CacheSet, type ConnectedClient, loadKubeConfig } from "@butler/kube";
import { builtinKinds, keyText, type Kind, type KubeObject, type ObjectKey } from "@butler/resource";
import { ignoreNotFound } from "@butler/std";
import { MetricsRegistry } from "@butler/telemetry";
import { secretKubeconfigs, TenantClients } from "@butler/tenant-clients";
import {
  connectAsController,
  eventually,
  quickQueue,
  runControllers,
  aTestCluster,
  type TestCluster,
} from "@butler/testkit";
import { createAddonControllers } from "../addon-controllers.ts";
import type { LookIntervals } from "../release/looks.ts";
import { managementAddonController } from "../management-addon/controller.ts";
import { tenantAddonController } from "../tenant-addon/controller.ts";
import { ChartShelf } from "./chart-shelf.ts";
import { execFile } from "node:child_process";
import { promisify } from "node:util";

const kinds = [TenantAddon, ManagementAddon, AddonDefinition, TenantCluster, Team, ButlerConfig, ProviderConfig];
/** The namespace of the team that has the cluster. */
export const home = "payments";
/** The namespace in the tenant that charts go into. */
export const place = "web";
const kubeconfig = { name: "shop-kubeconfig", namespace: home };

const intervals: LookIntervals = {
  busyMs: 200,
  tiers: [{ untilMs: Number.POSITIVE_INFINITY, everyMs: 500 }],
  leastMs: 50,
  driftMs: 500,
  unreachableMs: 300,
};

interface RunOptions {
  readonly intercept?: Interceptor;
  readonly graceMs?: number;
  /** Whether add-ons of the management cluster are allowed. */
  readonly isManaging?: boolean;
}

/** A management cluster and a tenant, each with a real API server, a chart repository, and the controllers between them. */
export class AddonHarness {
  readonly #undo: (() => unknown)[] = [];
  readonly management: TestCluster;
  readonly tenant: TestCluster;
  readonly charts: ChartShelf;
  readonly #chartFolder: string;
  /** A client of the management cluster with just the permissions that the controllers declare. */
  readonly #own: ConnectedClient;

  private constructor(parts: {
    management: TestCluster;
    tenant: TestCluster;
    charts: ChartShelf;
    chartFolder: string;
    own: ConnectedClient;
  }) {
    this.management = parts.management;
    this.tenant = parts.tenant;
    this.charts = parts.charts;
    this.#chartFolder = parts.chartFolder;
    this.#own = parts.own;
  }

  static async start(): Promise<AddonHarness> {
    const undo: (() => Promise<unknown>)[] = [];
    const begin = async <T extends { stop: () => Promise<unknown> }>(starting: Promise<T>): Promise<T> => {
      const started = await starting;
      undo.push(() => started.stop());
      return started;
    };
    try {
      const tenant = await begin(aTestCluster());
      const management = await begin(aTestCluster({ resources: kinds }));
      const charts = await begin(ChartShelf.start(["1.0.0", "1.1.0", "2.0.0"]));
      await management.createNamespace(home);
      const chartFolder = await mkdtemp(join(tmpdir(), "butler-addon-charts-"));
      return new AddonHarness({ management, tenant, charts, chartFolder, own: await asController(management) });
    } catch (error) {
      await Promise.all(undo.map((step) => step()));
      throw error;
    }
  }

  get client(): TestCluster["client"] {
    return this.management.client;
  }

  /** Registers cleanup for the end of the test. */
  later(step: () => unknown): void {
    this.#undo.push(step);
  }

  /** Creates cluster `shop` with access to the tenant. */
  async makeCluster({ isReady = true } = {}): Promise<void> {
    const issued = await this.tenant.controlPlane.issueClientCertificate({ user: "admin", groups: ["system:masters"] });
    const value = Buffer.from(JSON.stringify(issued.kubeconfig)).toString("base64");
    const secret = { apiVersion: "v1", kind: "Secret", metadata: kubeconfig, data: { value } } as KubeObject;
    await this.client.apply(builtinKinds.Secret, secret, { fieldManager: "test" });
    await this.client.create(TenantCluster, {
      apiVersion: TenantCluster.apiVersion,
      kind: TenantCluster.kind,
      metadata: { name: "shop", namespace: home },
      spec: { kubernetesVersion: "v1.34.1" },
    } as KubeObject);
    if (isReady) await this.setControlPlane("True");
  }

  /** Sets the state of the control plane. */
  async setControlPlane(status: "True" | "False"): Promise<void> {
    const condition = { type: "ControlPlaneReady", status, reason: "Test", message: "says the test" };
    const conditions = [{ ...condition, lastTransitionTime: "2026-01-01T00:00:00Z" }];
    const body = { tenantNamespace: home, kubeconfigSecretRef: { name: kubeconfig.name }, conditions };
    const patch = { type: "merge", subresource: "status", patch: { status: body } } as const;
    await this.client.patch(TenantCluster, { name: "shop", namespace: home }, patch);
  }

  /** Creates an add-on from the test's own chart. */
  async createAddon(name: string, spec: Readonly<Record<string, unknown>> = {}): Promise<void> {
    const helm = { repository: this.charts.url, chart: "web", namespace: place };
    await this.client.create(TenantAddon, {
      apiVersion: TenantAddon.apiVersion,
      kind: TenantAddon.kind,
      metadata: { name, namespace: home },
      spec: { clusterRef: { name: "shop" }, version: "1.0.0", helm, timeout: "5s", ...spec },
    } as KubeObject);
  }

  async changeAddon(name: string, spec: Readonly<Record<string, unknown>>): Promise<void> {
    await this.client.patch(TenantAddon, { name, namespace: home }, { type: "merge", patch: { spec } });
  }

  async addon(name: string): Promise<TenantAddon> {
    return this.client.get(TenantAddon, { name, namespace: home });
  }

  /** Waits until an add-on is in a phase, and returns it. */
  async inPhase(name: string, phase: string, more: (addon: TenantAddon) => boolean = () => true): Promise<TenantAddon> {
    let seen: TenantAddon | undefined;
    const look = async (): Promise<TenantAddon | undefined> => {
      seen = await this.addon(name);
      const { status, metadata } = seen;
      const isCurrent = status?.observedGeneration === metadata.generation;
      return isCurrent && status?.phase === phase && more(seen) ? seen : undefined;
    };
    const what = (): string => `${name} ${phase}: ${JSON.stringify(seen?.status, null, 1)}`;
    return eventually(look, { timeoutMs: 40_000, what });
  }

  /** Runs the controllers with caches of their own, as one process does, and keeps a record of what they do. */
  async run({ intercept = (_effect, run) => run(), graceMs = 600, isManaging = false }: RunOptions = {}) {
    const metrics = new MetricsRegistry();
    const done: string[] = [];
    const client = isManaging ? this.client : this.#own.client;
    const caches = new CacheSet(client);
    const kubeconfigs = secretKubeconfigs({ client });
    const tenants = new TenantClients({
      source: kubeconfigs,
      requestTimeoutMs: 3_000,
      probeTimeoutMs: 1_000,
      backoff: { initialMs: 50, maximumMs: 400, factor: 2, jitter: 0.5 },
    });
    const { helm } = await ensureTools(["helm"]);
    const runtimes = createAddonControllers({
      client,
      caches,
      metrics,
      queue: quickQueue,
      tenants,
      kubeconfigs,
      helmProgram: helm,
      chartFolder: this.#chartFolder,
      graceMs,
      intervals,
      // Shorter timeouts for repositories than in production, which are on this machine.
      charts: { limits: { headersMs: 1_000, indexFreshMs: 0 }, network: { rules: { allowed: ["127.0.0.0/8"] } } },
      ...(isManaging ? { management: loadKubeConfig(this.management.controlPlane.kubeconfigPath) } : {}),
      intercept: async (effect, run) => {
        const result = await intercept(effect, run);
        done.push(`${effect.verb} ${effect.target}`);
        return result;
      },
    });
    const running = await runControllers(caches, runtimes);
    const [tenantAddons, managementAddons, work] = runtimes;
    let isEnded = false;
    const end = async (): Promise<void> => {
      if (isEnded) return;
      isEnded = true;
      await running.kill();
      // The helm programs of a process end with it.
      await work.end();
      await tenants.close();
    };
    this.later(end);
    /** Stops it like a power failure: helm cannot record anything. */
    const die = async (): Promise<void> => {
      for (const pid of await helmsBelow(process.pid)) process.kill(pid, "SIGKILL");
      await end();
    };
    return { done, metrics, end, die, isIdle: () => tenantAddons.isIdle && managementAddons.isIdle };
  }

  /** Revisions of a release in the tenant: number, status and version. */
  async revisions(release: string): Promise<string[]> {
    const { releases } = await findReleases(this.tenant.client, { namespace: place, name: release });
    return releases.map(({ revision, status, chart }) => `${revision} ${status} ${chart.version}`);
  }

  /** The content of the ConfigMap of a release. */
  async greeting(release: string): Promise<string | undefined> {
    const found = await this.tenant.client.find(builtinKinds.ConfigMap, { name: release, namespace: place });
    return (found?.["data"] as Record<string, string> | undefined)?.["greeting"];
  }

  /** Marks the Deployment of a release as ready; no controller does this here. */
  async makeReady(release: string): Promise<void> {
    const { Deployment } = builtinKinds;
    const key = { name: release, namespace: place };
    const { metadata } = await eventually(() => this.tenant.client.find(Deployment, key), { what: key.name });
    const counts = { replicas: 1, updatedReplicas: 1, readyReplicas: 1, availableReplicas: 1 };
    const conditions = [{ type: "Available", status: "True", reason: "Test", message: "" }];
    const status = { observedGeneration: metadata.generation, ...counts, conditions };
    await this.tenant.client.patch(Deployment, key, { type: "merge", subresource: "status", patch: { status } });
  }

  /** Ends everything in the reverse order, and removes every object. */
  async tidy(): Promise<void> {
    this.charts.hangs = false;
    for (const step of this.#undo.splice(0).reverse()) await step();
    for (const kind of [...kinds, builtinKinds.Event]) {
      for (const { metadata } of (await this.client.list(kind)).items) await removeFrom(this.client, kind, metadata);
    }
    const { Secret, ConfigMap, Service, Deployment } = builtinKinds;
    const Job: Kind = { group: "batch", version: "v1", kind: "Job", plural: "jobs", scope: "Namespaced" };
    for (const kind of [Secret, ConfigMap, Service, Deployment, Job]) {
      for (const cluster of [this.tenant, this.management]) {
        const { items } = await cluster.client.list(kind, { namespace: place });
        for (const { metadata } of items) await removeFrom(cluster.client, kind, metadata);
      }
    }
  }

  async stop(): Promise<void> {
    try {
      await this.tidy();
    } finally {
      await this.#own.close();
      await Promise.all([this.management.stop(), this.tenant.stop(), this.charts.stop()]);
      await rm(this.#chartFolder, { recursive: true, force: true });
    }
  }
}

async function removeFrom(client: TestCluster["client"], kind: Kind, key: ObjectKey): Promise<void> {
  await client.patch(kind, key, { type: "merge", patch: { metadata: { finalizers: null } } }).catch(ignoreNotFound);
  await client.delete(kind, key).catch(ignoreNotFound);
  const isGone = async (): Promise<boolean> => (await client.find(kind, key)) === undefined;
  await eventually(isGone, { what: `the end of ${keyText(key)}` });
}

const asController = (management: TestCluster): Promise<ConnectedClient> =>
  connectAsController(management, "addons", [tenantAddonController, managementAddonController]);

/** The helm programs that a process has started. */
async function helmsBelow(parent: number): Promise<number[]> {
  const { stdout } = await promisify(execFile)("ps", ["-o", "pid=,comm=", "--ppid", String(parent)]);
  const lines = stdout.split("\n").map((line) => line.trim().split(/\s+/));
  return lines.flatMap(([pid, name]) => (name === "helm" ? [Number(pid)] : []));
}
