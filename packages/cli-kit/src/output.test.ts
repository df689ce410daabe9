import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { type ObjectView, outputOption, renderObject, renderObjects, renderValue, WatchOutput } from "./output.ts";

interface Thing {
  readonly name: string;
  readonly node: string;
}
const view: ObjectView<Thing> = {
  nameOf: ({ name }) => `thing/${name}`,
  columns: [
    { title: "NAME", value: ({ name }) => name },
    { title: "NODE", value: ({ node }) => node, isWide: true },
  ],
};
const things: readonly Thing[] = [
  { name: "a", node: "n1" },
  { name: "b", node: "n2" },
];

describe("renderObjects", () => {
  it.each([
    ["table", "NAME\na\nb"],
    ["wide", "NAME  NODE\na     n1\nb     n2"],
    ["name", "thing/a\nthing/b"],
  ] as const)("as %s", (format, text) => {
    expect(renderObjects(view, things, { format })).toBe(text);
  });

  it("renders a List as JSON and YAML, even without objects", () => {
    expect(JSON.parse(renderObjects(view, things, { format: "json" }))).toMatchObject({ kind: "List", items: things });
    expect(parse(renderObjects(view, [], { format: "yaml" }))).toMatchObject({ kind: "List", items: [] });
    expect(renderObjects(view, [], { format: "table" })).toBe("");
  });

  it("renders a single object without a List", () => {
    expect(JSON.parse(renderObject(view, { name: "a", node: "n1" }, { format: "json" }))).toEqual(things[0]);
    expect(renderObject(view, { name: "a", node: "n1" }, { format: "table", hasHeader: false })).toBe("a");
  });
});

describe("renderValue", () => {
  it("writes portable YAML: no folded lines, no aliases", () => {
    const shared = { text: "word ".repeat(40).trim() };
    const text = renderValue({ one: shared, two: shared }, "yaml");
    expect(text.split("\n")).toHaveLength(4);
    expect(text).not.toContain("&");
    expect(parse(text)).toEqual({ one: shared, two: shared });
  });
});

describe("WatchOutput", () => {
  it("appends changes below the initial rows", () => {
    const output = new WatchOutput(view, { format: "wide" });
    expect(output.start(things)).toEqual(["NAME  NODE", "a     n1", "b     n2"]);
    expect(output.next({ name: "a", node: "n3" })).toEqual(["a     n3"]);
  });

  it("prints one document after another", () => {
    expect(new WatchOutput(view, { format: "yaml" }).start(things)).toEqual([
      "---",
      "name: a\nnode: n1",
      "---",
      "name: b\nnode: n2",
    ]);
    expect(new WatchOutput(view, { format: "name" }).next({ name: "a", node: "" })).toEqual(["thing/a"]);
    expect(JSON.parse(new WatchOutput(view, { format: "json" }).next({ name: "a", node: "n1" })[0] ?? "")).toEqual(
      things[0],
    );
  });
});

describe("outputOption", () => {
  const read = (text: string): unknown => outputOption(["table", "json"]).parseArg?.(text, "");

  it("accepts its formats, and templates where JSON is supported", () => {
    expect(read("json")).toBe("json");
    expect(read("jsonpath={.a}")).toBe("jsonpath={.a}");
    expect(() => read("xml")).toThrow("Allowed choices are table, json");
    expect(() => read("jsonpath={.a")).toThrow("at character 4");
    expect(() => outputOption(["table", "name"]).parseArg?.("jsonpath={.a}", "")).toThrow("Allowed choices");
  });

  it("renders the result of a template without its last newline", () => {
    const format = 'jsonpath={range .items[*]}{.name}{"\\n"}{end}';
    expect(renderObjects(view, things, { format })).toBe("a\nb");
    expect(renderObject(view, { name: "a", node: "n1" }, { format: "jsonpath={.node}" })).toBe("n1");
    expect(new WatchOutput(view, { format: "jsonpath={.name}" }).next({ name: "a", node: "" })).toEqual(["a"]);
  });
});
