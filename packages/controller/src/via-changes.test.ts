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

/** A watch and the cache behind it, which has each object before anybody is told of it. */
function watching() {
  const { map } = viaSpec(Team, () => concerned);
  let held: KubeObject | undefined;
  const read = { get: (_kind, key) => (held?.metadata.name === key.name ? held : undefined) } as CacheReader;
  return {
    /** As the runtime asks: about the new object, then about the one before it. */
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

describe("a watch of what objects ask for", () => {
  it("follows an object that comes, asks for something else, and goes", () => {
    const { becomes, goes } = watching();
    expect(becomes(aTeam({ generation: 1 }))).toBe(1);
    expect(becomes(aTeam({ generation: 2 }))).toBe(1);
    expect(goes()).toBe(1);
  });

  it("passes over changes of the status, however many", () => {
    const { becomes } = watching();
    becomes(aTeam({ generation: 3 }));
    for (let clusterCount = 1; clusterCount < 5; clusterCount++) {
      expect(becomes(aTeam({ generation: 3, resourceVersion: `${clusterCount}` }))).toBe(0);
    }
    expect(becomes(aTeam({ generation: 4 }))).toBe(1);
    expect(becomes(aTeam({ generation: 4, resourceVersion: "9" }))).toBe(0);
  });

  it.each([
    ["was seen to go", true],
    ["was not seen to go", false],
  ])("follows a namesake whose predecessor %s", (_what, isSeen) => {
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

it("tells an object by what it asks for and which of its conditions hold", () => {
  const ready = (status: Condition["status"], message: string, more: object = {}) =>
    specAndConditions({
      ...aTeam({ generation: 2 }),
      status: { conditions: [{ type: "Ready", status, reason: "A", message, lastTransitionTime: "" }], ...more },
    });
  expect(ready("True", "9 left")).toBe(ready("True", "8 left", { left: 8 }));
  expect(ready("True", "9 left")).not.toBe(ready("False", "9 left"));
  expect(specAndConditions(aTeam({ generation: 1 }))).not.toBe(specAndConditions(aTeam({ generation: 2 })));
});

it("is news to each runtime once", () => {
  const { map } = viaSpec(Team, () => concerned);
  const reader = () => ({ get: () => aTeam({ generation: 1 }) }) as unknown as CacheReader;
  const [one, other] = [reader(), reader()];
  const asked = [one, other, one, other].map((read) => map(aTeam({ generation: 1 }), read).length);
  expect(asked).toEqual([1, 1, 0, 0]);
});
