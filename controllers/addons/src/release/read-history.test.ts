import { gzipSync } from "node:zlib";
import { ReleaseDecoder } from "@butler/helm";
import type { KubeClient, ListOptions } from "@butler/kube";
import { NotFound } from "@butler/std";
import { afterAll, describe, expect, it } from "vitest";
import { residentMiBOf } from "../testing/resident-memory.ts";
import { readHistory, readManifest, type ReleaseSource } from "./read-history.ts";

const place = { release: "web", namespace: "shop" };
const mebibyte = 1024 * 1024;

const decoder = new ReleaseDecoder();
afterAll(() => decoder.close());

interface Stored {
  readonly metadata: {
    readonly name: string;
    readonly resourceVersion: string;
    readonly labels: Record<string, string>;
  };
  readonly data?: { readonly release: string };
}

/** The Secret of a revision, as Helm writes it. */
function aSecret(
  revision: number,
  { status = "superseded", manifest = "", content = "", resourceVersion = "1" } = {},
): Stored {
  const text = JSON.stringify({
    name: "web",
    info: { status, description: `revision ${revision}`, last_deployed: "2026-03-01T12:00:00Z" },
    chart: { metadata: { name: "web", version: `1.0.${revision}` } },
    manifest,
    version: revision,
  });
  const packed = gzipSync(content === "" ? text : content, { level: 9 }).toString("base64");
  return {
    metadata: {
      name: `sh.helm.release.v1.web.v${revision}`,
      resourceVersion,
      labels: { owner: "helm", name: "web", version: String(revision), status },
    },
    data: { release: Buffer.from(packed).toString("base64") },
  };
}

/** A cluster with Secrets, and the requests that it gets. */
function aCluster(secrets: readonly Stored[]): ReleaseSource & { readonly asked: string[] } {
  const asked: string[] = [];
  const client = {
    list: (_kind: unknown, { metadataOnly, limit = 0, continueToken = "0" }: ListOptions) => {
      asked.push(metadataOnly === true ? "metadata" : "whole list");
      const from = Number(continueToken);
      const items = secrets.slice(from, from + limit).map(({ metadata }) => ({ metadata }));
      const next = from + limit < secrets.length ? String(from + limit) : undefined;
      return Promise.resolve({ items, resourceVersion: "1", continueToken: next });
    },
    get: (_kind: unknown, { name }: { readonly name: string }) => {
      asked.push(name.replace(/^.*\.v/, "v"));
      const found = secrets.find(({ metadata }) => metadata.name === name);
      return found === undefined ? Promise.reject(new NotFound(name)) : Promise.resolve(found);
    },
  } as unknown as Pick<KubeClient, "list" | "get">;
  return { client, decoder, group: "blue", signal: new AbortController().signal, asked };
}

describe("the history of a release", () => {
  it("has the ten newest revisions and the one that runs, each read once", async () => {
    const secrets = Array.from({ length: 14 }, (_, at) =>
      aSecret(at + 1, { status: at === 1 ? "deployed" : "failed" }),
    );
    const cluster = aCluster(secrets.toReversed());
    const history = await readHistory(cluster, place);
    expect(history.revisions.map(({ revision }) => revision)).toEqual([14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 2]);
    expect(history.revisions.at(-1)).toMatchObject({ status: "deployed", version: "1.0.2", description: "revision 2" });
    const asked = cluster.asked.length;
    expect(await readHistory(cluster, place, history)).toBe(history);
    expect(cluster.asked.slice(asked)).toEqual(["metadata"]);
    const changed = aCluster([...secrets.slice(1), aSecret(15, { status: "deployed" })]);
    expect((await readHistory(changed, place, history)).revisions[0]).toMatchObject({ revision: 15 });
    expect(changed.asked).toEqual(["metadata", "v15"]);
  });

  it("hides no revision behind a damaged earlier one, and names a damaged newest one", async () => {
    const damaged = aSecret(1, { content: "hunter2" });
    const { revisions } = await readHistory(aCluster([damaged, aSecret(2)]), place);
    expect(revisions.map(({ revision }) => revision)).toEqual([2]);
    const error: unknown = await readHistory(aCluster([damaged]), place).catch((caught: unknown) => caught);
    expect(String(error)).toContain(
      "delete Secret shop/sh.helm.release.v1.web.v1 in the cluster if Helm did not write it",
    );
    expect(String(error)).not.toContain("hunter2");
  });

  it("hole 3: is not read when there are Secrets without end", async () => {
    const cluster = aCluster(Array.from({ length: 5_000 }, (_, at) => aSecret(at + 1)));
    await expect(readHistory(cluster, place)).rejects.toThrow("more than 100 revisions");
    expect(cluster.asked.length).toBeLessThanOrEqual(2);
  });

  it("hole 3: of 30 forged Secrets of 31 MiB each, packed, takes next to no memory of this process", async () => {
    const forged = aSecret(1, { manifest: "x".repeat(31 * mebibyte) }).data;
    const secrets = Array.from({ length: 30 }, (_, at) => ({ ...aSecret(at + 1), ...(forged && { data: forged }) }));
    const cluster = aCluster(secrets);
    // The process that reads is there before, so that only what the releases take is measured.
    await readHistory(aCluster([aSecret(1)]), place);
    const growth = await residentMiBOf(async () => {
      const history = await readHistory(cluster, place);
      expect(history.revisions).toHaveLength(10);
      await expect(readManifest(cluster, place, history)).rejects.toThrow("cannot read the release: it is too large");
    });
    expect(growth).toBeLessThan(100);
    expect(cluster.asked).not.toContain("whole list");
  });
});
