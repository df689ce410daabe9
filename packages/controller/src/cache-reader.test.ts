import type { Informer, Serving } from "@butler/kube";
import { builtinKinds, type Kind } from "@butler/resource";
import { Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { decisionReader, type FindCache, mappingReader } from "./cache-reader.ts";

const kind = builtinKinds.ConfigMap;
const key = { name: "a", namespace: "b" };

/** The cache of a kind, as far as readers use it. It is empty once the kind is not served. */
function cacheThatIs(serving: Serving, isUsable: boolean): FindCache {
  const cache = { kind, serving, isUsable, get: () => undefined, list: () => [], byIndex: () => [] };
  return <K extends Kind>() => cache as unknown as Informer<K>;
}

const reads = [
  ["get", (read: ReturnType<typeof decisionReader>) => read.get(kind, key)],
  ["list", (read: ReturnType<typeof decisionReader>) => read.list(kind)],
  ["byIndex", (read: ReturnType<typeof decisionReader>) => read.byIndex(kind, "index", "value")],
] as const;

describe("a decision", () => {
  it.each(reads)("is not made when %s would read a kind that is not served", (_name, readFrom) => {
    const read = decisionReader(cacheThatIs("absent", false));
    expect(() => readFrom(read)).toThrow("waiting for configmaps, which this cluster does not serve");
  });

  it.each(reads)("is not made when %s would read an optional cache that is not filled", (_name, readFrom) => {
    const read = decisionReader(cacheThatIs("unknown", false));
    expect(() => readFrom(read)).toThrow("waiting for the first list of configmaps");
  });

  it.each(reads)("is made when %s reads a cache in sync", (_name, readFrom) => {
    expect(() => readFrom(decisionReader(cacheThatIs("served", true)))).not.toThrow();
  });

  it.each<[Serving, boolean | undefined]>([
    ["served", true],
    ["absent", false],
    ["unknown", undefined],
  ])("learns whether a kind is served, unless that is unknown: %s", (serving, expected) => {
    const read = decisionReader(cacheThatIs(serving, serving === "served"));
    if (expected === undefined) expect(() => read.isServed(kind)).toThrow(Unavailable);
    else expect(read.isServed(kind)).toBe(expected);
  });
});

describe("a mapping from changes to objects", () => {
  it.each(reads)("is never missed because %s reads a kind that is not served", (_name, readFrom) => {
    const read = mappingReader(cacheThatIs("absent", false));
    expect(() => readFrom(read)).not.toThrow();
    expect(read.isServed(kind)).toBe(false);
  });
});
