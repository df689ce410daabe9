import { describe, expect, it } from "vitest";
import { z } from "zod";
import { defineResource } from "./define-resource.ts";
import { int32, listMap, quantity, setOf, withRules } from "./fields.ts";
import { buildMarkdown } from "./markdown.ts";

const metadata = { group: "example.dev", version: "v1", scope: "Namespaced", doc: "Bell calls the porter." } as const;

const rowOf = (field: z.ZodType): string => {
  const Bell = defineResource({ ...metadata, kind: "Bell", spec: z.object({ field }), example: {} });
  const row = buildMarkdown(Bell)
    .split("\n")
    .find((line) => line.startsWith("| `spec.field`"));
  return row ?? "";
};

describe("buildMarkdown", () => {
  it("generates the complete page of a small kind", () => {
    const Bell = defineResource({
      ...metadata,
      kind: "Bell",
      shortNames: ["bl"],
      rules: [{ rule: "size(self.metadata.name) <= 8", message: "metadata.name has at most 8 characters" }],
      spec: z.object({
        room: z.string().min(1).describe("Room that the bell is in."),
        tones: listMap(z.object({ pitch: z.enum(["high", "low"]).describe("Pitch of the tone.") }), "pitch")
          .optional()
          .describe("Tones that it plays."),
      }),
      status: z.object({ rung: int32().optional().describe("How often it has rung.") }),
      columns: { Room: { jsonPath: ".spec.room", priority: 1 } },
      example: { metadata: { name: "door" }, spec: { room: "hall" } },
    });
    expect(buildMarkdown(Bell)).toMatchInlineSnapshot(`
      "# Bell

      Bell calls the porter.

      | | |
      |---|---|
      | API version | \`example.dev/v1\` |
      | Scope | Namespaced |
      | Plural | \`bells\` |
      | Short names | \`bl\` |
      | Subresources | \`status\` |

      ## Example

      \`\`\`yaml
      apiVersion: example.dev/v1
      kind: Bell
      metadata:
        name: door
      spec:
        room: hall
      \`\`\`

      ## Rules

      - metadata.name has at most 8 characters

      ## spec

      \`spec\` is required.

      | Field | Type | Constraints | Description |
      |---|---|---|---|
      | \`spec.room\` | string | required; not empty | Room that the bell is in. |
      | \`spec.tones\` | list of object | unique by pitch | Tones that it plays. |
      | \`spec.tones[].pitch\` | string | required; one of \`high\`, \`low\` | Pitch of the tone. |

      ## status

      \`status\` is optional.

      | Field | Type | Constraints | Description |
      |---|---|---|---|
      | \`status.rung\` | integer (int32) |  | How often it has rung. |

      ## \`kubectl get\` columns

      | Column | Path |
      |---|---|
      | Room (wide) | \`.spec.room\` |
      | Age | \`.metadata.creationTimestamp\` |
      "
    `);
  });
});

describe("a row of the field table", () => {
  it.each([
    ["an enumeration", z.enum(["a", "b"]), "| string | required; one of `a`, `b` |"],
    ["a default", int32().default(2), "| integer (int32) | default `2` |"],
    ["bounds", int32().min(1).max(9), "| integer (int32) | required; at least 1; at most 9 |"],
    ["open bounds", z.number().gt(0).lt(1), "| number | required; above 0; below 1 |"],
    ["lengths", z.string().min(1).max(63), "| string | required; 1 to 63 characters |"],
    ["a pattern, with its bars escaped", z.string().regex(/^(a|b)$/), "| string | required; matches `^(a\\|b)$` |"],
    ["a list", z.array(z.string()).min(1).max(4), "| list of string | required; 1 to 4 items |"],
    [
      "what items must be",
      setOf(z.enum(["a", "b"])).optional(),
      "| list of string | unique values; each: one of `a`, `b` |",
    ],
    [
      "rules of items",
      z.array(withRules(z.object({ a: z.string() }), { rule: "self.a != ''", message: "a is needed" })).optional(),
      "| list of object | each: a is needed |",
    ],
    [
      "rules of the values of a map",
      z.record(z.string(), quantity()).optional(),
      "| map of integer or string | each: at most 64 characters; each: must be a quantity such as 4, 500m or 16Gi |",
    ],
    ["a rule without a message", withRules(z.string(), { rule: "self != ''" }), "| string | required; self != '' |"],
  ])("shows %s", (_name, field, expected) => {
    expect(rowOf(field)).toContain(expected);
  });
});
