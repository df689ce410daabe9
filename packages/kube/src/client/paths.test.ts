import { builtinKinds, type Kind, type ObjectKey } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { queryText, resourcePath } from "./paths.ts";

const { ConfigMap, Namespace, Lease } = builtinKinds;

describe("resourcePath", () => {
  it.each<[string, Kind, Partial<ObjectKey>, string | undefined, string]>([
    ["a collection of the core group", ConfigMap, {}, undefined, "/api/v1/configmaps"],
    ["a collection in a namespace", ConfigMap, { namespace: "a" }, undefined, "/api/v1/namespaces/a/configmaps"],
    ["an object", ConfigMap, { namespace: "a", name: "b" }, undefined, "/api/v1/namespaces/a/configmaps/b"],
    [
      "an object of an API group",
      Lease,
      { namespace: "a", name: "b" },
      undefined,
      "/apis/coordination.k8s.io/v1/namespaces/a/leases/b",
    ],
    ["a cluster-scoped object", Namespace, { name: "b" }, undefined, "/api/v1/namespaces/b"],
    [
      "a cluster-scoped object with a namespace",
      Namespace,
      { name: "b", namespace: "a" },
      undefined,
      "/api/v1/namespaces/b",
    ],
    ["a subresource", Namespace, { name: "b" }, "status", "/api/v1/namespaces/b/status"],
    ["every namespace", ConfigMap, { namespace: "" }, undefined, "/api/v1/configmaps"],
  ])("of %s", (_what, kind, key, subresource, expected) => {
    expect(resourcePath(kind, key, subresource)).toBe(expected);
  });

  it.each(["", ".", ".."])("rejects the name %j, which would address another object or all of them", (name) => {
    expect(() => resourcePath(ConfigMap, { namespace: "a", name })).toThrow(InvalidInput);
    expect(() => resourcePath(ConfigMap, { namespace: "a", name: "b" }, name)).toThrow(InvalidInput);
  });

  it.each([".", ".."])("rejects the namespace %j", (namespace) => {
    expect(() => resourcePath(ConfigMap, { namespace, name: "b" })).toThrow(InvalidInput);
  });

  it("addresses exactly the named object, for any name", () => {
    const part = fc.string({ minLength: 1, unit: "binary" }).filter((text) => text.isWellFormed());
    fc.assert(
      fc.property(part, part, (namespace, name) => {
        fc.pre(![".", ".."].includes(namespace) && ![".", ".."].includes(name));
        const url = new URL(resourcePath(ConfigMap, { namespace, name }), "https://host");
        const parts = url.pathname.split("/").map(decodeURIComponent);
        expect(parts).toEqual(["", "api", "v1", "namespaces", namespace, "configmaps", name]);
        expect(url.search + url.hash).toBe("");
      }),
    );
  });
});

describe("queryText", () => {
  it.each<[Parameters<typeof queryText>[0], string]>([
    [{}, ""],
    [{ limit: undefined }, ""],
    [{ limit: 500, watch: true }, "?limit=500&watch=true"],
    [{ resourceVersion: "" }, "?resourceVersion="],
    [{ labelSelector: "a=b,c!=d" }, "?labelSelector=a%3Db%2Cc%21%3Dd"],
    [{ limit: 0, force: false }, "?limit=0&force=false"],
  ])("of %j is %s", (parameters, expected) => {
    expect(queryText(parameters)).toBe(expected);
  });

  it("round-trips parameters", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.stringMatching(/^[A-Za-z]+$/), fc.string()), (parameters) => {
        expect(Object.fromEntries(new URLSearchParams(queryText(parameters)))).toEqual(parameters);
      }),
    );
  });
});
