import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { networkInterfaces, tmpdir } from "node:os";
import { join } from "node:path";
import { allResources, ButlerConfig, namespaces, ProviderConfig, Team } from "@butler/api";
import { type ControlPlane, ensureTools, moduleDirectory } from "@butler/engine";
import { type ApiClient, installCrds } from "@butler/kube";
import { builtinKinds, isConditionTrue, type Kind, type KubeObject } from "@butler/resource";
import { Unavailable } from "@butler/std";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { AuditLog, auditFlags, auditPolicy } from "./fleet-audit.ts";
import { type RunningClusterApi, startClusterApi } from "./fleet-cluster-api.ts";
import { FleetManager } from "./fleet-manager.ts";
import { kwokAnnotation, PlayedProviders } from "./fleet-players.ts";
import { FleetProcess } from "./fleet-process.ts";
import { TenantViews } from "./fleet-tenant-views.ts";

/** The users as which the management API server identifies the two compared programs. */
export const users = { manager: "butler-controller", clusterApi: "cluster-api" } as const;

/** The group of programs at the API server. */
const serviceAccounts = "system:serviceaccounts";

/** The team that all clusters belong to. */
export const team = "fleet";

/** Lifecycle of a simulated Node, as in kwok's examples: Ready immediately, with heartbeats like a kubelet's. */
const kwokStages = ["fast/node-initialize.yaml", "heartbeat-with-lease/node-heartbeat-with-lease.yaml"];

/** The admission port of Butler's manager. */
const admissionPort = 9443;
const admissionService = "butler-controller";

const EndpointSlice: Kind = {
  group: "discovery.k8s.io",
  version: "v1",
  kind: "EndpointSlice",
  plural: "endpointslices",
  scope: "Namespaced",
};
const Service: Kind = { group: "", version: "v1", kind: "Service", plural: "services", scope: "Namespaced" };

/** A management cluster, an API server for all tenants, and all controllers. */
export class FleetHarness {
  readonly directory: string;
  readonly #stops: (() => Promise<unknown>)[] = [];
  #stopped: Promise<void> | undefined;
  #parts: Parts | undefined;

  readonly #keepsLogs: boolean;

  private constructor(directory: string, keepsLogs: boolean) {
    this.directory = directory;
    this.#keepsLogs = keepsLogs;
  }

  /** Nothing is running yet, so that cleanup always works. */
  static async prepare({ keepsLogs }: { readonly keepsLogs: boolean }): Promise<FleetHarness> {
    return new FleetHarness(await mkdtemp(join(tmpdir(), "butler-fleet-")), keepsLogs);
  }

  get parts(): Parts {
    if (this.#parts === undefined) throw new Unavailable("the fleet's harness has not been started");
    return this.#parts;
  }

  /** Starts everything except the clusters. */
  async start(signal: AbortSignal): Promise<Parts> {
    const tools = await ensureTools(["capi-core", "kwok", "kubectl"]);
    const management = await this.#startManagement();
    signal.throwIfAborted();
    const tenants = await aTestCluster({ mine: true });
    this.#stops.push(() => tenants.stop());
    signal.throwIfAborted();
    const views = await TenantViews.open(tenants.controlPlane);
    this.#stops.push(() => views.close());
    await allowEverything(management.client);
    await installCrds(management.client, allResources);
    const capi = await startClusterApi({
      client: management.client,
      kubeconfig: await this.#kubeconfigOf(management.controlPlane, users.clusterApi),
      tools,
      directory: this.directory,
    });
    this.#stops.push(() => capi.process.stop());
    signal.throwIfAborted();
    const kwok = await this.#startKwok(tools.kwok, tenants.controlPlane);
    signal.throwIfAborted();
    const players = await PlayedProviders.start({ management: management.client, tenants: tenants.client, views });
    this.#stops.push(() => players.stop());
    await management.createNamespace(namespaces.system);
    await routeAdmission(management.client);
    const manager = await FleetManager.start({
      kubeconfig: await this.#kubeconfigOf(management.controlPlane, users.manager),
      directory: this.directory,
      admissionService: `${namespaces.system}/${admissionService}`,
    });
    this.#stops.push(() => manager.process.stop());
    const audit = new AuditLog(join(this.directory, "audit.log"));
    this.#parts = { management, tenants, views, capi, kwok, manager, audit };
    return this.#parts;
  }

  /** Fails if a required process has exited. */
  check(): void {
    const { manager, capi, kwok } = this.parts;
    for (const program of [manager.process, capi.process, kwok]) program.check();
  }

  /** Stops everything in reverse order; further calls wait for the same shutdown. */
  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      for (const stop of this.#stops.toReversed()) await stop().catch(() => undefined);
      if (this.#keepsLogs) console.error(`what was printed and asked is in ${this.directory}`);
      else await rm(this.directory, { recursive: true, force: true });
    })();
    return this.#stopped;
  }

  async #startManagement(): Promise<TestCluster> {
    const policy = join(this.directory, "audit-policy.json");
    await writeFile(policy, JSON.stringify(auditPolicy(Object.values(users))));
    const cluster = await aTestCluster({
      withControllerManager: true,
      mine: {
        name: "fleet",
        components: {
          "kube-apiserver": {
            extraArgs: {
              ...auditFlags(policy, join(this.directory, "audit.log")),
              // There is no pod network: the API server calls webhooks at the endpoints of their Services.
              "enable-aggregator-routing": "true",
            },
          },
        },
      },
    });
    this.#stops.push(() => cluster.stop());
    return cluster;
  }

  async #kubeconfigOf(controlPlane: ControlPlane, user: string): Promise<string> {
    // Service accounts share the API server fairly; administrators would starve all others.
    const { kubeconfig } = await controlPlane.issueClientCertificate({ user, groups: [serviceAccounts] });
    const contexts = kubeconfig.contexts.map(({ name, context }) => ({
      name,
      context: { ...context, namespace: namespaces.system },
    }));
    const file = join(this.directory, `${user}.kubeconfig`);
    await writeFile(file, JSON.stringify({ ...kubeconfig, contexts }), { mode: 0o600 });
    return file;
  }

  async #startKwok(program: string, { kubeconfigPath }: ControlPlane): Promise<FleetProcess> {
    const { name, value } = kwokAnnotation;
    const stages = join(await moduleDirectory("sigs.k8s.io/kwok"), "kustomize", "stage", "node");
    const kwok = await FleetProcess.start({
      name: "kwok",
      program,
      directory: this.directory,
      args: [
        `--kubeconfig=${kubeconfigPath}`,
        `--manage-nodes-with-annotation-selector=${name}=${value}`,
        ...kwokStages.map((file) => `--config=${join(stages, file)}`),
        "--node-lease-duration-seconds=40",
      ],
    });
    this.#stops.push(() => kwok.stop());
    return kwok;
  }
}

/** Components of the fleet. */
export interface Parts {
  readonly management: TestCluster;
  readonly tenants: TestCluster;
  readonly views: TenantViews;
  readonly capi: RunningClusterApi;
  readonly kwok: FleetProcess;
  readonly manager: FleetManager;
  readonly audit: AuditLog;
}

/** Permissions are not part of the measurement. */
async function allowEverything(client: ApiClient): Promise<void> {
  const apiGroup = "rbac.authorization.k8s.io";
  await client.create(builtinKinds.ClusterRoleBinding, {
    apiVersion: `${apiGroup}/v1`,
    kind: "ClusterRoleBinding",
    metadata: { name: "fleet" },
    roleRef: { apiGroup, kind: "ClusterRole", name: "cluster-admin" },
    subjects: Object.values(users).map((name) => ({ apiGroup, kind: "User", name })),
  } as KubeObject);
}

/** Routes the Service of the manager's webhooks to the manager's process. */
async function routeAdmission(client: ApiClient): Promise<void> {
  const metadata = { name: admissionService, namespace: namespaces.system };
  const ports = [{ name: "admission", port: 443, targetPort: admissionPort, protocol: "TCP" }];
  // Owner of the webhooks in an installation; permissions are not measured.
  await client.create(builtinKinds.ClusterRole, {
    apiVersion: "rbac.authorization.k8s.io/v1",
    kind: "ClusterRole",
    metadata: { name: admissionService },
    rules: [],
  } as KubeObject);
  await client.create(Service, { apiVersion: "v1", kind: "Service", metadata, spec: { ports } } as KubeObject);
  await client.create(EndpointSlice, {
    apiVersion: "discovery.k8s.io/v1",
    kind: "EndpointSlice",
    metadata: { ...metadata, labels: { "kubernetes.io/service-name": admissionService } },
    addressType: "IPv4",
    ports: [{ name: "admission", port: admissionPort, protocol: "TCP" }],
    endpoints: [{ addresses: [ownAddress()], conditions: { ready: true } }],
  } as KubeObject);
}

/** An address of this machine; Kubernetes does not accept loopback addresses as endpoints. */
function ownAddress(): string {
  const addresses = Object.values(networkInterfaces()).flatMap((each) => each ?? []);
  const found = addresses.find(({ family, internal }) => family === "IPv4" && !internal);
  if (found === undefined) {
    throw new Unavailable("this machine has no IPv4 address beside loopback", {
      hint: "The API server reaches Butler's webhooks at it; give the machine a network.",
    });
  }
  return found.address;
}

/** The platform's settings, a provider, and a team with sufficient quota. */
export async function makeTeam(client: ApiClient, clusters: number): Promise<void> {
  const room = clusters + 10;
  const objects: readonly (readonly [Kind, object])[] = [
    [
      ButlerConfig,
      {
        metadata: { name: "butler" },
        spec: { multiTenancy: { mode: "Enforced" }, defaultProviderConfigRef: { name: "local" } },
      },
    ],
    [ProviderConfig, { metadata: { name: "local", namespace: namespaces.system }, spec: { provider: "local" } }],
    [
      Team,
      {
        metadata: { name: team },
        spec: {
          displayName: "Fleet",
          access: { users: [{ name: "ada@example.com", role: "admin" }] },
          resourceLimits: { maxClusters: room, maxTotalNodes: 4 * room },
        },
      },
    ],
  ];
  for (const [kind, object] of objects) {
    const whole = { apiVersion: `${kind.group}/${kind.version}`, kind: kind.kind, ...object } as KubeObject;
    await eventually(() => client.create(kind, whole), { what: `${kind.kind} ${whole.metadata.name}` });
  }
  await eventually(async () => isConditionTrue((await client.get(Team, { name: team })).status?.conditions, "Ready"), {
    what: `the team ${team}`,
  });
}
