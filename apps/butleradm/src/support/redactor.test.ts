import type { KubeObject } from "@butler/resource";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Summary } from "../status/summary.ts";
import { bundleFiles } from "./bundle-files.ts";
import { KnownSecrets, secretValuesIn } from "./known-secrets.ts";
import { Redactor } from "./redactor.ts";

const summary = { healthy: true, troubles: [] } as unknown as Summary;
const encode = (text: string): string => Buffer.from(text).toString("base64");

/** Printable texts like typical secrets; a marker rules out accidental matches. */
const secrets = fc
  .tuple(fc.string({ minLength: 6, maxLength: 40, unit: "grapheme-ascii" }), fc.integer({ min: 100_000, max: 999_999 }))
  .map(([text, number]) => `q${number}Z${text.trim().replaceAll("\n", " ")}q`);

/** Encodings in which programs repeat a secret. */
const repetitions: Readonly<Record<string, (secret: string) => string>> = {
  plainly: (secret) => secret,
  "as base64": encode,
  "within base64": (secret) => encode(`user:${secret}`),
  "within base64, moved": (secret) => encode(`ab:${secret}:more`),
  "as base64url": (secret) => Buffer.from(secret).toString("base64url"),
  "in an address": (secret) => `https://host/path?x=${encodeURIComponent(secret)}&y=1`,
  "in JSON": (secret) => JSON.stringify({ message: `refused ${secret}` }),
  "in JSON in JSON": (secret) => JSON.stringify({ body: secret }),
  "as hexadecimal digits": (secret) => Buffer.from(secret).toString("hex"),
};

function contentsOf(files: ReturnType<typeof bundleFiles>): string {
  return files.map(({ path, content }) => `${path}\n${content.toString("utf8")}`).join("\n");
}

/** Every encoding in which the secret could be read from a bundle. */
function isIn(text: string, secret: string): boolean {
  const forms = [secret, encode(secret), encodeURIComponent(secret), JSON.stringify(secret).slice(1, -1)];
  return forms.some((form) => text.includes(form));
}

describe("a bundle", () => {
  it("contains no values of Secrets, in any position or encoding", () => {
    const way = fc.constantFrom(...Object.keys(repetitions));
    const around = fc.string({ maxLength: 30 });
    fc.assert(
      fc.property(
        fc.array(secrets, { minLength: 1, maxLength: 4 }),
        way,
        fc.tuple(around, around),
        (planted, how, [before, behind]) => {
          const repeat = repetitions[how] ?? encode;
          const text = planted.map((secret) => `${before} ${repeat(secret)} ${behind}`).join("\n");
          const object = {
            apiVersion: "v1",
            kind: "Team",
            metadata: { name: "x", annotations: { note: text, [planted[0] ?? ""]: "key" } },
            spec: { description: text, list: [text], nested: { deep: { text } } },
          } as unknown as KubeObject;
          const files = bundleFiles({
            madeAt: new Date(0),
            summary: { ...summary, troubles: [text] },
            results: [{ check: "x", severity: "fault", says: text, remedy: text }],
            objects: { teams: [object] },
            logs: [{ namespace: "n", pod: "p", container: "c", isPrevious: false, text }],
            notes: [text],
            secretValues: planted,
          });
          const all = contentsOf(files);
          for (const secret of planted) expect(isIn(all, secret)).toBe(false);
        },
      ),
      { numRuns: 400 },
    );
  });

  it("contains no unknown credentials", () => {
    const word = fc.stringMatching(/^[A-Za-z0-9]{20,40}$/);
    const plantings: readonly ((secret: string) => string)[] = [
      (secret) => `Authorization: Bearer ${secret}`,
      (secret) => `--admin-password=${secret}`,
      (secret) => `--api-token ${secret}`,
      (secret) => `password: ${secret}`,
      (secret) => `token: "${secret}"`,
      (secret) => `client-key-data: ${secret}`,
      (secret) => `Set-Cookie: session=${secret}; HttpOnly`,
      (secret) => `postgres://butler:${secret}@db:5432/x`,
      (secret) => `-----BEGIN EC PRIVATE KEY-----\n${secret}\n-----END EC PRIVATE KEY-----`,
      (secret) => `eyJhbGciOiJSUzI1NiJ9.${secret}.${secret}`,
      (secret) => `{"password":"${secret}"}`,
    ];
    fc.assert(
      fc.property(word, fc.constantFrom(...plantings), (secret, plant) => {
        const redactor = new Redactor([]);
        expect(redactor.text(`before ${plant(secret)} behind`)).not.toContain(secret);
        expect(JSON.stringify(redactor.value({ spec: { note: plant(secret) } }))).not.toContain(secret);
      }),
      { numRuns: 300 },
    );
  });

  it("keeps names, and drops contents", () => {
    const redactor = new Redactor(["hunter2hunter2"]);
    const map = { apiVersion: "v1", kind: "ConfigMap", metadata: { name: "settings" }, data: { "app.yaml": "x: 1" } };
    expect(redactor.value(map)).toMatchObject({ metadata: { name: "settings" }, data: { "app.yaml": "[redacted]" } });
    const pod = {
      spec: {
        containers: [
          {
            env: [
              { name: "A", value: "1" },
              { name: "B", valueFrom: {} },
            ],
          },
        ],
      },
    };
    expect(redactor.value(pod)).toEqual({
      spec: {
        containers: [
          {
            env: [
              { name: "A", value: "[redacted]" },
              { name: "B", valueFrom: {} },
            ],
          },
        ],
      },
    });
    expect(redactor.text("level=info namespace=butler-system")).toBe("level=info namespace=butler-system");
  });
});

describe("KnownSecrets", () => {
  it("removes overlapping secrets completely", () => {
    expect(new KnownSecrets(["abcdef", "defghijk"]).remove("-abcdefghijk-abcdef-")).toBe("-[redacted]-[redacted]-");
  });

  it("does not change a text without secrets", () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(new KnownSecrets(["a-secret-that-is-nowhere-0815"]).remove(text)).toBe(text);
      }),
    );
  });

  it("treats the credentials of a kubeconfig as secrets, but not its other words", () => {
    const kubeconfig = "apiVersion: v1\nkind: Config\nusers:\n- user:\n    token: abcdefghijklmnop1234\n";
    const known = new KnownSecrets([kubeconfig]);
    expect(known.remove("apiVersion: v1 abcdefghijklmnop1234")).toBe("apiVersion: v1 [redacted]");
  });

  it("does not treat user names and certificates as secrets", () => {
    const data = { username: encode("administrator"), "ca.crt": encode("certificate"), password: encode("swordfish") };
    expect(secretValuesIn(data)).toEqual(["swordfish"]);
  });
});
