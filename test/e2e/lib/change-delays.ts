import { TenantCluster } from "@butler/api";
import { connect, loadKubeConfig } from "@butler/kube";
import { eventually } from "@butler/testkit";
import type { Page } from "playwright-core";
import type { KubectlCalls } from "./kubectl-calls.ts";

/** Milliseconds from the response to kubectl until something was observed; negative when it was observed earlier. */
export interface ChangeDelay {
  readonly page: number;
  /** The same for a plain watch on the API server, the lower bound. */
  readonly watch: number;
}

/** The change and where it is observed. */
export interface ObservedCluster {
  readonly kubectl: KubectlCalls;
  readonly kubeconfig: string;
  readonly namespace: string;
  readonly name: string;
  readonly page: Page;
}

/** Makes a change several times, and measures when the page and when a plain watch shows it. */
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

/** Resolves as soon as a page shows a text, when it is drawn. The page's policy allows no other way to wait. */
function whenShown(words: string): string {
  return `new Promise((seen) => {
    const look = () =>
      document.body.innerText.includes(${JSON.stringify(words)}) ? seen(true) : requestAnimationFrame(look);
    look();
  })`;
}
