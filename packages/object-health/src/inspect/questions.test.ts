import { builtinKinds, type Kind } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { PlacedObject } from "./placed-object.ts";
import { questionsFor } from "./read-live.ts";

function placed(kind: Kind | undefined, name: string, namespace?: string): PlacedObject {
  const type = { apiVersion: kind?.version ?? "v1", kind: kind?.kind ?? "Unknown" };
  const object = { ...type, metadata: { name } };
  return { wanted: { ...type, namespace, name, object }, kind, key: { name, namespace } };
}

const { ConfigMap, Secret, CustomResourceDefinition } = builtinKinds;
const asked = (objects: readonly PlacedObject[]) =>
  questionsFor(objects).map(({ kind, namespace, fieldSelector }) => [kind.kind, namespace, fieldSelector]);

describe("the requests to an API server", () => {
  it("are one list for each kind and namespace, or one object when it is the only one", () => {
    const objects = [
      placed(ConfigMap, "a", "one"),
      placed(Secret, "a", "one"),
      placed(ConfigMap, "b", "one"),
      placed(ConfigMap, "a", "two"),
      placed(undefined, "a", "one"),
    ];
    expect(asked(objects)).toEqual([
      ["ConfigMap", "one", undefined],
      ["Secret", "one", "metadata.name=a"],
      ["ConfigMap", "two", "metadata.name=a"],
    ]);
  });

  it("read each definition individually, because they are large", () => {
    const objects = [placed(CustomResourceDefinition, "a"), placed(CustomResourceDefinition, "b")];
    expect(asked(objects)).toEqual([
      ["CustomResourceDefinition", undefined, "metadata.name=a"],
      ["CustomResourceDefinition", undefined, "metadata.name=b"],
    ]);
  });

  it("escape names", () => {
    expect(asked([placed(Secret, String.raw`a,b=c\d`, "n")])).toEqual([
      ["Secret", "n", String.raw`metadata.name=a\,b\=c\\d`],
    ]);
  });

  it("cover every object whose kind is served, once", () => {
    const one = fc.record({
      kind: fc.constantFrom(ConfigMap, Secret, CustomResourceDefinition, undefined),
      name: fc.constantFrom("a", "b", "c"),
      namespace: fc.constantFrom("one", "two"),
    });
    fc.assert(
      fc.property(fc.array(one), (given) => {
        const objects = given.map(({ kind, name, namespace }) => placed(kind, name, namespace));
        const covered = questionsFor(objects).flatMap((question) => question.objects);
        expect(new Set(covered)).toEqual(new Set(objects.filter(({ kind }) => kind !== undefined)));
        expect(covered).toHaveLength(new Set(covered).size);
      }),
    );
  });
});
