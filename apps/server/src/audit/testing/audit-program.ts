import { AuditSegment } from "@butler/api";
import { CacheSet, connect, loadKubeConfig } from "@butler/kube";
import { createAudit } from "../create-audit.ts";
import { aRecord } from "./records.ts";

/** Writes records until it is killed, many at once, and prints the number of each once it is acknowledged. */
const [kubeconfig = "", name = "one"] = process.argv.slice(2);
const { client } = connect(loadKubeConfig(kubeconfig), { userAgent: "audit-program" });
const caches = new CacheSet(client);
const audit = createAudit({ client, state: { caches }, namespace: "default", segmentBytes: 16_384 });
caches.of(AuditSegment);
await caches.start(new AbortController().signal);

let next = 0;
async function work(): Promise<never> {
  for (;;) {
    const requestId = `${name}-${next++}`;
    await audit.sink.begin(aRecord({ requestId, statusCode: 0, success: false, timestamp: new Date().toISOString() }));
    await audit.sink.commit(aRecord({ requestId, timestamp: new Date().toISOString() }));
    process.stdout.write(`${requestId}\n`);
  }
}
await Promise.all(Array.from({ length: 20 }, () => work()));
