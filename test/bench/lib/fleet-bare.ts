import { builtinKinds } from "@butler/resource";
import type { TestCluster } from "@butler/testkit";
import { connectBare, inParallel } from "./bare.ts";

const namespace = "bare";
/** About the size of an object of Cluster API. */
const contentBytes = 500;

/** The rate of plain server-side applies that an API server accepts from a simple loop. */
export async function bareAppliesPerSecond(
  cluster: TestCluster,
  { applies, workers }: { readonly applies: number; readonly workers: number },
): Promise<number> {
  const api = await connectBare(cluster.controlPlane.kubeconfigPath);
  await cluster.createNamespace(namespace);
  const startedAt = performance.now();
  await inParallel(Array(applies).keys(), workers, async (at) => {
    const name = `bare-${at}`;
    await api.call("PATCH", `/api/v1/namespaces/${namespace}/configmaps/${name}?fieldManager=bare&force=true`, {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: { name, namespace },
      data: { text: "x".repeat(contentBytes) },
    });
  });
  const perSecond = (applies * 1_000) / (performance.now() - startedAt);
  await api.close();
  await cluster.client.delete(builtinKinds.Namespace, { name: namespace });
  return perSecond;
}
