import { TenantCluster } from "@butler/api";
import { connect, loadKubeConfig } from "@butler/kube";
import { eventually } from "@butler/testkit";
import type { Page } from "playwright-core";
import type { KubectlCalls } from "./kubectl-calls.ts";

/** How long after kubectl had its answer something was seen, in milliseconds; below nothing when it was sooner. */
export interface ChangeDelay {
  readonly page: number;
  /** The same for a plain watch on the API server, the lower bound. */
  readonly watch: number;
}

/** What is changed, and where it is looked at. */
export interface ObservedCluster {
  readonly kubectl: KubectlCalls;
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly name: string;
  readonly page: Page;
}

/** Changes whose cluster it is, some times, and looks when the page has it and when a bare watch has. */
export async function changeDelays(observed: ObservedCluster, times: number): Promise<readonly ChangeDelay[]> {
  const { kubectl, kubeconfig, namespace, name, page } = observed;
  const { client, close } = connect(loadKubeConfig(kubeconfig));
  const seenAt = new Map<string, number>();
  const over = new AbortController();
  try {
    const { metadata } = await client.get(TenantCluster, { namespace, name });
    const { resourceVersion = "" } = metadata;
    const options = { namespace, fieldSelector: `metadata.name=${name}`, resourceVersion, signal: over.signal };
    const watch = await client.watch(TenantCluster, options);
    const watching = (async () => {
      for await (const event of watch) {
        if (event.type === "BOOKMARK") continue;
        const owner = event.object.metadata.annotations?.["butler.butlerlabs.dev/owner"] ?? "";
        if (!seenAt.has(owner)) seenAt.set(owner, performance.now());
      }
    })().catch(() => undefined);
    const delays: ChangeDelay[] = [];
    for (let turn = 1; turn <= times; turn++) {
      const owner = `owner number ${turn}`;
      const inPage = page.evaluate(whenShown(owner)).then(() => performance.now());
      const patch = JSON.stringify({ metadata: { annotations: { "butler.butlerlabs.dev/owner": owner } } });
      await kubectl.run("patch", "tenantcluster", name, "-n", namespace, "--type=merge", "-p", patch);
      const answeredAt = performance.now();
      const [pageAt, watchAt] = await Promise.all([inPage, eventually(() => seenAt.get(owner), { intervalMs: 5 })]);
      delays.push({ page: Math.round(pageAt - answeredAt), watch: Math.round(watchAt - answeredAt) });
    }
    over.abort();
    await watching;
    return delays;
  } finally {
    over.abort();
    await close();
  }
}

/** What ends once a page shows some words, as soon as it is drawn. The policy of the pages lets nothing else wait. */
function whenShown(words: string): string {
  return `new Promise((seen) => {
    const look = () =>
      document.body.innerText.includes(${JSON.stringify(words)}) ? seen(true) : requestAnimationFrame(look);
    look();
  })`;
}
