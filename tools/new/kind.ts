import { sentenceCase, withArticle } from "./names.ts";
import { fileOfKind, ScaffoldRefusal, type Shape } from "./scaffold.ts";

/** A kind of the group butler.butlerlabs.dev with one validated field. */
export const kindShape: Shape = {
  name: "kind",
  summary: "a kind in packages/api, with a manifest that must be rejected",
  plan: (names, repository) => {
    const { kebab, camel, pascal, words, plural } = names;
    const existing = fileOfKind(names, repository);
    if (existing !== undefined) throw new ScaffoldRefusal(`the name is taken: found ${existing}`);
    const folder = "packages/api/src/butler";
    const resourcePlural = plural.pascal.toLowerCase();
    const hasOwnPlural = resourcePlural !== `${pascal.toLowerCase()}s`;
    return {
      files: {
        [`${folder}/${kebab}.ts`]: `
import { conditions, defineResource, observedGeneration, type ObjectOf, withRules } from "@butler/resource";
import { z } from "zod";
import { butlerGroup } from "./group.ts";

/** ${sentenceCase(withArticle(words))}. */
export const ${pascal} = defineResource({
  ...butlerGroup,
  kind: "${pascal}",
  ${hasOwnPlural ? `plural: "${resourcePlural}",` : ""}
  scope: "Namespaced",
  doc: "${pascal} is ${withArticle(words)} with a title.",
  spec: z.object({
    title: withRules(z.string().min(1).max(63), {
      rule: "self.matches('^[^ ].*$')",
      message: "must not start with a space, such as Nightly",
    }).describe("Title of the ${words}."),
  }),
  status: z.object({
    conditions: conditions("Ready"),
    observedGeneration: observedGeneration(),
  }),
  columns: { Title: ".spec.title" },
  example: {
    apiVersion: "butler.butlerlabs.dev/v1alpha1",
    kind: "${pascal}",
    metadata: { name: "nightly", namespace: "payments" },
    spec: { title: "Nightly" },
  },
});
export type ${pascal} = ObjectOf<typeof ${pascal}>;
`,
        [`${folder}/${kebab}.test.ts`]: `
import { parseObject } from "@butler/resource";
import { describe, expect, it } from "vitest";
import { ${pascal} } from "./${kebab}.ts";

const titled = (title: string): unknown => ({ ...${pascal}.example, spec: { title } });

describe("${pascal}", () => {
  it("accepts a title", () => {
    expect(parseObject(${pascal}, titled("Weekly")).spec.title).toBe("Weekly");
  });

  it.each(["", "x".repeat(64)])("rejects the title %j", (title) => {
    expect(() => parseObject(${pascal}, titled(title))).toThrow("title");
  });
});
`,
        [`test/conformance/bad-manifests/${kebab}.ts`]: `
import type { BadManifest } from "./bad-manifest.ts";
import { changeSpec } from "./change-manifest.ts";

const ${camel} = {
  apiVersion: "butler.butlerlabs.dev/v1alpha1",
  kind: "${pascal}",
  metadata: { name: "bad-${kebab}", namespace: "default" },
  spec: { title: "Nightly" },
};

/** Broken ${plural.pascal}. */
export const bad${plural.pascal}: readonly BadManifest[] = [
  {
    name: "${pascal}: title starts with a space",
    manifest: changeSpec(${camel}, "title", " Nightly"),
    expect: "must not start with a space",
  },
];
`,
      },
      edits: [
        {
          type: "import",
          path: "packages/api/src/all-resources.ts",
          line: `import { ${pascal} } from "./butler/${kebab}.ts";`,
        },
        {
          type: "entry",
          path: "packages/api/src/all-resources.ts",
          from: "export const allResources",
          to: "\n];",
          line: `  ${pascal},`,
        },
        { type: "append", path: "packages/api/src/index.ts", line: `export * from "./butler/${kebab}.ts";` },
        {
          type: "import",
          path: "test/conformance/bad-manifests/index.ts",
          line: `import { bad${plural.pascal} } from "./${kebab}.ts";`,
        },
        {
          type: "entry",
          path: "test/conformance/bad-manifests/index.ts",
          from: "badManifests: readonly BadManifest[] = [",
          to: "];",
          line: `...bad${plural.pascal},`,
        },
      ],
      nextSteps: [
        `Replace the field in ${folder}/${kebab}.ts, and describe each field for kubectl explain`,
        "Run npm run generate to write the CRD and the reference page",
        `Add manifests that must be rejected to test/conformance/bad-manifests/${kebab}.ts`,
        `Add a controller: npm run new -- controller ${kebab}`,
      ],
    };
  },
};
