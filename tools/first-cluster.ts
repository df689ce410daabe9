import { fileURLToPath } from "node:url";
import { TenantCluster } from "@butler/api";
import type { Kubectl } from "@butler/engine";
import { CacheSet, connect, loadKubeConfig } from "@butler/kube";
import { isConditionTrue } from "@butler/resource";
import { Timeout } from "@butler/std";

const example = (name: string): string => fileURLToPath(new URL(`../examples/${name}`, import.meta.url));
const longestWaitMs = 300_000;

/** Where the first cluster is created, and the receiver of progress messages. */
export interface FirstClusterOptions {
  readonly kubectl: Kubectl;
  readonly kubeconfig: string;
  readonly say: (sentence: string) => void;
}

/** Creates the example team and cluster and reports progress until the cluster is ready. */
export async function makeFirstCluster({ kubectl, kubeconfig, say }: FirstClusterOptions): Promise<void> {
  await kubectl.run(["apply", "-f", example("platform.yaml")]);
  await kubectl.run(["wait", "team/demo-team", "--for=condition=Ready", "--timeout=60s"]);
  say("creating the tenant cluster demo for the team demo-team");
  await kubectl.run(["apply", "-f", example("tenant-cluster.yaml")]);
  const { client, close } = connect(loadKubeConfig(kubeconfig));
  const over = new AbortController();
  try {
    const caches = new CacheSet(client);
    const clusters = caches.of(TenantCluster, { namespace: "demo-team" });
    const ready = Promise.withResolvers<void>();
    const reported = new Set<string>();
    clusters.addHandler(({ object }) => {
      for (const sentence of newsOf(object)) if (!reported.has(sentence)) say(sentence);
      for (const sentence of newsOf(object)) reported.add(sentence);
      if (isConditionTrue(object.status?.conditions, "Ready")) ready.resolve();
    });
    await caches.start(over.signal);
    const limit = setTimeout(() => ready.reject(tooLate(clusters.list())), longestWaitMs);
    await ready.promise.finally(() => clearTimeout(limit));
  } finally {
    over.abort();
    await close();
  }
}

/** Progress lines from a cluster's conditions. */
function newsOf({ metadata, status }: TenantCluster): string[] {
  return (status?.conditions ?? [])
    .filter(({ type, status: holds }) => type !== "NetworkReady" && (holds === "True" || type === "WorkersReady"))
    .map(({ message }) => `${metadata.name}: ${message}`);
}

function tooLate([cluster]: readonly TenantCluster[]): Timeout {
  const ready = cluster?.status?.conditions?.find(({ type }) => type === "Ready");
  return new Timeout(`the tenant cluster is not ready: ${ready?.message ?? "no conditions reported"}`, {
    hint: "Find the cause with: bin/butlerctl cluster why demo",
  });
}
