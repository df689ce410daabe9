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

/** Who hears what is being done, and what ends it. */
export interface InstallInEngineOptions {
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** What tenants run on, made of the engine's own programs. */
const tenantImages = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "butler-node"] as const;

/**
 * Installs Butler in an engine that is up: its kinds, Cluster API, its own processes and a store for control planes, all
 * from what this machine has. Repeating it brings everything up to date and keeps what tenants have.
 */
export async function installInEngine(engine: LocalEngine, options: InstallInEngineOptions = {}): Promise<void> {
  const { say = () => undefined, signal } = options;
  const { kubeconfig } = engine.paths;
  const { kubectl: program, helm } = await ensureTools(["kubectl", "helm"], { signal });
  const kubectl = new Kubectl({ program, kubeconfig, signal });
  say("putting Butler's image in");
  const [image] = await Promise.all([
    bundleButler().then(({ files }) => provideButlerImage(engine, files)),
    // Steward runs it as soon as it starts, and nodes that look for an image in vain look again only after a while.
    engine.provideImages(["etcd"]),
    installClusterApiInEngine(engine, { say, signal }),
  ]);
  say("starting Butler");
  const values = engineChartValues(image, await engine.nodeAddress());
  // Nobody else installs into an engine, so what an interrupted attempt has left need not be waited for.
  const chart = { helm, kubeconfig, values, leftoverAfterMs: 0, say, signal };
  await Promise.all([installChart(chart), engine.provideImages(tenantImages)]);
  await kubectl.apply([localPool(await engine.tenantRange())]);
  say("waiting for the store of control planes");
  const store = `datastore/${defaultDataStoreName}`;
  await kubectl.run(["wait", store, "--for=create", "--timeout=60s"]);
  await kubectl.run(["wait", store, "--for=condition=Ready", "--timeout=120s"]);
  say("Butler is ready");
}

/** Values of the chart for an engine: everything small, and from images that are in it. */
export function engineChartValues(image: string, nodeAddress: string): Readonly<Record<string, unknown>> {
  return {
    ...chartImageValues(image),
    localProvider: { enabled: true },
    steward: { defaultDataStore: defaultDataStoreValues() },
    // A small machine has to have room for tenants.
    controller: { resources: { requests: { cpu: "20m" } } },
    server: serverValues(nodeAddress),
  };
}

/** On this machine the server is at a fixed port of the node, so that its address is known before it is there. */
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

/** Addresses for the load balancers of tenant clusters, out of the network that the engine has a route to. */
function localPool(cidr: string): object {
  return {
    apiVersion: NetworkPool.apiVersion,
    kind: NetworkPool.kind,
    metadata: { name: "local", namespace: namespaces.system },
    spec: { cidr },
  };
}

/**
 * A small store, in an image that is in the engine. It gets more of the processor than one control plane has, of which ten
 * that start at once must not keep it from answering.
 */
function defaultDataStoreValues(): object {
  return {
    members: 1,
    storage: { size: "2Gi" },
    image: engineImageNames().etcd,
    resources: { requests: { cpu: "200m", memory: "128Mi" } },
  };
}
