import {
  engineImageNames,
  ensureTools,
  installClusterApiInEngine,
  Kubectl,
  type LocalEngine,
  provideButlerImage,
} from "@butler/engine";
import { namespaces, NetworkPool } from "@butler/api";
import { defaultDataStoreName } from "@butler/steward";
import { bundleButler } from "./bundle.ts";
import { chartImageValues, installChart } from "./chart-install.ts";

/** Receives progress messages, and aborts the installation. */
export interface InstallInEngineOptions {
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** The images of tenant clusters, built from the engine's own programs. */
const tenantImages = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "butler-node"] as const;

/**
 * Installs Butler in a running engine: its CRDs, Cluster API, its own processes and a DataStore, all from this machine.
 * Repeating it updates everything and keeps tenants' data.
 */
export async function installInEngine(engine: LocalEngine, options: InstallInEngineOptions = {}): Promise<void> {
  const { say = () => undefined, signal } = options;
  const { kubeconfig } = engine.paths;
  const { kubectl: program, helm } = await ensureTools(["kubectl", "helm"], { signal });
  const kubectl = new Kubectl({ program, kubeconfig, signal });
  say("importing the Butler image");
  const [image] = await Promise.all([
    bundleButler().then(({ files }) => provideButlerImage(engine, files)),
    // Steward uses it as soon as it starts, and nodes retry a failed image pull only after a while.
    engine.provideImages(["etcd"]),
    installClusterApiInEngine(engine, { say, signal }),
  ]);
  say("starting Butler");
  const values = engineChartValues(image, await engine.nodeAddress(), await engine.clusterNetworks());
  // No other client installs into an engine, so leftovers of an interrupted attempt need not be waited for.
  const chart = { helm, kubeconfig, values, leftoverAfterMs: 0, say, signal };
  await Promise.all([installChart(chart), engine.provideImages(tenantImages)]);
  await kubectl.apply([localPool(await engine.tenantRange())]);
  say("waiting for the default DataStore");
  const store = `datastore/${defaultDataStoreName}`;
  await kubectl.run(["wait", store, "--for=create", "--timeout=60s"]);
  await kubectl.run(["wait", store, "--for=condition=Ready", "--timeout=120s"]);
  say("Butler is ready");
}

/** Chart values for an engine: small resources, and images that are in the engine. */
export function engineChartValues(
  image: string,
  nodeAddress: string,
  clusterNetworks: readonly string[],
): Readonly<Record<string, unknown>> {
  return {
    ...chartImageValues(image),
    localProvider: { enabled: true },
    // Its nodes have no podCIDRs.
    outgoing: { clusterNetworks },
    steward: { defaultDataStore: defaultDataStoreValues() },
    // Leaves room for tenants on a small machine.
    controller: { resources: { requests: { cpu: "20m" } } },
    server: serverValues(nodeAddress),
  };
}

/** On this machine the server uses a fixed node port, so that its address is known in advance. */
function serverValues(node: string): object {
  return {
    publicURL: `http://${node}:${serverNodePort}`,
    kubernetesAddress: `https://${node}:6443`,
    service: { type: "NodePort", nodePort: serverNodePort },
    terminal: { image: engineImageNames()["butler-node"] },
    resources: { requests: { cpu: "20m" } },
  };
}

const serverNodePort = 30_080;

/** Addresses for the load balancers of tenant clusters, from the network that the engine routes to. */
function localPool(cidr: string): object {
  return {
    apiVersion: NetworkPool.apiVersion,
    kind: NetworkPool.kind,
    metadata: { name: "local", namespace: namespaces.system },
    spec: { cidr },
  };
}

/**
 * A small DataStore, with an image that is in the engine. It gets a larger CPU share than a control plane, so that ten
 * starting control planes do not starve it.
 */
function defaultDataStoreValues(): object {
  return {
    members: 1,
    storage: { size: "2Gi" },
    image: engineImageNames().etcd,
    resources: { requests: { cpu: "200m", memory: "128Mi" } },
  };
}
