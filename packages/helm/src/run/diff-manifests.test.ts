import { describeError, InvalidInput, stableStringify } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { stringify } from "yaml";
import { diffManifests } from "./diff-manifests.ts";
import { diffValues } from "./diff-values.ts";

const configMap = (name: string, data: object, namespace?: string): string =>
  stringify({ apiVersion: "v1", kind: "ConfigMap", metadata: { name, namespace }, data });
const manifest = (...documents: readonly string[]): string => documents.map((text) => `---\n${text}`).join("");

describe("diffManifests", () => {
  it("lists added, removed and changed objects by name", () => {
    const before = manifest(configMap("gone", {}), configMap("kept", { a: "1" }), configMap("same", { x: "y" }));
    const after = manifest(configMap("same", { x: "y" }), configMap("kept", { a: "2", b: "3" }), configMap("new", {}));
    const object = { group: "", kind: "ConfigMap", namespace: undefined };
    expect(diffManifests(before, after)).toEqual([
      { object: { ...object, name: "gone" }, change: "removed", fields: [] },
      {
        object: { ...object, name: "kept" },
        change: "changed",
        fields: [
          { path: "data.a", before: "1", after: "2" },
          { path: "data.b", after: "3" },
        ],
      },
      { object: { ...object, name: "new" }, change: "added", fields: [] },
    ]);
  });

  it("distinguishes objects by namespace and group, but not by API version", () => {
    const role = (apiVersion: string): string => stringify({ apiVersion, kind: "Role", metadata: { name: "a" } });
    expect(diffManifests(configMap("a", {}, "one"), configMap("a", {}, "two")).map(({ change }) => change)).toEqual([
      "removed",
      "added",
    ]);
    expect(diffManifests(role("x/v1"), role("y/v1"))).toHaveLength(2);
    expect(diffManifests(role("x/v1"), role("x/v2"))).toMatchObject([
      { change: "changed", fields: [{ path: "apiVersion", before: "x/v1", after: "x/v2" }] },
    ]);
  });

  it("reports that a Secret changed, never its content", () => {
    const secret = (password: string, label: string): string =>
      stringify({
        apiVersion: "v1",
        kind: "Secret",
        metadata: { name: "a", labels: { tier: label } },
        data: { password },
        stringData: { token: `${password}-token` },
      });
    const [change] = diffManifests(secret("hunter1", "front"), secret("hunter2", "back"));
    expect(change?.fields).toEqual([
      { path: "metadata.labels.tier", before: "front", after: "back" },
      { path: "data.password" },
      { path: "stringData.token" },
    ]);
    expect(JSON.stringify(diffManifests(secret("hunter1", "a"), ""))).not.toContain("hunter");
  });

  it("reports nothing about data of an added or removed Secret", () => {
    const secret = { apiVersion: "v1", kind: "Secret", metadata: { name: "a" } };
    const [change] = diffManifests(stringify(secret), stringify({ ...secret, data: { password: "hunter2" } }));
    expect(change?.fields).toEqual([{ path: "data" }]);
  });

  it("names list items that have names", () => {
    const pod = (containers: readonly object[]): string =>
      stringify({ apiVersion: "v1", kind: "Pod", metadata: { name: "a" }, spec: { containers } });
    const [web, sidecar] = [
      { name: "web", image: "web:1" },
      { name: "sidecar", image: "s:1" },
    ];
    expect(diffManifests(pod([web, sidecar]), pod([sidecar, { ...web, image: "web:2" }]))).toMatchObject([
      { fields: [{ path: "spec.containers[web].image", before: "web:1", after: "web:2" }] },
    ]);
  });

  it("expands lists, and skips documents that are not objects", () => {
    const list = stringify({ apiVersion: "v1", kind: "List", items: [{ kind: "ConfigMap", metadata: { name: "a" } }] });
    expect(diffManifests("", manifest(list, "# only a remark\n", "just text\n"))).toMatchObject([
      { object: { kind: "ConfigMap", name: "a" }, change: "added" },
    ]);
  });

  it("rejects invalid YAML without quoting it", () => {
    const attempt = (): unknown => diffManifests("", "a: {password: hunter2\nb: [");
    expect(attempt).toThrow(InvalidInput);
    try {
      attempt();
    } catch (error) {
      expect(describeError(error)).not.toContain("hunter2");
    }
  });

  const anyManifest = fc
    .uniqueArray(
      fc.record({ name: fc.stringMatching(/^[a-z]{1,3}$/), data: fc.dictionary(fc.string(), fc.jsonValue()) }),
      {
        selector: ({ name }) => name,
        maxLength: 5,
      },
    )
    .map((objects) => manifest(...objects.map(({ name, data }) => configMap(name, data))));

  it("finds no difference to itself, and the inverse in the other direction", () => {
    fc.assert(
      fc.property(anyManifest, anyManifest, (before, after) => {
        expect(diffManifests(before, before)).toEqual([]);
        const opposite = { added: "removed", removed: "added", changed: "changed" } as const;
        const back = diffManifests(after, before).map(({ object, change }) => ({ object, change: opposite[change] }));
        expect(diffManifests(before, after).map(({ object, change }) => ({ object, change }))).toEqual(back);
      }),
    );
  });
});

describe("diffValues", () => {
  it("finds every difference, and no others", () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.jsonValue(), (before, after) => {
        const isSame = stableStringify(before) === stableStringify(after);
        expect(diffValues(before, after).length === 0).toBe(isSame);
        for (const { path, ...sides } of diffValues(before, after)) {
          expect(typeof path).toBe("string");
          expect(sides.before).not.toEqual(sides.after);
        }
      }),
    );
  });

  it.each<[unknown, unknown, string]>([
    [{ "app.kubernetes.io/name": "a" }, { "app.kubernetes.io/name": "b" }, '"app.kubernetes.io/name"'],
    [{ a: [1, 2] }, { a: [1, 3] }, "a[1]"],
    [{ a: { b: 1 } }, { a: 1 }, "a"],
    [{}, { constructor: 1 }, "constructor"],
  ])("names the difference of %j and %j %s", (before, after, path) => {
    expect(diffValues(before, after).map((change) => change.path)).toEqual([path]);
  });
});
