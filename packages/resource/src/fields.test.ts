import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { cidr, duration, formattedText, immutable, keptOnceSet, openShape, quantity, withRules } from "./fields.ts";
import { toStructuralSchema } from "./structural-schema.ts";

const rulesOf = (schema: z.ZodType) =>
  (toStructuralSchema(schema)["x-kubernetes-validations"] ?? []).map(({ rule }) => rule);

describe("rules", () => {
  it("are added after existing ones", () => {
    expect(rulesOf(withRules(cidr(), { rule: "first" }, { rule: "second" }))).toEqual([
      "isCIDR(self)",
      "first",
      "second",
    ]);
  });

  it("are kept when they are added to an optional or defaulted field", () => {
    expect(rulesOf(withRules(cidr().optional(), { rule: "more" }))).toEqual(["isCIDR(self)", "more"]);
    expect(rulesOf(withRules(cidr().default("10.0.0.0/8"), { rule: "more" }))).toEqual(["isCIDR(self)", "more"]);
    expect(rulesOf(withRules(cidr().optional().describe("A range."), { rule: "more" }))).toEqual([
      "isCIDR(self)",
      "more",
    ]);
  });

  it("are kept by further schema methods", () => {
    expect(rulesOf(withRules(z.string(), { rule: "self != ''" }).max(8).optional().describe("A text."))).toEqual([
      "self != ''",
    ]);
  });

  it("make a value immutable, and a field permanent", () => {
    expect(rulesOf(immutable(z.string(), "driver"))).toEqual(["self == oldSelf"]);
    expect(keptOnceSet("schema")).toEqual([
      {
        rule: "!has(oldSelf.schema) || has(self.schema)",
        message: "schema cannot be removed once it is set",
        fieldPath: ".schema",
      },
    ]);
  });
});

describe("formattedText", () => {
  it("quotes the pattern for CEL and leaves it out of the schema", () => {
    const schema = toStructuralSchema(formattedText({ pattern: String.raw`^'a\.b'$`, message: "no", maxLength: 9 }));
    expect(schema).toEqual({
      type: "string",
      maxLength: 9,
      "x-kubernetes-validations": [{ rule: String.raw`self.matches('^\'a\\.b\'$')`, message: "no" }],
    });
  });

  it("rejects the same values in Zod as in the API server, with the same message", () => {
    const refusal = duration().safeParse("1 day");
    expect(refusal.error?.issues.map(({ message }) => message)).toEqual([
      "must be a duration such as 30s, 10m or 1h30m (the largest unit is h)",
    ]);
  });

  it("accepts every duration that Go writes", () => {
    const part = fc.tuple(fc.nat(9999), fc.constantFrom("ns", "us", "µs", "ms", "s", "m", "h"));
    fc.assert(
      fc.property(fc.array(part, { minLength: 1, maxLength: 6 }), (parts) => {
        const text = parts.map(([amount, unit]) => `${amount}${unit}`).join("");
        expect(duration().safeParse(text).success).toBe(true);
      }),
    );
  });
});

describe("openShape", () => {
  it("keeps unknown fields", () => {
    const shape = openShape({ name: z.string() });
    expect(shape.parse({ name: "a", loadBalancer: { ingress: [] } })).toEqual({
      name: "a",
      loadBalancer: { ingress: [] },
    });
  });
});

describe("quantity", () => {
  it.each(["4", "500m", "16Gi", "1.5G", "1e3", "-1", ".5"])("accepts %s", (text) => {
    expect(quantity().safeParse(text).success).toBe(true);
  });

  it.each(["", "lots", "16GB", "1 Gi", "1,5"])("refuses %o", (text) => {
    expect(quantity().safeParse(text).success).toBe(false);
  });
});
