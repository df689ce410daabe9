import { deepFreeze, InvalidInput } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { applyJsonPatches, type JsonPatch } from "./json-patch.ts";

describe("applyJsonPatches", () => {
  it.each<[string, unknown, JsonPatch[], unknown]>([
    ["adds a field", { a: 1 }, [{ op: "add", path: "/b", value: 2 }], { a: 1, b: 2 }],
    ["adds over a field", { a: 1 }, [{ op: "add", path: "/a", value: 2 }], { a: 2 }],
    ["inserts into a list", [1, 3], [{ op: "add", path: "/1", value: 2 }], [1, 2, 3]],
    ["appends to a list by number", [1], [{ op: "add", path: "/1", value: 2 }], [1, 2]],
    ["appends to a list by dash", { a: [1] }, [{ op: "add", path: "/a/-", value: [2] }], { a: [1, [2]] }],
    ["adds null", {}, [{ op: "add", path: "/a", value: null }], { a: null }],
    ["removes a field", { a: 1, b: 2 }, [{ op: "remove", path: "/a" }], { b: 2 }],
    ["removes deep down", { a: { b: { c: 1, d: 2 } } }, [{ op: "remove", path: "/a/b/c" }], { a: { b: { d: 2 } } }],
    ["removes an item", [1, 2, 3], [{ op: "remove", path: "/1" }], [1, 3]],
    ["replaces a field", { a: 1 }, [{ op: "replace", path: "/a", value: { b: 2 } }], { a: { b: 2 } }],
    ["replaces the last item", [1, 2], [{ op: "replace", path: "/1", value: 3 }], [1, 3]],
    ["replaces everything", { a: 1 }, [{ op: "replace", path: "", value: { b: 2 } }], { b: 2 }],
    ["moves a field", { a: { b: 1 }, c: {} }, [{ op: "move", from: "/a/b", path: "/c/d" }], { a: {}, c: { d: 1 } }],
    ["moves an item", [1, 2, 3], [{ op: "move", from: "/0", path: "/2" }], [2, 3, 1]],
    ["moves to itself", { a: 1 }, [{ op: "move", from: "/a", path: "/a" }], { a: 1 }],
    ["copies", { a: [1] }, [{ op: "copy", from: "/a", path: "/b" }], { a: [1], b: [1] }],
    [
      "tests what is there",
      { a: [1, { b: 2 }] },
      [{ op: "test", path: "/a", value: [1, { b: 2 }] }],
      { a: [1, { b: 2 }] },
    ],
    [
      "reads ~1 as a slash and ~0 as a tilde",
      { "a/b": 1, "c~1": 2 },
      [
        { op: "remove", path: "/a~1b" },
        { op: "replace", path: "/c~01", value: 3 },
      ],
      { "c~1": 3 },
    ],
    ["takes an empty name for a name", { "": 1 }, [{ op: "replace", path: "/", value: 2 }], { "": 2 }],
    [
      "takes __proto__ for a name like others",
      {},
      [
        { op: "add", path: "/__proto__", value: { polluted: true } },
        { op: "remove", path: "/__proto__" },
      ],
      {},
    ],
    [
      "applies to the result of what came before",
      {},
      [
        { op: "add", path: "/a", value: {} },
        { op: "add", path: "/a/b", value: 1 },
        { op: "remove", path: "/a/b" },
      ],
      { a: {} },
    ],
  ])("%s", (_what, document, patches, expected) => {
    expect(applyJsonPatches(deepFreeze(document), patches)).toEqual(expected);
  });

  it.each<[string, unknown, JsonPatch[], RegExp]>([
    ["a field that is not there, removed", { a: 1 }, [{ op: "remove", path: "/b" }], /patch number 1 \(remove \/b\)/],
    ["a field that is not there, replaced", {}, [{ op: "replace", path: "/b", value: 1 }], /there is no "b"/],
    ["a parent that is not there", {}, [{ op: "add", path: "/a/b", value: 1 }], /there is no "a"/],
    ["a parent that holds nothing", { a: 1 }, [{ op: "add", path: "/a/b", value: 1 }], /nothing that could hold "b"/],
    ["an inherited name", {}, [{ op: "remove", path: "/constructor" }], /there is no "constructor"/],
    ["an item beyond the end", [1], [{ op: "add", path: "/2", value: 1 }], /no item "2"/],
    ["an item number with a leading zero", [1, 2], [{ op: "remove", path: "/01" }], /no item "01"/],
    ["an item that is not a number", [1], [{ op: "remove", path: "/-" }], /no item "-"/],
    ["a pointer without slash", {}, [{ op: "add", path: "a", value: 1 }], /not a JSON pointer/],
    ["a stray tilde", {}, [{ op: "add", path: "/a~2", value: 1 }], /not a JSON pointer/],
    ["a test that fails", { a: 1 }, [{ op: "test", path: "/a", value: "1" }], /found 1/],
    ["a move into itself", { a: { b: 1 } }, [{ op: "move", from: "/a", path: "/a/b" }], /into itself/],
    ["a move from nowhere", {}, [{ op: "move", path: "/a" }], /from is needed/],
    ["an add of nothing", {}, [{ op: "add", path: "/a" }], /a value is needed/],
    [
      "a late failure",
      {},
      [
        { op: "add", path: "/a", value: 1 },
        { op: "remove", path: "/b" },
      ],
      /patch number 2/,
    ],
  ])("refuses %s", (_what, document, patches, message) => {
    const apply = (): unknown => applyJsonPatches(deepFreeze(document), patches);
    expect(apply).toThrow(InvalidInput);
    expect(apply).toThrow(message);
  });

  it("undoes an added field by removing it, whatever the document and the name", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.string(), fc.jsonValue(), (document, name, value) => {
        fc.pre(!Object.hasOwn(document, name) && name !== "__proto__");
        const path = `/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
        const added = applyJsonPatches(document, [{ op: "add", path, value }]);
        expect(
          applyJsonPatches(added, [
            { op: "test", path, value },
            { op: "remove", path },
          ]),
        ).toEqual(document);
      }),
    );
  });
});
