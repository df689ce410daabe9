import { once } from "node:events";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { KubeConfig } from "@kubernetes/client-node";
import { builtinKinds } from "@butler/resource";
import { eventually } from "@butler/testkit";
import { afterEach, describe, expect, it } from "vitest";
import { Informer } from "../cache/informer.ts";
import { AnswerTooLarge } from "./api-errors.ts";
import { boundedClient, listAll, listPage, TooMuch } from "./bounded-reads.ts";
import { connect, type ConnectedClient } from "./connect.ts";

const kind = builtinKinds.ConfigMap;
const maximumAnswerBytes = 100_000;

let server: Server | undefined;
let connected: ConnectedClient | undefined;
afterEach(async () => {
  await connected?.close();
  server?.closeAllConnections();
  server?.close();
});

/** A server with a number of ConfigMaps of a size, which counts its requests; a watch adds one that changes. */
async function serving(count: number, size: number, { churn = 0 } = {}) {
  const asked: string[] = [];
  const one = (name: string, resourceVersion: string) => ({
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name, namespace: "a", uid: name, resourceVersion },
    data: { text: "x".repeat(size) },
  });
  server = createServer((request, response) => {
    const { searchParams } = new URL(request.url ?? "", "http://localhost");
    asked.push(searchParams.toString());
    if (searchParams.get("watch") !== null) {
      for (let at = 0; at < churn; at++) {
        response.write(`${JSON.stringify({ type: "MODIFIED", object: one("0", String(100 + at)) })}\n`);
      }
      return;
    }
    const from = Number(searchParams.get("continue") ?? 0);
    const to = Math.min(count, from + Number(searchParams.get("limit") ?? count));
    const items = Array.from({ length: to - from }, (_, at) => one(String(from + at), "1"));
    const metadata = { resourceVersion: "99", continue: to < count ? String(to) : undefined };
    response.end(JSON.stringify({ metadata, items }));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const config = new KubeConfig();
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  config.loadFromClusterAndUser({ name: "c", server: url, skipTLSVerify: true }, { name: "u" });
  connected = connect(config, { maximumAnswerBytes });
  return { client: connected.client, asked };
}

async function countOf(objects: AsyncIterable<unknown>): Promise<number> {
  let count = 0;
  for await (const _each of objects) count += 1;
  return count;
}

describe("what is read of a tenant", () => {
  it("hole 3: is no answer above the limit", async () => {
    const { client } = await serving(1, maximumAnswerBytes);
    await expect(client.list(kind)).rejects.toThrow(AnswerTooLarge);
    await expect(listPage(client, kind, { limit: 1 })).rejects.toThrow("the answer is larger than");
  });

  it("hole 3: is read in smaller pages when the objects are large", async () => {
    const { client, asked } = await serving(40, maximumAnswerBytes / 10);
    expect(await countOf(listAll(client, kind, { limit: 40 }))).toBe(40);
    // 40 and 10 were too many; the size that worked is kept.
    expect(asked.slice(0, 3).map((query) => new URLSearchParams(query).get("limit"))).toEqual(["40", "10", "3"]);
    expect(asked.length).toBeLessThan(20);
  });

  it.each([
    ["number", { maximumObjects: 30 }, "the tenant has more than 30 configmaps"],
    ["size", { maximumBytes: 200_000 }, "the tenant has more than 0 MiB of configmaps"],
    ["time", { maximumMs: 0 }, "took longer than 0 s"],
  ])("hole 3: has a limit of its %s", async (_what, limits, message) => {
    const { client, asked } = await serving(40, 9_000);
    await expect(countOf(listAll(client, kind, { limit: 10, ...limits }))).rejects.toThrow(message);
    expect(asked.length).toBeLessThanOrEqual(4);
  });

  it("hole 3: is not cached beyond the limit, neither by a list nor by a watch", async () => {
    const { client, asked } = await serving(1, 9_000, { churn: 30 });
    const limits = { maximumBytes: 200_000 };
    const bounded = boundedClient(client, { limits, held: () => informer.size });
    const informer: Informer<typeof kind> = new Informer(bounded, kind);
    const stopping = new AbortController();
    const ended = informer.run(stopping.signal);
    const lists = (): number => asked.filter((query) => !query.includes("watch")).length;
    // The watch is ended when it has brought too much, and everything is counted again.
    await eventually(() => lists() >= 2, { what: "another list" });
    stopping.abort();
    await ended;
  });

  it("hole 3: tells that there is too much, and that there no longer is", async () => {
    const { client } = await serving(6, 10);
    const told: string[] = [];
    const options = { held: () => 0, onTooMuch: () => told.push("too much"), onComplete: () => told.push("complete") };
    await expect(boundedClient(client, { ...options, limits: { maximumObjects: 5 } }).list(kind)).rejects.toThrow(
      TooMuch,
    );
    await boundedClient(client, { ...options, limits: { maximumObjects: 6 } }).list(kind);
    expect(told).toEqual(["too much", "complete"]);
  });
});
