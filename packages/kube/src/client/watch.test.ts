import { builtinKinds, type DynamicObject } from "@butler/resource";
import { KubeConfig } from "@kubernetes/client-node";
import { afterEach, describe, expect, it } from "vitest";
import { useServer } from "../testing/served.ts";
import { connect, type ConnectedClient } from "./connect.ts";
import type { WatchEvent } from "./watch.ts";

const server = useServer();
let connected: ConnectedClient | undefined;

afterEach(() => connected?.close());

/** Watches a server that sends the given pieces and then ends or aborts the response. */
async function watching(
  pieces: readonly (string | Buffer)[],
  end: "end" | "breakOff" = "end",
): Promise<WatchEvent<DynamicObject>[]> {
  const url = await server.serve((_request, response) => {
    response.writeHead(200);
    for (const piece of pieces) response.write(piece);
    if (end === "end") response.end();
    else setImmediate(() => response.destroy());
  });
  const config = new KubeConfig();
  config.loadFromClusterAndUser({ name: "c", server: url, skipTLSVerify: true }, { name: "u" });
  connected = connect(config);
  const stream = await connected.client.watch(builtinKinds.ConfigMap, { resourceVersion: "1" });
  const events: WatchEvent<DynamicObject>[] = [];
  for await (const event of stream) events.push(event);
  return events;
}

const line = (type: string, name: string): string =>
  `${JSON.stringify({ type, object: { metadata: { name, resourceVersion: "7" }, data: { text: "Grüße" } } })}\n`;

describe("a watch", () => {
  it("yields events in order, however the bytes are split", async () => {
    const bytes = Buffer.from(line("ADDED", "a") + line("MODIFIED", "b") + line("DELETED", "c"));
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    const events = await watching(pieces);
    expect(
      events.map((event) => (event.type === "BOOKMARK" ? "" : `${event.type} ${event.object.metadata.name}`)),
    ).toEqual(["ADDED a", "MODIFIED b", "DELETED c"]);
    expect(events[0]).toMatchObject({ object: { apiVersion: "v1", kind: "ConfigMap", data: { text: "Grüße" } } });
  });

  it("yields bookmarks with the resource version", async () => {
    const bookmark = { type: "BOOKMARK", object: { metadata: { resourceVersion: "99" } } };
    expect(await watching([`${JSON.stringify(bookmark)}\n`])).toEqual([{ type: "BOOKMARK", resourceVersion: "99" }]);
  });

  it("ends with the server's error", async () => {
    const expired = { type: "ERROR", object: { kind: "Status", code: 410, message: "too old resource version" } };
    await expect(watching([`${JSON.stringify(expired)}\n`])).rejects.toMatchObject({ code: "GONE" });
  });

  const damaged = Buffer.from(line("ADDED", "a"));
  damaged[damaged.indexOf("text") + 7] = 0xff;

  it.each<[string, readonly (string | Buffer)[], "end" | "breakOff"]>([
    ["is damaged inside a text", [damaged], "end"],
    ["is not JSON", ["<html>\n"], "end"],
    ["is no object", ["[]\n"], "end"],
    ["has no resource version", ['{"type":"ADDED","object":{"metadata":{}}}\n'], "end"],
    ["has an unknown type", [line("MOVED", "a")], "end"],
    ["ends in the middle of an event", [line("ADDED", "a").slice(0, 30)], "end"],
    ["is truncated", [line("ADDED", "a").slice(0, 30)], "breakOff"],
  ])("counts as broken when it %s", async (_what, pieces, end) => {
    await expect(watching(pieces, end)).rejects.toMatchObject({ code: "BROKEN_STREAM" });
  });
});
