import { describe, expect, it } from "vitest";
import { keyAction } from "./key-action.ts";
import { newestFirst, unreadOf } from "./news.ts";
import { placesFor } from "./places-for.ts";
import { trailOf } from "./trail-of.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false };
const quiet = { before: undefined, nowMs: 10_000, isTyping: false };

describe("keyAction", () => {
  it.each([
    [{ ...plain, key: "k", ctrlKey: true }, { ...quiet, isTyping: true }, "palette"],
    [{ ...plain, key: "K", metaKey: true }, quiet, "palette"],
    [{ ...plain, key: "/" }, quiet, "/"],
    [{ ...plain, key: "/" }, { ...quiet, isTyping: true }, undefined],
    [{ ...plain, key: "c", ctrlKey: true }, quiet, undefined],
    [{ ...plain, key: "Enter" }, quiet, undefined],
    [{ ...plain, key: "c" }, { ...quiet, before: { key: "g", atMs: 9_500 } }, "g c"],
    [{ ...plain, key: "c" }, { ...quiet, before: { key: "g", atMs: 5_000 } }, "c"],
  ])("%o", (pressed, situation, wanted) => {
    expect(keyAction(pressed, situation)).toBe(wanted);
  });
});

describe("placesFor", () => {
  it("lists team places in a team, and platform places with a platform role", () => {
    const ids = (places: ReturnType<typeof placesFor>): string[] => places.map(({ id }) => id);
    expect(ids(placesFor({ teamRole: "viewer" }, "payments"))).toContain("clusters");
    expect(ids(placesFor({ teamRole: "admin" }, "payments"))).not.toContain("all-clusters");
    expect(ids(placesFor({ platformRole: "viewer" }, undefined))).toContain("all-clusters");
    expect(placesFor({}, undefined)).toEqual([]);
  });
});

describe("places", () => {
  it("have unique IDs and keys, also for users with team and platform places", () => {
    const all = placesFor({ platformRole: "admin", teamRole: "admin" }, "payments");
    for (const texts of [all.map(({ id }) => id), all.flatMap(({ keys }) => keys ?? [])])
      expect(texts.filter((text, at) => texts.indexOf(text) !== at)).toEqual([]);
  });
});

describe("trailOf", () => {
  it("lists the crumb of each route with its parameters, and its parent crumb", () => {
    const params = { team: "payments", name: "shop" };
    const matches = [
      { pathname: "/", params, staticData: {} },
      { pathname: "/t/payments", params, staticData: { crumb: "$team" } },
      {
        pathname: "/t/payments/clusters/payments/shop",
        params,
        staticData: { crumb: "$name", above: { crumb: "Clusters", to: "/t/$team/clusters" } },
      },
    ];
    expect(trailOf(matches)).toEqual([
      { path: "/t/payments", text: "payments" },
      { path: "/t/payments/clusters", text: "Clusters" },
      { path: "/t/payments/clusters/payments/shop", text: "shop" },
    ]);
  });
});

describe("notifications", () => {
  const item = (id: string, timestamp: string) =>
    ({ id, timestamp, title: id, message: "", severity: "info" }) as const;
  const items = [item("old", "2026-06-01T10:00:00Z"), item("new", "2026-06-01T12:00:00.500Z")];

  it("counts newer notifications, whatever the timestamp format", () => {
    expect(unreadOf(items, "")).toBe(2);
    expect(unreadOf(items, "2026-06-01T12:00:00Z")).toBe(1);
    expect(unreadOf(items, "2026-06-01T12:00:01.000Z")).toBe(0);
    expect(newestFirst(items).map(({ id }) => id)).toEqual(["new", "old"]);
  });
});
