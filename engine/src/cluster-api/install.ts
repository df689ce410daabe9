import { join } from "node:path";
import { type Clock, Conflict, sleep, systemClock, Timeout, Unavailable } from "@butler/std";
import { parseAllDocuments } from "yaml";
import type { EngineImageName } from "../images/engine-images.ts";
import { engineImageNames } from "../images/image-catalog.ts";
import { Kubectl } from "../node/kubectl.ts";
import { moduleDirectory } from "../sources/module-directory.ts";
import { type EventReport, podComplaints, type PodReport } from "./complaints.ts";
import { certificateSecrets, clusterApiManifests, managerDeployments, type Manifest, ownerLabel } from "./manifests.ts";
import { ensureAuthority, fillSecrets } from "./webhook-certificates.ts";

/** The images of Cluster API's managers. */
export const managerImages = [
  "cluster-api-controller",
  "kubeadm-bootstrap-controller",
] as const satisfies readonly EngineImageName[];

/** Where and how Cluster API is installed; all but the first two have a default. */
export interface InstallClusterApiOptions {
  /** The path of kubectl. */
  readonly kubectl: string;
  readonly kubeconfig: string;
  /** The directory of Cluster API's source, which contains its manifests. */
  readonly source?: string;
  /** Images to run instead of the published ones. */
  readonly images?: Readonly<Record<(typeof managerImages)[number], string>>;
  /** Timeout until the managers respond. */
  readonly timeoutMs?: number;
  /** The environment of kubectl. */
  readonly environment?: NodeJS.ProcessEnv;
  /** Receives progress messages. */
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
  readonly clock?: Clock;
}

interface Manager {
  readonly name: string;
  readonly namespace: string;
}

interface Reports {
  readonly items: readonly (PodReport & EventReport & { readonly kind: string })[];
}

const module = "sigs.k8s.io/cluster-api";
const overlays = ["core/config/default", "bootstrap/kubeadm/config/default"];
const fieldManager = "butler-cluster-api";
const probePauseMs = 200;

/** By default an object is reconciled at most once a second, which makes the first minutes of a cluster slow. */
const variables = { EXP_RECONCILER_RATE_LIMITING: "false" };

/** Objects for a dry run of each manager's webhooks; they are not stored. */
const probes = [
  {
    apiVersion: "cluster.x-k8s.io/v1beta2",
    kind: "Cluster",
    metadata: { name: "butler-probe", namespace: "default" },
    spec: {
      paused: true,
      infrastructureRef: { apiGroup: "infrastructure.cluster.x-k8s.io", kind: "ProbeCluster", name: "butler-probe" },
    },
  },
  {
    apiVersion: "bootstrap.cluster.x-k8s.io/v1beta2",
    kind: "KubeadmConfig",
    metadata: { name: "butler-probe", namespace: "default" },
    spec: { format: "cloud-config" },
  },
];

/**
 * Installs Cluster API and its kubeadm bootstrap provider in a cluster, and returns when their webhooks respond.
 * Repeating it renews certificates in the last third of their lifetime, updates the manifests, and changes nothing
 * else.
 */
export async function installClusterApi(options: InstallClusterApiOptions): Promise<void> {
  const { say = () => undefined, timeoutMs = 120_000, clock = systemClock, signal } = options;
  const { environment = process.env, kubeconfig } = options;
  const kubectl = new Kubectl({ program: options.kubectl, kubeconfig, environment, signal });
  const deadlineMs = clock.monotonicMs() + timeoutMs;
  const upstream = await readUpstream(kubectl, options);
  const managers = managerDeployments(upstream);
  await refuseForeign(kubectl, managers);
  say("installing Cluster API");
  await kubectl.apply(namespacesOf(upstream), fieldManager);
  const now = clock.now();
  const authority = await ensureAuthority(kubectl, now);
  const secrets = await fillSecrets(kubectl, certificateSecrets(upstream), { authority, now });
  const images = options.images ?? engineImageNames();
  const manifests = clusterApiManifests(upstream, { images, authorities: authority.trusted, secrets, variables });
  await kubectl.apply(manifests, fieldManager);
  await Promise.all(managers.map((manager) => waitAvailable(kubectl, manager, deadlineMs - clock.monotonicMs())));
  await waitForWebhooks(kubectl, { deadlineMs, clock, signal });
  say("Cluster API is ready");
}

async function readUpstream(kubectl: Kubectl, { source, signal }: InstallClusterApiOptions): Promise<Manifest[]> {
  const directory = source ?? (await moduleDirectory(module, { signal }));
  const texts = await Promise.all(overlays.map((overlay) => kubectl.run(["kustomize", join(directory, overlay)])));
  return texts.flatMap((text) => parseAllDocuments(text).map((document) => document.toJS() as Manifest));
}

/** Another installation has its own certificates; taking over half of it would break it. */
async function refuseForeign(kubectl: Kubectl, managers: readonly Manager[]): Promise<void> {
  const [[label, owner] = ["", ""]] = Object.entries(ownerLabel);
  for (const { name, namespace } of managers) {
    const found = await kubectl.get<Manifest>("deployment", name, "--namespace", namespace);
    if (found === undefined || found.metadata.labels?.[label] === owner) continue;
    throw new Conflict(`Cluster API is already installed by another tool: Deployment ${namespace}/${name}`, {
      hint: "Use that installation, or uninstall it first with the tool that installed it.",
    });
  }
}

function namespacesOf(upstream: readonly Manifest[]): Manifest[] {
  return clusterApiManifests(
    upstream.filter(({ kind }) => kind === "Namespace"),
    { images: {}, authorities: "", secrets: [] },
  );
}

async function waitAvailable(kubectl: Kubectl, manager: Manager, remainingMs: number): Promise<void> {
  const { name, namespace } = manager;
  const seconds = Math.max(1, Math.ceil(remainingMs / 1_000));
  const scope = ["--namespace", namespace];
  try {
    await kubectl.run(["rollout", "status", `deployment/${name}`, ...scope, `--timeout=${seconds}s`]);
  } catch (error) {
    const complaints = await readComplaints(kubectl, namespace);
    throw new Timeout([`Deployment ${namespace}/${name} is not available`, ...complaints].join("\n- "), {
      cause: error,
    });
  }
}

async function readComplaints(kubectl: Kubectl, namespace: string): Promise<string[]> {
  const { items } = (await kubectl.get<Reports>("pods,events", "--namespace", namespace)) ?? { items: [] };
  return podComplaints(
    items.filter(({ kind }) => kind === "Pod"),
    items.filter(({ kind }) => kind === "Event"),
  );
}

/** A manager may be available shortly before the cluster's Services route to it. */
async function waitForWebhooks(
  kubectl: Kubectl,
  { deadlineMs, clock, signal }: { deadlineMs: number; clock: Clock; signal: AbortSignal | undefined },
): Promise<void> {
  for (;;) {
    try {
      await kubectl.run(["create", "--dry-run=server", "-f", "-"], probes);
      return;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      if (clock.monotonicMs() > deadlineMs) {
        throw new Timeout(`Cluster API webhooks are not responding: ${error.message}`, { cause: error });
      }
      await sleep(clock, probePauseMs, signal);
    }
  }
}
