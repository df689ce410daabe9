import {
  engineImageNames,
  ensureTools,
  installClusterApiInEngine,
  Kubectl,
  type LocalEngine,
  provideButlerImage,
} from "@butler/engine";
import { defaultDataStoreObjects, issueEtcdCertificates, sharedEtcdPlace } from "@butler/steward";
import { bundleButler } from "./bundle.ts";
import { chartImageValues, installChart } from "./chart-install.ts";
import { platformNamespace } from "./platform.ts";

/** Who hears what is being done, and what ends it. */
export interface InstallInEngineOptions {
  readonly say?: (sentence: string) => void;
  readonly signal?: AbortSignal | undefined;
}

/** What tenants run on, made of the engine's own programs. */
const tenantImages = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "etcd", "butler-node"] as const;

const fieldManager = "butler-install";

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
    installClusterApiInEngine(engine, { say, signal }),
  ]);
  say("starting Butler");
  const values = { ...chartImageValues(image), localProvider: { enabled: true } };
  // Nobody else installs into an engine, so what an interrupted attempt has left need not be waited for.
  const chart = { helm, kubeconfig, values, leftoverAfterMs: 0, say, signal };
  await Promise.all([installChart(chart), engine.provideImages(tenantImages)]);
  // Who judges DataStores must be there before the first of them.
  await ensureDefaultDataStore(kubectl);
  await waitForRollouts(kubectl, "statefulsets");
  await kubectl.run(["wait", "datastores", "--all", "--for=condition=Ready", "--timeout=60s"]);
  say("Butler is ready");
}

async function waitForRollouts(kubectl: Kubectl, kind: string): Promise<void> {
  const inNamespace = ["--namespace", platformNamespace];
  const names = await kubectl.run(["get", kind, ...inNamespace, "-o", "name"]);
  await Promise.all(
    names
      .trim()
      .split("\n")
      .map((name) => kubectl.run(["rollout", "status", name, ...inNamespace, "--timeout=120s"])),
  );
}

/** The keys of the store are made once: all control planes in it trust them. The last of them tells that all are there. */
async function ensureDefaultDataStore(kubectl: Kubectl): Promise<void> {
  const place = sharedEtcdPlace({ namespace: platformNamespace, members: 1 });
  const objects = defaultDataStoreObjects({
    namespace: platformNamespace,
    members: 1,
    certificates: await issueEtcdCertificates(place),
    image: engineImageNames().etcd,
    storage: { size: "2Gi" },
    // More than one control plane has, of which ten that start at once must not keep it from answering.
    resources: { requests: { cpu: "200m", memory: "128Mi" } },
  });
  const keys = objects.filter(({ kind }) => kind === "Secret");
  const last = keys.at(-1)?.metadata.name ?? "";
  const isKeyed = (await kubectl.get("secret", last, "--namespace", platformNamespace)) !== undefined;
  await kubectl.apply(isKeyed ? objects.filter(({ kind }) => kind !== "Secret") : objects, fieldManager);
}
