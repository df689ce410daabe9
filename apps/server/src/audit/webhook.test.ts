import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { AuditSegment } from "@butler/api";
import { isRecord, NotFound, systemClock } from "@butler/std";
import { silentLogger } from "@butler/telemetry";
import { eventually } from "@butler/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { aRecord, segmentsOf } from "./testing/records.ts";
import { runWebhookExport, signatureOf, type WebhookOptions } from "./webhook.ts";

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** A webhook receiver that accepts records unless configured to fail. */
async function aReceiver() {
  const received: string[] = [];
  const faults = { status: 200, badSignatures: 0, refused: 0 };
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks).toString();
      const timestamp = String(request.headers["x-butler-timestamp"]);
      if (request.headers["x-butler-signature"] !== signatureOf("key", timestamp, body)) faults.badSignatures++;
      if (faults.status === 200) received.push(...body.trimEnd().split("\n"));
      else faults.refused++;
      response.writeHead(faults.status, faults.status === 302 ? { location: "http://127.0.0.1:1/" } : {}).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => server.close());
  return { received, faults, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
}

/** A ConfigMap kept in memory. */
function aMemory(): { client: WebhookOptions["client"]; data: { value: unknown } } {
  const data: { value: unknown } = { value: undefined };
  const client = {
    find: () => Promise.resolve(data.value === undefined ? undefined : { data: data.value }),
    create: (_kind: unknown, object: unknown) => {
      data.value = isRecord(object) ? object["data"] : undefined;
      return Promise.resolve(object);
    },
    patch: (_kind: unknown, _key: unknown, { patch }: { patch: readonly { value: unknown }[] }) => {
      if (data.value === undefined) return Promise.reject(new NotFound("no memory yet"));
      data.value = patch[0]?.value;
      return Promise.resolve({});
    },
  };
  return { client: client as unknown as WebhookOptions["client"], data };
}

function run(options: Pick<WebhookOptions, "client" | "segments"> & { readonly url: string }): () => Promise<void> {
  const over = new AbortController();
  const running = runWebhookExport(
    {
      ...options,
      target: () => Promise.resolve({ url: options.url, key: "key" }),
      cursorKey: { name: "export", namespace: "default" },
      clock: systemClock,
      logger: silentLogger,
      batchSize: 7,
      pauseMs: 5,
      retry: { initialMs: 5, maximumMs: 20, factor: 2, jitter: 0 },
    },
    over.signal,
  );
  const stop = async (): Promise<void> => {
    over.abort();
    await running;
  };
  closing.push(stop);
  return stop;
}

describe("the webhook", () => {
  it("posts every record signed and in order, retries after failures, and resumes where it stopped", async () => {
    const all = await segmentsOf(Array.from({ length: 40 }, (_none, at) => aRecord({ requestId: `r${at}` })));
    const log: { segments: AuditSegment[] } = { segments: all.slice(0, 2) };
    const { received, faults, url } = await aReceiver();
    const { client, data } = aMemory();
    const stop = run({ client, url, segments: () => log.segments });
    const first = log.segments.reduce((sum, { spec }) => sum + spec.records, 0);
    await eventually(() => isRecord(data.value) && data.value["one"] === String(first));
    expect(received).toHaveLength(first);
    faults.status = 503;
    log.segments = all;
    await stop();
    run({ client, url, segments: () => log.segments });
    for (const status of [302, 500]) {
      faults.status = status;
      const before = faults.refused;
      await eventually(() => faults.refused > before + 1);
    }
    faults.status = 200;
    await eventually(() => received.length === 40);
    expect(received.map((line) => (JSON.parse(line) as { requestId: string }).requestId)).toEqual(
      Array.from({ length: 40 }, (_none, at) => `r${at}`),
    );
    expect(faults.badSignatures).toBe(0);
  });

  it("reposts records that may not have arrived, with the same ids", async () => {
    const segments = await segmentsOf([aRecord({ requestId: "once" })]);
    const { received, url } = await aReceiver();
    const first = aMemory();
    const forgetful = {
      ...first.client,
      create: () => Promise.reject(new NotFound("crashed before it could note it")),
    };
    run({ client: forgetful, url, segments: () => segments });
    await eventually(() => received.length >= 2);
    expect(new Set(received).size).toBe(1);
  });
});
