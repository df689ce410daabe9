import { valueAt } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AddonView, CatalogEntry } from "../../../parts/addon-facts.ts";
import { addonsSearch } from "./addons-search.ts";
import { enabledChoices, judgeEntry } from "./enable-choice.ts";
import { draftOf, readDraft, withValue } from "./values-draft.ts";
import { fieldProblem, fieldsOf, fieldText, fieldValue, formProblem, originsOf } from "./values-form.ts";

const schema = {
  type: "object",
  required: ["host"],
  properties: {
    host: { type: "string", title: "Host name", description: "Where it is reached." },
    replicas: { type: "integer", minimum: 1, maximum: 5, default: 2 },
    level: { type: "string", enum: ["info", "debug"] },
    hosts: { type: "array", items: { type: "string" } },
    ingress: {
      type: "object",
      properties: { enabled: { type: "boolean", default: false }, share: { type: "number" } },
    },
    anything: { type: "object" },
    mixed: { type: ["string", "integer"] },
  },
};
const fields = fieldsOf(schema);
const field = (name: string) => {
  const found = fields.find(({ path }) => path.join(".") === name);
  if (found === undefined) throw new Error(`no field ${name}`);
  return found;
};

describe("the form", () => {
  it("has a field for every leaf of the schema, in schema order", () =>
    expect(fields.map(({ path, kind }) => `${path.join(".")} ${kind}`)).toEqual([
      "host text",
      "replicas integer",
      "level choice",
      "hosts lines",
      "ingress.enabled yes-no",
      "ingress.share number",
      "anything other",
      "mixed other",
    ]));

  it("accepts arbitrary schemas", () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (odd) => Array.isArray(fieldsOf(odd))));
    fc.assert(fc.property(fc.jsonValue(), (odd) => Array.isArray(fieldsOf({ properties: odd, required: odd }))));
  });

  it.each([
    ["host", undefined, "Required."],
    ["host", "a", undefined],
    ["replicas", undefined, undefined],
    ["replicas", 0, "Must be at least 1."],
    ["replicas", 6, "Must be at most 5."],
    ["replicas", 1.5, "Must be a whole number."],
    ["replicas", "many", "Must be a number."],
    ["ingress.share", 0.5, undefined],
    ["level", "loud", "Must be one of info, debug."],
    ["level", "debug", undefined],
  ])("validates %s = %j", (name, value, problem) => expect(fieldProblem(field(name), value)).toBe(problem));

  it.each([
    ["replicas", "3", 3],
    ["replicas", "x", "x"],
    ["ingress.enabled", "false", false],
    ["hosts", "a\nb\n", ["a", "b"]],
    ["host", "", undefined],
  ])("parses %s from %j", (name, text, value) => expect(fieldValue(field(name), text)).toEqual(value));

  it.each([
    ["hosts", ["a", "b"], "a\nb"],
    ["replicas", 3, "3"],
    ["ingress.enabled", true, "true"],
    ["host", undefined, ""],
  ])("shows %s = %j", (name, value, text) => expect(fieldText(field(name), value)).toBe(text));

  it("reports the first error of the form", () => {
    expect(formProblem(fields, {})).toBe("Host name: Required.");
    expect(formProblem(fields, { host: "a", replicas: 9 })).toBe("replicas: Must be at most 5.");
    expect(formProblem(fields, { host: "a" })).toBeUndefined();
  });
});

describe("where values come from", () => {
  it("is the cluster for set values, and the catalog otherwise", () =>
    expect(originsOf({ host: "a", ingress: { enabled: true }, own: [1] }, fields)).toEqual([
      { path: "host", value: '"a"', origin: "cluster" },
      { path: "ingress.enabled", value: "true", origin: "cluster" },
      { path: "own", value: "[1]", origin: "cluster" },
      { path: "replicas", value: "2", origin: "catalog" },
    ]));
});

describe("the draft", () => {
  it("keeps comments and order when one value changes", () => {
    const text = "# ours\nhost: a # main\ningress:\n  enabled: true\n";
    expect(withValue(text, ["ingress", "share"], 0.5)).toBe(
      "# ours\nhost: a # main\ningress:\n  enabled: true\n  share: 0.5\n",
    );
    expect(withValue(text, ["ingress", "enabled"], undefined)).toBe("# ours\nhost: a # main\n");
  });

  it.each([
    ["", ["a", "b"], 1, { a: { b: 1 } }],
    ["a: 5\n", ["a", "b"], 1, { a: { b: 1 } }],
    ["a:\n", ["a", "b"], "x", { a: { b: "x" } }],
    ["a: []\n", ["a", "b"], "x", { a: { b: "x" } }],
    ["a: 1\n", ["a"], undefined, {}],
    ["a: 1\n", ["host"], "true", { a: 1, host: "true" }],
  ] as const)("%j with %j = %j", (text, path, value, values) =>
    expect(readDraft(withValue(text, path, value)).values).toEqual(values),
  );

  it.each([
    ["a: [", /./],
    ["- a\n- b\n", /YAML mapping/],
    ["just text", /YAML mapping/],
    ["a: *nothing", /./],
  ])("reports why %j is invalid", (text, problem) => expect(readDraft(text).problem).toMatch(problem));

  it("returns invalid YAML unchanged", () => expect(withValue("a: [", ["b"], 1)).toBe("a: ["));

  it("rejects YAML with exponential aliases", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]", ..."bcdefghi".split("").map(boom)].join("\n");
    expect(readDraft(bomb).values).toBeUndefined();
  });

  it("round-trips arbitrary values", () => {
    const name = fc.string({ minLength: 1, maxLength: 8 }).filter((text) => text !== "__proto__");
    const values = fc.dictionary(name, fc.oneof(fc.string(), fc.integer(), fc.boolean(), fc.array(fc.string())));
    fc.assert(
      fc.property(values, (some) => {
        expect(readDraft(draftOf(some)).values).toEqual({ ...some });
      }),
    );
    fc.assert(
      fc.property(values, name, name, fc.string(), (some, first, second, value) => {
        const after = readDraft(withValue(draftOf(some), [first, second], value)).values ?? {};
        expect(valueAt(after, [first, second])).toBe(value);
      }),
    );
  });
});

function boom(letter: string, index: number): string {
  const before = "abcdefgh"[index] ?? "a";
  return `${letter}: &${letter} [${Array.from({ length: 9 }, () => `*${before}`).join(",")}]`;
}

describe("what can be enabled", () => {
  const entry = (name: string, change: Partial<CatalogEntry> = {}): CatalogEntry =>
    ({ name, displayName: name, dependsOn: [], conflictsWith: [], platform: false, ...change }) as CatalogEntry;
  const installed = [{ addon: "web" } as AddonView];
  it.each([
    [entry("web"), "Already enabled on this cluster.", []],
    [entry("net", { platform: true }), "The platform installs it on every cluster.", []],
    [entry("other", { conflictsWith: ["web"] }), "Conflicts with web.", []],
    [entry("shop", { dependsOn: ["web", "store"] }), undefined, ["store"]],
  ])("%#", (one, refusal, missing) => expect(judgeEntry(one, installed)).toEqual({ refusal, missing }));
  it("excludes enabled, platform and conflicting entries, sorted by title", () =>
    expect(enabledChoices([entry("z"), entry("web"), entry("b")], installed).map(({ name }) => name)).toEqual([
      "b",
      "z",
    ]));
});

it.each([
  [
    { addon: "web", task: "remove" },
    { addon: "web", task: "remove" },
  ],
  [{ addon: "web", task: "explode" }, { addon: "web" }],
  [{ task: "remove" }, {}],
  [{ enable: "web" }, { enable: "web" }],
  [{ addon: "web", enable: "other" }, { addon: "web" }],
])("parses the search parameters %j as %j", (search, found) => expect(addonsSearch(search)).toEqual(found));
