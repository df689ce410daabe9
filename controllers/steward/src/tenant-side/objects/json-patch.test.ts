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
    [
      "removes a nested field",
      { a: { b: { c: 1, d: 2 } } },
      [{ op: "remove", path: "/a/b/c" }],
      { a: { b: { d: 2 } } },
    ],
    ["removes an item", [1, 2, 3], [{ op: "remove", path: "/1" }], [1, 3]],
    ["replaces a field", { a: 1 }, [{ op: "replace", path: "/a", value: { b: 2 } }], { a: { b: 2 } }],
    ["replaces the last item", [1, 2], [{ op: "replace", path: "/1", value: 3 }], [1, 3]],
    ["replaces the whole document", { a: 1 }, [{ op: "replace", path: "", value: { b: 2 } }], { b: 2 }],
    ["moves a field", { a: { b: 1 }, c: {} }, [{ op: "move", from: "/a/b", path: "/c/d" }], { a: {}, c: { d: 1 } }],
    ["moves an item", [1, 2, 3], [{ op: "move", from: "/0", path: "/2" }], [2, 3, 1]],
    ["moves to itself", { a: 1 }, [{ op: "move", from: "/a", path: "/a" }], { a: 1 }],
    ["copies", { a: [1] }, [{ op: "copy", from: "/a", path: "/b" }], { a: [1], b: [1] }],
    [
      "tests an existing value",
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
    ["accepts an empty field name", { "": 1 }, [{ op: "replace", path: "/", value: 2 }], { "": 2 }],
    [
      "treats __proto__ as a plain name",
      {},
      [
        { op: "add", path: "/__proto__", value: { polluted: true } },
        { op: "remove", path: "/__proto__" },
      ],
      {},
    ],
    [
      "applies to the result of previous operations",
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
    ["removing a missing field", { a: 1 }, [{ op: "remove", path: "/b" }], /patch number 1 \(remove \/b\)/],
    ["replacing a missing field", {}, [{ op: "replace", path: "/b", value: 1 }], /"b" does not exist/],
    ["a missing parent", {}, [{ op: "add", path: "/a/b", value: 1 }], /"a" does not exist/],
    [
      "a parent that is neither object nor list",
      { a: 1 },
      [{ op: "add", path: "/a/b", value: 1 }],
      /the parent of "b" is not an object or list/,
    ],
    ["an inherited name", {}, [{ op: "remove", path: "/constructor" }], /"constructor" does not exist/],
    ["an item beyond the end", [1], [{ op: "add", path: "/2", value: 1 }], /no item "2"/],
    ["an item number with a leading zero", [1, 2], [{ op: "remove", path: "/01" }], /no item "01"/],
    ["an item that is not a number", [1], [{ op: "remove", path: "/-" }], /no item "-"/],
    ["a pointer without slash", {}, [{ op: "add", path: "a", value: 1 }], /not a JSON pointer/],
    ["a stray tilde", {}, [{ op: "add", path: "/a~2", value: 1 }], /not a JSON pointer/],
    ["a test that fails", { a: 1 }, [{ op: "test", path: "/a", value: "1" }], /found 1/],
    ["a move into itself", { a: { b: 1 } }, [{ op: "move", from: "/a", path: "/a/b" }], /into itself/],
    ["a move without from", {}, [{ op: "move", path: "/a" }], /from is required/],
    ["an add without a value", {}, [{ op: "add", path: "/a" }], /value is required/],
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

  it("removes an added field again, for any document and name", () => {
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
