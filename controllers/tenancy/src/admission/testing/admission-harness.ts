import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { addonAdmission } from "@butler/addon-controllers";
import {
  AddonDefinition,
  ButlerConfig,
  ClusterCreationPolicy,
  IPAllocation,
  ManagementAddon,
  namespaces,
  NetworkPool,
  ProviderConfig,
  Team,
  TenantAddon,
  TenantCluster,
  User,
} from "@butler/api";
import { type AdmissionHandler, AdmissionServer, type KubeClient } from "@butler/kube";
import { networkAdmission } from "@butler/network";
import { createAuthority, issueCertificate } from "@butler/pki";
import { builtinKinds, type DynamicObject, type Kind, type KubeObject, type Resource } from "@butler/resource";
import { type Clock, systemClock } from "@butler/std";
import { connectAs, eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { tenancyAdmission } from "../tenancy-admission.ts";

const configurationKind = (kind: string): Kind => ({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind,
  plural: `${kind.toLowerCase()}s`,
  scope: "Cluster",
});

/** The component that is trusted to act for users. */
export const serverAccount = "butler-server";

interface HarnessOptions {
  readonly further?: readonly Resource[];
}

/** A real API server that calls two replicas of Butler's webhooks in turn, as through a Service. */
export class AdmissionHarness {
  readonly cluster: TestCluster;
  readonly handlers: readonly AdmissionHandler[];
  readonly #undo: (() => unknown)[];
  #aheadMs = 0;

  private constructor(cluster: TestCluster, undo: (() => unknown)[]) {
    this.cluster = cluster;
    this.#undo = undo;
    const clock: Clock = { ...systemClock, now: () => new Date(Date.now() + this.#aheadMs) };
    const replica = (): readonly AdmissionHandler[] =>
      tenancyAdmission({
        client: cluster.client,
        supportedSystems: { local: ["rocky"] },
        trustedUsernames: [serverAccount],
        clock,
        others: [...networkAdmission(cluster.client), ...addonAdmission(cluster.client)],
      });
    this.handlers = takingTurns(replica(), replica());
  }

  /** `further` kinds besides those that are validated or read. */
  static async start({ further = [] }: HarnessOptions = {}): Promise<AdmissionHarness> {
    const undo: (() => unknown)[] = [];
    try {
      const platformKinds = [ButlerConfig, ClusterCreationPolicy, IPAllocation, NetworkPool, ProviderConfig];
      const resources = [
        ...platformKinds,
        AddonDefinition,
        ManagementAddon,
        Team,
        TenantAddon,
        TenantCluster,
        User,
        ...further,
      ];
      const cluster = await aTestCluster({ resources });
      undo.push(() => cluster.stop());
      const harness = new AdmissionHarness(cluster, undo);
      await harness.#populate();
      await harness.#serve();
      return harness;
    } catch (error) {
      await stopAll(undo);
      throw error;
    }
  }

  get client(): KubeClient {
    return this.cluster.client;
  }

  stop(): Promise<void> {
    return stopAll(this.#undo);
  }

  /** Advances the webhooks' clock. */
  pass(milliseconds: number): void {
    this.#aheadMs += milliseconds;
  }

  /** A client of a given user. */
  async as(user: string, groups: readonly string[] = []): Promise<KubeClient> {
    const { client, close } = await connectAs(this.cluster, user, groups);
    this.#undo.push(close);
    return client;
  }

  /** A team that is ready, with its namespace. */
  async team(name: string, spec: object = {}): Promise<void> {
    const metadata = { name };
    await this.create(Team, { metadata, spec });
    await this.setPhase(name);
    await this.cluster.createNamespace(name);
  }

  async setPhase(team: string): Promise<void> {
    const patch = { status: { phase: "Ready" } };
    await this.client.patch(Team, { name: team }, { type: "merge", patch, subresource: "status" });
  }

  create(kind: Kind & { readonly apiVersion?: string }, object: object, client: KubeClient = this.client) {
    return client.create(kind, { apiVersion: kind.apiVersion ?? "v1", kind: kind.kind, ...object } as KubeObject);
  }

  async #populate(): Promise<void> {
    await this.cluster.createNamespace(namespaces.system);
    const defaultProviderConfigRef = { name: "local" };
    const spec = { multiTenancy: { mode: "Enforced" }, defaultProviderConfigRef };
    await this.create(ButlerConfig, { metadata: { name: "butler" }, spec });
    const metadata = { name: "local", namespace: namespaces.system };
    await this.create(ProviderConfig, { metadata, spec: { provider: "local" } });
  }

  async #serve(): Promise<void> {
    const directory = await mkdtemp(join(tmpdir(), "butler-tenancy-admission-"));
    this.#undo.push(() => rm(directory, { recursive: true, force: true }));
    const authority = await createAuthority("tenancy-admission");
    const pair = await issueCertificate(authority, {
      commonName: "webhook",
      usages: ["server"],
      ipAddresses: ["127.0.0.1"],
    });
    const certificate = { certFile: join(directory, "tls.crt"), keyFile: join(directory, "tls.key") };
    await writeFile(certificate.certFile, pair.cert);
    await writeFile(certificate.keyFile, pair.key);
    const server = new AdmissionServer({ handlers: this.handlers, certificate, port: 0, host: "127.0.0.1" });
    const port = await server.start();
    this.#undo.push(() => server.stop());
    await this.#configure(`https://127.0.0.1:${port}`, authority.cert);
    await eventually(() => this.#isInForce(), { what: "the webhooks in force" });
  }

  async #configure(url: string, caPem: string): Promise<void> {
    for (const part of ["Mutating", "Validating"] as const) {
      const kind = configurationKind(`${part}WebhookConfiguration`);
      const asked = this.handlers.filter((handler) => Object.hasOwn(handler, "mutate") === (part === "Mutating"));
      const webhooks = asked.map(({ path, kind: { group, version, plural } }) => ({
        name: `${plural}.${group}`,
        clientConfig: { url: `${url}${path}`, caBundle: Buffer.from(caPem).toString("base64") },
        rules: [
          {
            apiGroups: [group],
            apiVersions: [version],
            resources: [plural],
            operations: part === "Mutating" ? ["CREATE", "UPDATE"] : ["CREATE", "UPDATE", "DELETE"],
          },
        ],
        failurePolicy: "Fail",
        sideEffects: "NoneOnDryRun",
        admissionReviewVersions: ["v1"],
        timeoutSeconds: 10,
      }));
      const metadata = { name: "tenancy" };
      const object = { apiVersion: "admissionregistration.k8s.io/v1", kind: kind.kind, metadata, webhooks };
      await this.client.create(kind, object);
    }
  }

  /**
   * Waits until the API server calls the webhooks: it registers them all at once, so one denial of each kind is enough.
   */
  async #isInForce(): Promise<boolean> {
    const refusal = await this.create(Team, { metadata: { name: "kube-probe" }, spec: {} }).then(
      () => this.client.delete(Team, { name: "kube-probe" }),
      String,
    );
    const object = {
      apiVersion: TenantCluster.apiVersion,
      kind: TenantCluster.kind,
      metadata: { name: "probe", namespace: "default" },
      spec: {},
    };
    const unowned = await this.client.create(TenantCluster, object, { dryRun: true }).then(() => "", String);
    // The creator is missing while the mutating webhook is not called yet.
    return (
      String(refusal).includes("reserved for the platform") &&
      unowned.includes("the tenancy mode is Enforced") &&
      !unowned.includes("is missing")
    );
  }
}

/** The data of the ledger of a team. */
export async function ledgerOf(client: KubeClient, team: string): Promise<Record<string, string>> {
  const key = { name: `quota-${team}`, namespace: namespaces.system };
  const found: DynamicObject | undefined = await client.find(builtinKinds.ConfigMap, key);
  return (found?.["data"] ?? {}) as Record<string, string>;
}

/** Handlers that are called in turn: each has its own ledger, and they share only the API server. */
function takingTurns(
  ones: readonly AdmissionHandler[],
  others: readonly AdmissionHandler[],
): readonly AdmissionHandler[] {
  let calls = 0;
  return ones.map((one, at): AdmissionHandler => {
    const other = others[at] ?? one;
    const next = (): AdmissionHandler => ((calls += 1) % 2 === 0 ? one : other);
    if (one.mutate !== undefined) {
      return { path: one.path, kind: one.kind, mutate: (request, signal) => next().mutate?.(request, signal) ?? {} };
    }
    return { path: one.path, kind: one.kind, validate: (request, signal) => next().validate?.(request, signal) ?? [] };
  });
}

async function stopAll(undo: (() => unknown)[]): Promise<void> {
  for (const step of undo.splice(0).reverse()) await step();
}
