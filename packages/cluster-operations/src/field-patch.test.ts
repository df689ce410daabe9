import fc from "fast-check";
import jsonPatch from "fast-json-patch";
import { expect, it } from "vitest";
import { changeField } from "./field-patch.ts";

const key = "example.com/a~b";

it.each<[string, object, unknown, object[]]>([
  [
    "tests and sets a field",
    { metadata: { labels: { [key]: "dev" } } },
    "prod",
    [
      { op: "test", path: "/metadata/labels/example.com~1a~0b", value: "dev" },
      { op: "add", path: "/metadata/labels/example.com~1a~0b", value: "prod" },
    ],
  ],
  [
    "tests that a new field is absent",
    { metadata: { labels: {} } },
    "prod",
    [
      { op: "test", path: "/metadata/labels/example.com~1a~0b", value: null },
      { op: "add", path: "/metadata/labels/example.com~1a~0b", value: "prod" },
    ],
  ],
  [
    "creates a missing parent, unless another client does",
    { metadata: {} },
    "prod",
    [
      { op: "test", path: "/metadata/labels", value: null },
      { op: "add", path: "/metadata/labels", value: { [key]: "prod" } },
    ],
  ],
  [
    "removes a field",
    { metadata: { labels: { [key]: "dev" } } },
    undefined,
    [
      { op: "test", path: "/metadata/labels/example.com~1a~0b", value: "dev" },
      { op: "remove", path: "/metadata/labels/example.com~1a~0b" },
    ],
  ],
])("%s", (_what, object, value, patch) => {
  expect(changeField(object, ["metadata", "labels", key], value)).toEqual(patch);
});

it("changes exactly the field, of any object", () => {
  const name = fc.constantFrom("a", "b", "c/d", "e~f");
  const object = fc.dictionary(name, fc.option(fc.dictionary(name, fc.string()), { nil: undefined }));
  fc.assert(
    fc.property(object, name, name, fc.string(), (before, outer, inner, value) => {
      const stored = JSON.parse(JSON.stringify(before)) as Record<string, Record<string, string>>;
      // The API server treats the test for null of an absent field as met; the library does not.
      const patch = changeField(stored, [outer, inner], value).filter(
        (operation) => operation.op !== "test" || operation.value !== null,
      );
      const { newDocument } = jsonPatch.applyPatch(structuredClone(stored), patch as never, true);
      expect(newDocument).toEqual({ ...stored, [outer]: { ...stored[outer], [inner]: value } });
    }),
  );
});
