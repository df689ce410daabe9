import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { objectsIn } from "./manifest-object.ts";

const map = (name: string, more: object = {}) => ({ apiVersion: "v1", kind: "ConfigMap", metadata: { name }, ...more });

function namesIn(data: unknown): readonly string[] {
  const result = objectsIn(data);
  return "fault" in result ? expect.fail(result.fault) : result.objects.map(({ kind, name }) => `${kind} ${name}`);
}

describe("the objects in a document", () => {
  it.each<[string, unknown, readonly string[]]>([
    ["nothing", null, []],
    ["one", map("a"), ["ConfigMap a"]],
    ["a List", { apiVersion: "v1", kind: "List", items: [map("a"), null, map("b")] }, ["ConfigMap a", "ConfigMap b"]],
    ["an empty List", { apiVersion: "v1", kind: "List", items: [] }, []],
    ["a typed list", { apiVersion: "v1", kind: "SecretList", items: [{ metadata: { name: "a" } }] }, ["Secret a"]],
    ["a list in a list", { kind: "List", items: [{ kind: "List", items: [map("a")] }] }, ["ConfigMap a"]],
    ["a kind that only sounds like a list", map("a", { kind: "AllowList", items: 3 }), ["AllowList a"]],
    ["a role's name", map("system:a,b=c"), ["ConfigMap system:a,b=c"]],
  ])("%s", (_what, data, names) => expect(namesIn(data)).toEqual(names));

  it("carry their namespace and their group", () => {
    const data = { apiVersion: "a.b/v1", kind: "Thing", metadata: { name: "x", namespace: "n" } };
    expect(objectsIn(data)).toEqual({
      objects: [{ apiVersion: "a.b/v1", kind: "Thing", namespace: "n", name: "x", object: data }],
    });
  });

  it.each<[string, unknown, string]>([
    ["a text", "hunter2", "not an object"],
    ["a list", [map("a")], "not an object"],
    ["no apiVersion", map("a", { apiVersion: undefined }), "apiVersion"],
    ["an apiVersion that leads elsewhere", map("a", { apiVersion: "../v1" }), "apiVersion"],
    ["a long apiVersion", map("a", { apiVersion: "a/b/c" }), "apiVersion"],
    ["no kind", map("a", { kind: 3 }), "kind"],
    ["a kind that leads elsewhere", map("a", { kind: "../x" }), "kind"],
    ["no metadata", map("a", { metadata: null }), "metadata.name"],
    ["no name", map(""), "metadata.name"],
    ["a name that is a path", map("a/b"), "metadata.name"],
    ["a name that leads up", map(".."), "metadata.name"],
    ["a namespace that leads up", map("a", { metadata: { name: "a", namespace: ".." } }), "namespace"],
    ["a namespace that is no text", map("a", { metadata: { name: "a", namespace: false } }), "namespace"],
    ["a bad item", { kind: "List", items: [map("a"), "hunter2"] }, "list item"],
    [
      "lists without end",
      { kind: "List", items: [{ kind: "List", items: [{ kind: "List", items: [{ kind: "List", items: [] }] }] }] },
      "lists are nested too deeply",
    ],
  ])("are rejected with %s, without quoting it", (_what, data, fault) => {
    const result = objectsIn(data);
    expect(result).toEqual({ fault: expect.stringContaining(fault) as string });
    expect(JSON.stringify(result)).not.toContain("hunter2");
  });

  it("are found or rejected, whatever it contains", () => {
    fc.assert(fc.property(fc.jsonValue(), (data) => void objectsIn(data)));
  });
});
