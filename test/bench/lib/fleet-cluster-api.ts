import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { Kubectl, moduleDirectory } from "@butler/engine";
import { type ApiClient, applyCrds } from "@butler/kube";
import { createAuthority, issueCertificate } from "@butler/pki";
import type { DynamicObject, Kind, KubeObject } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { parseAllDocuments } from "yaml";
import { FleetProcess, freePorts } from "./fleet-process.ts";

/** Options for running Cluster API. */
export interface ClusterApiOptions {
  readonly client: ApiClient;
  /** Kubeconfig with the identity of Cluster API. */
  readonly kubeconfig: string;
  readonly tools: { readonly "capi-core": string; readonly kubectl: string };
  readonly directory: string;
}

/** Running controllers of Cluster API. */
export interface RunningClusterApi {
  readonly process: FleetProcess;
  /** Address of its metrics. */
  readonly metricsUrl: string;
}

const overlays = ["core/config/default", "bootstrap/kubeadm/config/default"];
/** The Service that upstream's manifests use for the core controllers' webhooks. */
const coreService = "capi-webhook-service";

const configurationKinds: readonly Kind[] = (["Mutating", "Validating"] as const).map((word) => ({
  group: "admissionregistration.k8s.io",
  version: "v1",
  kind: `${word}WebhookConfiguration`,
  plural: `${word.toLowerCase()}webhookconfigurations`,
  scope: "Cluster",
}));

/**
 * Installs upstream's CRDs and the webhooks of its core controllers, and runs the controllers as a local process. Only
 * the kinds of the bootstrap provider are installed.
 */
export async function startClusterApi(options: ClusterApiOptions): Promise<RunningClusterApi> {
  const { client, kubeconfig, tools, directory } = options;
  const [webhookPort = 0, healthPort = 0, metricsPort = 0] = await freePorts(3);
  const authority = await createAuthority("fleet-webhooks", { now: new Date() });
  const serving = await issueCertificate(authority, {
    commonName: "127.0.0.1",
    ipAddresses: ["127.0.0.1"],
    usages: ["server"],
  });
  const certificates = join(directory, "capi-certificates");
  await mkdir(certificates, { recursive: true });
  await writeFile(join(certificates, "tls.crt"), serving.cert);
  await writeFile(join(certificates, "tls.key"), serving.key, { mode: 0o600 });
  const place = { port: webhookPort, caBundle: btoa(authority.cert) };
  const upstream = await readUpstream(new Kubectl({ program: tools.kubectl, kubeconfig }));
  await applyCrds(
    client,
    upstream.filter(({ kind }) => kind === "CustomResourceDefinition").map((crd) => convertingAt(crd, place)),
  );
  const core = await FleetProcess.start({
    name: "capi-core",
    program: tools["capi-core"],
    directory,
    readyUrl: `http://127.0.0.1:${healthPort}/readyz`,
    args: [
      `--kubeconfig=${kubeconfig}`,
      `--webhook-port=${webhookPort}`,
      `--webhook-cert-dir=${certificates}`,
      `--health-addr=127.0.0.1:${healthPort}`,
      `--diagnostics-address=127.0.0.1:${metricsPort}`,
      "--insecure-diagnostics",
      // As in the engine: by default an object is reconciled at most once a second.
      "--feature-gates=ReconcilerRateLimiting=false",
      // With the default of a hundred requests a second, the limit would dominate the measurement of a large fleet.
      "--kube-api-qps=1000",
      "--kube-api-burst=2000",
    ],
  });
  try {
    await installWebhooks(client, { upstream, ...place });
    return { process: core, metricsUrl: `http://127.0.0.1:${metricsPort}/metrics` };
  } catch (error) {
    await core.stop();
    throw error;
  }
}

interface WebhookPlace {
  readonly port: number;
  readonly caBundle: string;
}

interface Caller {
  readonly service?: { readonly name: string; readonly path?: string };
}

async function readUpstream(kubectl: Kubectl): Promise<DynamicObject[]> {
  const directory = await moduleDirectory("sigs.k8s.io/cluster-api");
  const texts = await Promise.all(overlays.map((overlay) => kubectl.run(["kustomize", join(directory, overlay)])));
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as DynamicObject));
}

/** There is no pod network, so the API server calls webhooks at this machine's own address. */
function callAt({ service }: Caller, { port, caBundle }: WebhookPlace): object {
  return { url: `https://127.0.0.1:${port}${service?.path ?? "/"}`, caBundle };
}

function convertingAt(crd: KubeObject, place: WebhookPlace): KubeObject {
  const { spec } = crd as unknown as { spec: { conversion?: { webhook?: { clientConfig: Caller } } } };
  const { webhook } = spec.conversion ?? {};
  if (webhook === undefined) return crd;
  const conversion = { ...spec.conversion, webhook: { ...webhook, clientConfig: callAt(webhook.clientConfig, place) } };
  return { ...crd, spec: { ...spec, conversion } } as KubeObject;
}

async function installWebhooks(
  client: ApiClient,
  { upstream, ...place }: WebhookPlace & { readonly upstream: readonly DynamicObject[] },
): Promise<void> {
  for (const object of upstream) {
    const kind = configurationKinds.find((each) => each.kind === object.kind);
    if (kind === undefined) continue;
    const hooks = object["webhooks"] as readonly { readonly clientConfig: Caller }[];
    const webhooks = hooks
      .filter(({ clientConfig }) => clientConfig.service?.name === coreService)
      .map((hook) => ({ ...hook, clientConfig: callAt(hook.clientConfig, place) }));
    if (webhooks.length === 0) continue;
    await client.apply(kind, { ...object, webhooks } as KubeObject, { fieldManager: "fleet" });
  }
  await eventually(() => probe(client), { timeoutMs: 60_000, what: "the webhooks of Cluster API" });
}

/** Calls the webhooks with a dry run of a Cluster. */
async function probe(client: ApiClient): Promise<boolean> {
  const infrastructureRef = { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "ProbeCluster", name: "probe" };
  const cluster = {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name: "probe", namespace: "default" },
    spec: { paused: true, infrastructureRef },
  };
  const kind: Kind = {
    group: "cluster.x-k8s.io",
    version: "v1beta2",
    kind: "Cluster",
    plural: "clusters",
    scope: "Namespaced",
  };
  await client.create(kind, cluster, { dryRun: true });
  return true;
}
