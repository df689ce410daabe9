import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redactor } from "./redaction.ts";

const values = {
  greeting: "good morning",
  image: "registry.example/web:1",
  replicas: 2,
  database: { password: "hunter2", url: "postgres://db/shop" },
  env: [{ name: "API_TOKEN", value: "plain-value-1" }],
  tokens: ["abc", 12_345],
  secretNote: "first line\nsecond line",
  auth: { login: "admin", existingSecret: "web-credentials", enabled: "false", realm: "long-enough" },
};
const redact = redactor({ values, credentials: ["the-token"], plain: ["shop-web"] });

describe("redactor", () => {
  it.each([
    ["at '/database/password': 'hunter2' does not match", "at '/database/password': '[redacted]' does not match"],
    ["postgres://root:hunter2@db", "postgres://root:[redacted]@db"],
    ["prefixhunter2suffix", "prefix[redacted]suffix"],
    [Buffer.from("hunter2").toString("base64"), "[redacted]"],
    ["the-token", "[redacted]"],
    ["user admin is unknown", "user [redacted] is unknown"],
    ["xlong-enoughx", "x[redacted]x"],
    ["abc and 12345", "[redacted] and [redacted]"],
    ["second line", "[redacted]"],
    ['Invalid value: "plain-value-1": no', 'Invalid value: "[redacted]": no'],
    ["image registry.example/web:1 is bad", "image [redacted] is bad"],
    ["Authorization: Bearer abcdefghijkl", "Authorization: Bearer [redacted]"],
    ["eyJhbGciOiJIUzI1.eyJzdWIiOiIxMjM0.signature", "[redacted]"],
    ["-----BEGIN EC PRIVATE KEY-----\nxyz", "[redacted]"],
  ])("redacts secrets: %s", (text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  it.each([
    'namespaces "shop" not found',
    "spec.replicas: Invalid value: 2",
    "good morning-web",
    "Deployment shop-web",
  ])("keeps: %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  it("redacts every value with a secret name", () => {
    const word = fc.string({ minLength: 4, maxLength: 40 }).filter((text) => text.trim().length >= 4);
    fc.assert(
      fc.property(word, fc.string(), fc.string(), (secret, before, after) => {
        const clean = redactor({ values: { auth: { password: secret } } })(`${before}${secret}${after}`);
        expect(clean.replaceAll("[redacted]", "\n")).not.toContain(secret.trim());
      }),
    );
  });
});
