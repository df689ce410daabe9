import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { AddonView, CatalogueEntry } from "../../../parts/addon-facts.ts";
import { addonsSearch } from "./addons-search.ts";
import { enabledChoices, judgeEntry } from "./enable-choice.ts";
import { draftOf, readDraft, valueAt, withValue } from "./values-draft.ts";
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
  it("has a field for every leaf of the schema, in its order", () =>
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

  it("takes any schema, however odd", () => {
    fc.assert(fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (odd) => Array.isArray(fieldsOf(odd))));
    fc.assert(fc.property(fc.jsonValue(), (odd) => Array.isArray(fieldsOf({ properties: odd, required: odd }))));
  });

  it.each([
    ["host", undefined, "This has to be set."],
    ["host", "a", undefined],
    ["replicas", undefined, undefined],
    ["replicas", 0, "Has to be at least 1."],
    ["replicas", 6, "Has to be at most 5."],
    ["replicas", 1.5, "Has to be a whole number."],
    ["replicas", "many", "Has to be a number."],
    ["ingress.share", 0.5, undefined],
    ["level", "loud", "Has to be one of info, debug."],
    ["level", "debug", undefined],
  ])("judges %s = %j", (name, value, problem) => expect(fieldProblem(field(name), value)).toBe(problem));

  it.each([
    ["replicas", "3", 3],
    ["replicas", "x", "x"],
    ["ingress.enabled", "false", false],
    ["hosts", "a\nb\n", ["a", "b"]],
    ["host", "", undefined],
  ])("reads %s from %j", (name, text, value) => expect(fieldValue(field(name), text)).toEqual(value));

  it.each([
    ["hosts", ["a", "b"], "a\nb"],
    ["replicas", 3, "3"],
    ["ingress.enabled", true, "true"],
    ["host", undefined, ""],
  ])("shows %s = %j", (name, value, text) => expect(fieldText(field(name), value)).toBe(text));

  it("says what is wrong with the whole", () => {
    expect(formProblem(fields, {})).toBe("Host name: This has to be set.");
    expect(formProblem(fields, { host: "a", replicas: 9 })).toBe("replicas: Has to be at most 5.");
    expect(formProblem(fields, { host: "a" })).toBeUndefined();
  });
});

describe("where values come from", () => {
  it("is the cluster where something is set, and the catalogue otherwise", () =>
    expect(originsOf({ host: "a", ingress: { enabled: true }, own: [1] }, fields)).toEqual([
      { path: "host", value: '"a"', origin: "cluster" },
      { path: "ingress.enabled", value: "true", origin: "cluster" },
      { path: "own", value: "[1]", origin: "cluster" },
      { path: "replicas", value: "2", origin: "catalogue" },
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
    ["- a\n- b\n", /names with values/],
    ["just text", /names with values/],
    ["a: *nothing", /./],
  ])("says why %j cannot be read", (text, problem) => expect(readDraft(text).problem).toMatch(problem));

  it("leaves a text alone that cannot be read", () => expect(withValue("a: [", ["b"], 1)).toBe("a: ["));

  it("refuses a text that explodes when it is read", () => {
    const bomb = ["a: &a [x,x,x,x,x,x,x,x,x]", ..."bcdefghi".split("").map(boom)].join("\n");
    expect(readDraft(bomb).values).toBeUndefined();
  });

  it("holds any values, and any value can be set and read again", () => {
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
  const entry = (name: string, change: Partial<CatalogueEntry> = {}): CatalogueEntry =>
    ({ name, displayName: name, dependsOn: [], conflictsWith: [], platform: false, ...change }) as CatalogueEntry;
  const installed = [{ addon: "web" } as AddonView];
  it.each([
    [entry("web"), "The cluster has it already.", []],
    [entry("net", { platform: true }), "The platform puts it into clusters itself.", []],
    [entry("other", { conflictsWith: ["web"] }), "It cannot be beside web.", []],
    [entry("shop", { dependsOn: ["web", "store"] }), undefined, ["store"]],
  ])("%#", (one, refusal, missing) => expect(judgeEntry(one, installed)).toEqual({ refusal, missing }));
  it("is what nothing stands against, by title", () =>
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
])("the address %j is read as %j", (search, found) => expect(addonsSearch(search)).toEqual(found));
