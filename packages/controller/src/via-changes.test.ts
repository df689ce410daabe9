import { type Condition, defineResource, keyOf, type KubeObject, localRef, type ObjectMeta } from "@butler/resource";
import { describe, expect, it } from "vitest";
import type { CacheReader } from "./define-controller.ts";
import { specAndConditions, viaSpec } from "./via-changes.ts";

const Team = defineResource({
  group: "example.com",
  version: "v1",
  kind: "Team",
  scope: "Cluster",
  doc: "Team is for these tests.",
  spec: localRef(),
  example: {},
});
const aTeam = (metadata: Partial<ObjectMeta> = {}) => ({
  apiVersion: Team.apiVersion,
  kind: Team.kind,
  metadata: { name: "payments", ...metadata },
  spec: { name: "x" },
});

const concerned = [{ name: "shop", namespace: "payments" }];

/** A watch and the cache behind it, which has each object before handlers are notified. */
function watching() {
  const { map } = viaSpec(Team, () => concerned);
  let held: KubeObject | undefined;
  const read = { get: (_kind, key) => (held?.metadata.name === key.name ? held : undefined) } as CacheReader;
  return {
    /** As the runtime calls it: with the new object, then with the old one. */
    becomes: (object: KubeObject) => {
      const asked = held === undefined ? [object] : [object, held];
      held = object;
      return new Set(asked.flatMap((each) => map(each, read).map(({ name }) => name))).size;
    },
    goes: () => {
      const last = held ?? aTeam();
      held = undefined;
      return map(last, read).length;
    },
  };
}

describe("a watch of spec changes", () => {
  it("fires when an object is created, changes its spec, and is deleted", () => {
    const { becomes, goes } = watching();
    expect(becomes(aTeam({ generation: 1 }))).toBe(1);
    expect(becomes(aTeam({ generation: 2 }))).toBe(1);
    expect(goes()).toBe(1);
  });

  it("ignores any number of status changes", () => {
    const { becomes } = watching();
    becomes(aTeam({ generation: 3 }));
    for (let clusterCount = 1; clusterCount < 5; clusterCount++) {
      expect(becomes(aTeam({ generation: 3, resourceVersion: `${clusterCount}` }))).toBe(0);
    }
    expect(becomes(aTeam({ generation: 4 }))).toBe(1);
    expect(becomes(aTeam({ generation: 4, resourceVersion: "9" }))).toBe(0);
  });

  it.each([
    ["had its deletion observed", true],
    ["did not have its deletion observed", false],
  ])("fires for an object whose predecessor of the same name %s", (_what, isSeen) => {
    const { becomes, goes } = watching();
    becomes(aTeam({ generation: 7, uid: "old" }));
    if (isSeen) goes();
    expect(becomes(aTeam({ generation: 1, uid: "new" }))).toBe(1);
  });

  it("keeps objects apart", () => {
    const { map } = viaSpec(Team, (team) => [keyOf(team)]);
    const read = { get: (_kind: unknown, { name }: { name: string }) => aTeam({ name, generation: 1 }) };
    const names = ["a", "b", "a", "b"].map(
      (name) => map(aTeam({ name, generation: 1 }), read as unknown as CacheReader).length,
    );
    expect(names).toEqual([1, 1, 0, 0]);
  });
});

it("identifies an object by its generation and the status of its conditions", () => {
  const ready = (status: Condition["status"], message: string, more: object = {}) =>
    specAndConditions({
      ...aTeam({ generation: 2 }),
      status: { conditions: [{ type: "Ready", status, reason: "A", message, lastTransitionTime: "" }], ...more },
    });
  expect(ready("True", "9 left")).toBe(ready("True", "8 left", { left: 8 }));
  expect(ready("True", "9 left")).not.toBe(ready("False", "9 left"));
  expect(specAndConditions(aTeam({ generation: 1 }))).not.toBe(specAndConditions(aTeam({ generation: 2 })));
});

it("fires once for each runtime", () => {
  const { map } = viaSpec(Team, () => concerned);
  const reader = () => ({ get: () => aTeam({ generation: 1 }) }) as unknown as CacheReader;
  const [one, other] = [reader(), reader()];
  const asked = [one, other, one, other].map((read) => map(aTeam({ generation: 1 }), read).length);
  expect(asked).toEqual([1, 1, 0, 0]);
});
