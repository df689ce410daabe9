import { Team } from "@butler/api";
import type { CacheReader } from "@butler/controller";
import { keyOf, type KubeObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { aTeam } from "../shared/testing/objects.ts";
import { viaSpec } from "./spec-changes.ts";

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
    const read = { get: (_kind: unknown, key: unknown) => key } as unknown as CacheReader;
    const names = ["a", "b", "a", "b"].map((name) => map(aTeam({ name, generation: 1 }), read).length);
    expect(names).toEqual([1, 1, 0, 0]);
  });
});
