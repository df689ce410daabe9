import type { DynamicObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";
import { aConfigMap } from "@butler/testkit";
import { describe, expect, it } from "vitest";
import { ObjectStore, type StoreEvent, versionOf } from "./object-store.ts";

type Change = readonly [StoreEvent<DynamicObject>["type"], uid: string | undefined, version: bigint];

const blue = (version: number, uid = "first"): DynamicObject => aConfigMap({ name: "blue", uid, version });
const green = (version: number, uid = "first-green"): DynamicObject => aConfigMap({ name: "green", uid, version });

/** Events in short: what, of which uid, in which version. */
const brief = (events: readonly StoreEvent<DynamicObject>[]): Change[] =>
  events.map(({ type, object }) => [type, object.metadata.uid, versionOf(object)]);

const key = { name: "blue", namespace: "default" };

function aStore(...objects: readonly DynamicObject[]): ObjectStore<DynamicObject> {
  const store = new ObjectStore<DynamicObject>();
  const newest = objects.reduce((most, object) => (versionOf(object) > most ? versionOf(object) : most), 1n);
  store.replaceAll(objects, String(newest));
  return store;
}

describe("receive", () => {
  it("reports added, updated and deleted objects", () => {
    const store = aStore();
    expect(brief(store.receive("ADDED", blue(2)))).toEqual([["add", "first", 2n]]);
    expect(store.receive("MODIFIED", blue(3))).toMatchObject([
      {
        type: "update",
        object: { metadata: { resourceVersion: "3" } },
        previous: { metadata: { resourceVersion: "2" } },
      },
    ]);
    expect(brief(store.receive("DELETED", blue(4)))).toEqual([["delete", "first", 4n]]);
    expect(store.size).toBe(0);
  });

  it("treats a modification of an unknown object as an addition", () => {
    expect(brief(aStore().receive("MODIFIED", blue(2)))).toEqual([["add", "first", 2n]]);
  });

  it("reports nothing for the deletion of an unknown object", () => {
    expect(aStore().receive("DELETED", blue(2))).toEqual([]);
  });

  it("reports an object of the same name with another UID as a deletion and an addition", () => {
    const store = aStore(blue(2));
    expect(brief(store.receive("ADDED", blue(5, "second")))).toEqual([
      ["delete", "first", 2n],
      ["add", "second", 5n],
    ]);
    expect(store.get(key)?.metadata.uid).toBe("second");
  });

  it("keeps objects of the same name in different namespaces apart", () => {
    const store = aStore(aConfigMap({ name: "blue", namespace: "one", version: 2 }));
    store.receive("ADDED", aConfigMap({ name: "blue", namespace: "two", version: 3 }));
    expect(store.size).toBe(2);
    expect(store.get({ name: "blue", namespace: "one" })?.metadata.resourceVersion).toBe("2");
  });

  it("freezes what it holds", () => {
    const store = aStore(aConfigMap({ ...key, version: 2, data: { colour: "blue" } }));
    const data = store.get(key)?.["data"] as Record<string, string>;
    expect(() => (data["colour"] = "red")).toThrow(TypeError);
  });
});

describe("receiveWrite", () => {
  it("is visible at once, and its echo in the stream is not an event", () => {
    const store = aStore(blue(2));
    expect(brief(store.receiveWrite(blue(5)))).toEqual([["update", "first", 5n]]);
    expect(versionOf(store.get(key) ?? blue(0))).toBe(5n);
    expect(store.receive("MODIFIED", blue(5))).toEqual([]);
  });

  it("is kept while the stream is still behind it", () => {
    const store = aStore(blue(2));
    store.receiveWrite(blue(5));
    expect(store.receive("MODIFIED", blue(3))).toEqual([]);
    expect(store.receive("MODIFIED", blue(4))).toEqual([]);
    expect(store.get(key)?.metadata.resourceVersion).toBe("5");
  });

  it("is replaced by later versions", () => {
    const store = aStore(blue(2));
    store.receiveWrite(blue(5));
    expect(brief(store.receive("MODIFIED", blue(7)))).toEqual([["update", "first", 7n]]);
    expect(brief(store.receive("DELETED", blue(8)))).toEqual([["delete", "first", 8n]]);
  });

  it("is ignored when the stream is past it", () => {
    const store = aStore(blue(2));
    store.receive("MODIFIED", blue(6));
    expect(store.receiveWrite(blue(5))).toEqual([]);
    expect(store.get(key)?.metadata.resourceVersion).toBe("6");
  });

  it("is ignored after a later write of ours", () => {
    const store = aStore(blue(2));
    store.receiveWrite(blue(6));
    expect(store.receiveWrite(blue(5))).toEqual([]);
  });

  it.each<[string, (store: ObjectStore<DynamicObject>) => void]>([
    ["the stream has reported its deletion", (store) => store.receive("DELETED", blue(6))],
    ["a list no longer has it", (store) => store.replaceAll([], "6")],
    ["a bookmark has passed it", (store) => (store.receive("DELETED", blue(3)), store.advance(6n))],
  ])("cannot recreate an object once %s", (_what, happen) => {
    const store = aStore(blue(2));
    happen(store);
    expect(store.receiveWrite(blue(5))).toEqual([]);
    expect(store.size).toBe(0);
  });

  it("shows a recreated object before the stream has reported the deletion of the old one", () => {
    const store = aStore(blue(2));
    expect(brief(store.receiveWrite(blue(5, "second")))).toEqual([
      ["delete", "first", 2n],
      ["add", "second", 5n],
    ]);
    expect(store.receive("MODIFIED", blue(3))).toEqual([]);
    expect(store.receive("DELETED", blue(4))).toEqual([]);
    expect(store.receive("ADDED", blue(5, "second"))).toEqual([]);
    expect(store.get(key)?.metadata.uid).toBe("second");
  });
});

describe("replaceAll", () => {
  it("reports the difference between the cache and the list", () => {
    const store = aStore(blue(2), green(3));
    const red = aConfigMap({ name: "red", version: 6 });
    expect(brief(store.replaceAll([green(5), red], "7"))).toEqual([
      ["update", "first-green", 5n],
      ["add", "uid-of-red", 6n],
      ["delete", "first", 2n],
    ]);
    expect([...store.values()].map(({ metadata }) => metadata.name)).toEqual(["green", "red"]);
  });

  it("reports nothing when nothing has changed", () => {
    const store = aStore(blue(2), green(3));
    expect(store.replaceAll([blue(2), green(3)], "9")).toEqual([]);
  });

  it("keeps our own write when the list is older", () => {
    const store = aStore(blue(2));
    store.receiveWrite(blue(5));
    store.receiveWrite(green(6));
    expect(store.replaceAll([blue(2)], "4")).toEqual([]);
    expect(store.get(key)?.metadata.resourceVersion).toBe("5");
    expect(store.size).toBe(2);
  });

  it("drops our own write when a newer list no longer has it", () => {
    const store = aStore(blue(2));
    store.receiveWrite(green(6));
    expect(brief(store.replaceAll([blue(2)], "8"))).toEqual([["delete", "first-green", 6n]]);
  });

  it("accepts a list that is older than the stream, as after a restored backup", () => {
    const store = aStore(blue(90));
    store.receiveWrite(green(95));
    expect(brief(store.replaceAll([blue(40)], "50"))).toEqual([
      ["update", "first", 40n],
      ["delete", "first-green", 95n],
    ]);
    expect(brief(store.receive("MODIFIED", blue(51)))).toEqual([["update", "first", 51n]]);
    expect(brief(store.receiveWrite(blue(52)))).toEqual([["update", "first", 52n]]);
  });
});

const inTeam = (name: string, team: string, version: number): DynamicObject =>
  aConfigMap({ name, version, labels: { team } });
const byTeam = ({ metadata }: DynamicObject): string[] => (metadata.labels?.["team"] ?? "").split("+").filter(Boolean);
const names = (store: ObjectStore<DynamicObject>, team: string): string[] =>
  store.byIndex("team", team).map(({ metadata }) => metadata.name);

function indexedStore(): ObjectStore<DynamicObject> {
  const store = aStore(inTeam("blue", "red+gold", 2), inTeam("green", "gold", 3));
  store.addIndex("team", byTeam);
  return store;
}

describe("indexes", () => {
  it("find objects that were stored before the index was added", () => {
    expect(names(indexedStore(), "gold")).toEqual(["blue", "green"]);
    expect(names(indexedStore(), "red")).toEqual(["blue"]);
    expect(names(indexedStore(), "none")).toEqual([]);
  });

  it.each<[string, (store: ObjectStore<DynamicObject>) => void, red: string[], gold: string[]]>([
    ["an addition", (store) => store.receive("ADDED", inTeam("pink", "red", 5)), ["blue", "pink"], ["blue", "green"]],
    ["an update", (store) => store.receive("MODIFIED", inTeam("blue", "red", 5)), ["blue"], ["green"]],
    ["a deletion", (store) => store.receive("DELETED", inTeam("blue", "red+gold", 5)), [], ["green"]],
    ["a write", (store) => store.receiveWrite(inTeam("green", "red", 5)), ["blue", "green"], ["blue"]],
    ["a list", (store) => store.replaceAll([inTeam("green", "red", 5)], "5"), ["green"], []],
  ])("follow %s", (_what, happen, red, gold) => {
    const store = indexedStore();
    happen(store);
    expect(names(store, "red")).toEqual(red);
    expect(names(store, "gold")).toEqual(gold);
  });

  it("are kept when they are added again under the same name", () => {
    const store = indexedStore();
    store.addIndex("team", () => []);
    expect(names(store, "red")).toEqual(["blue"]);
  });

  it("must exist to be queried", () => {
    expect(() => aStore().byIndex("team", "red")).toThrow(InvalidInput);
  });
});

describe("versionOf", () => {
  it("is a whole number, beyond what a double holds exactly", () => {
    expect(versionOf(aConfigMap({ version: 9_007_199_254_740_993n }))).toBe(9_007_199_254_740_993n);
  });

  it("is 0 for an object that was never stored", () => {
    expect(versionOf(aConfigMap({ resourceVersion: undefined }))).toBe(0n);
  });
});
