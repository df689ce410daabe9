import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { redact, redacted, redactText } from "./redact.ts";

const jwt = "eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJibHVlIn0.c2lnbmF0dXJl";
const pem = ["-----BEGIN EC PRIVATE KEY-----", "MHcCAQEEIGJsdWU=", "-----END EC PRIVATE KEY-----"].join("\n");

describe("redact", () => {
  it("hides the data of a Secret and keeps its keys, name and labels", () => {
    const secret = {
      apiVersion: "v1",
      kind: "Secret",
      metadata: { name: "admin", namespace: "payments", labels: { team: "payments" } },
      type: "Opaque",
      data: { user: "YWRtaW4=", pin: "MTIzNA==" },
      stringData: { extra: "plain" },
    };
    expect(redact(secret)).toEqual({
      ...secret,
      data: { user: redacted, pin: redacted },
      stringData: { extra: redacted },
    });
  });

  it("hides the data of Secrets in a list, whose items do not name their kind", () => {
    const list = { kind: "SecretList", items: [{ metadata: { name: "admin" }, data: { pin: "MTIzNA==" } }] };
    expect(redact(list)).toMatchObject({ items: [{ metadata: { name: "admin" }, data: { pin: redacted } }] });
  });

  it("hides the copy of the whole object that kubectl keeps in an annotation", () => {
    const annotation = "kubectl.kubernetes.io/last-applied-configuration";
    const secret = {
      kind: "Secret",
      metadata: { name: "a", annotations: { [annotation]: '{"data":{"pin":"MTIzNA=="}}' } },
    };
    expect(redact(secret)).toMatchObject({ metadata: { annotations: { [annotation]: redacted } } });
  });

  it("shows the data of a ConfigMap", () => {
    const configMap = { kind: "ConfigMap", metadata: { name: "a" }, data: { colour: "blue" } };
    expect(redact(configMap)).toEqual(configMap);
  });

  it.each([
    "password",
    "Password",
    "adminPassword",
    "app-password",
    "passphrase",
    "token",
    "bearerToken",
    "access_token",
    "refresh-token",
    "secret",
    "client_secret",
    "clientSecret",
    "authorization",
    "Proxy-Authorization",
    "cookie",
    "Set-Cookie",
    "apiKey",
    "x-api-key",
    "privateKey",
    "accessKey",
    "secretAccessKey",
    "kubeconfig",
    "talosconfig",
    "userData",
    "credentials",
  ])("redacts the value of a field named %s", (name) => {
    expect(redact({ [name]: "hunter2" })).toEqual({ [name]: redacted });
    expect(redact({ outer: [{ [name]: 1234 }] })).toEqual({ outer: [{ [name]: redacted }] });
    expect(redact({ [name]: ["hunter2", "hunter3"] })).toEqual({ [name]: [redacted, redacted] });
    expect(redact({ [name]: new TextEncoder().encode("hunter2") })).toEqual({ [name]: redacted });
  });

  it.each([
    { secretRef: { name: "admin", key: "token" } },
    { secret: { name: "admin", namespace: "payments" } },
    { token: { secretRef: { name: "admin" } } },
    { credentialsRef: { name: "nutanix" } },
    { kubeconfigSecretName: "blue-admin" },
    { secretName: "blue-tls" },
    { hasToken: true },
    { password: undefined },
    { tokens: 3, secretKeyNames: ["a", "b"] },
  ])("keeps references to secrets readable: %j", (value) => {
    expect(redact(value)).toEqual(value);
  });

  it.each([null, undefined, true, 7, 7n])("leaves %s as it is", (value) => {
    expect(redact(value)).toBe(value);
  });

  it("does not modify its input", () => {
    const value = { password: "hunter2", list: [{ token: "abc" }] };
    redact(value);
    expect(value).toEqual({ password: "hunter2", list: [{ token: "abc" }] });
  });

  it("writes dates and URLs as text, and bytes as their length", () => {
    const url = new URL("https://admin:hunter2@vault.example/x");
    expect(redact({ at: new Date(0), url, body: new Uint8Array(3) })).toEqual({
      at: "1970-01-01T00:00:00.000Z",
      url: `https://admin:${redacted}@vault.example/x`,
      body: "[3 bytes]",
    });
  });

  it("describes errors wherever they are", () => {
    const error = new Error("log in", { cause: new Error("Bearer abcdefgh.ijk refused") });
    expect(redact({ attempts: [error] })).toEqual({ attempts: [`log in: Bearer ${redacted} refused`] });
  });

  it("handles a value that contains itself", () => {
    const value: Record<string, unknown> = { name: "a" };
    value["self"] = value;
    value["again"] = { shared: value["name"] };
    expect(redact(value)).toEqual({ name: "a", self: "[circular]", again: { shared: "a" } });
  });
});

describe("redactText", () => {
  it.each<[string, string, string]>([
    ["a private key", `key: ${pem} end`, `key: ${redacted} end`],
    ["a private key on one line", pem.replaceAll("\n", " "), redacted],
    ["a private key that was cut off", pem.slice(0, 45), redacted],
    ["a private key in base64", `key: ${Buffer.from(pem).toString("base64")}`, `key: ${redacted}`],
    ["a bearer token", "Authorization: Bearer abcdefgh.ijk", `Authorization: Bearer ${redacted}`],
    ["basic credentials", "authorization: basic YWRtaW46aHVudGVyMg==", `authorization: basic ${redacted}`],
    ["a JSON web token", `got ${jwt}, expected none`, `got ${redacted}, expected none`],
    ["a password in a URL", "get https://me:hunter2@host/x", `get https://me:${redacted}@host/x`],
    ["a password in a URL without a user", "redis://:hunter2@host:6379", `redis://:${redacted}@host:6379`],
    ["a password with an @ in it", "https://me:hun@ter2@host/x", `https://me:${redacted}@host/x`],
    ["two URLs", "a://b:cc@d e://f:gg@h", `a://b:${redacted}@d e://f:${redacted}@h`],
    [
      "a password in a query",
      "POST /login?user=me&password=hunter2&x=1",
      `POST /login?user=me&password=${redacted}&x=1`,
    ],
    ["a token in a query", "/x?access_token=hunter2", `/x?access_token=${redacted}`],
    ["a password in JSON", '{"user":"me","password": "hun\\"ter2"}', `{"user":"me","password": "${redacted}"}`],
  ])("hides %s", (_what, text, expected) => {
    expect(redactText(text)).toBe(expected);
  });

  it.each([
    "",
    "configmaps payments/blue not found",
    "https://host:6443/api/v1/namespaces?limit=5",
    "see https://host:6443/a or write to me@example.com",
    "ssh://git@example.com/team/repository",
    "-----BEGIN CERTIFICATE-----",
    "the token is expired",
    "no password given: ask for one",
    "Secret payments/blue-admin has no key token",
  ])("leaves %j alone", (text) => {
    expect(redactText(text)).toBe(text);
  });

  it("runs in linear time", () => {
    const startedAtMs = performance.now();
    redactText("a".repeat(1_000_000));
    redactText("token".repeat(200_000));
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
  });

  it("is idempotent", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(pem, jwt, "Bearer abcdefgh", "https://a:b@c ", "token=x", " ", "text")),
        (parts) => {
          const once = redactText(parts.join(" "));
          expect(redactText(once)).toBe(once);
        },
      ),
    );
  });
});

describe("a planted secret", () => {
  const secretText = fc.stringMatching(/^[A-Za-z0-9]{24}$/);
  const innocentText = fc.stringMatching(/^[a-z ]{0,12}$/);
  const innocentName = fc.stringMatching(/^f[0-9]{0,3}$/);
  const secretField = fc.constantFrom(
    "password",
    "token",
    "clientSecret",
    "kubeconfig",
    "api_key",
    "Authorization",
    "userData",
  );

  /** The forms in which a secret can come; each hides it somewhere in a value. */
  const disguises: readonly ((secret: string) => fc.Arbitrary<unknown>)[] = [
    (secret) => secretField.map((name) => ({ [name]: secret })),
    (secret) => secretField.map((name) => ({ [name]: [secret, secret] })),
    (secret) => innocentName.map((key) => ({ kind: "Secret", metadata: { name: "a" }, data: { [key]: secret } })),
    (secret) => innocentName.map((key) => ({ kind: "Secret", stringData: { [key]: { inner: secret } } })),
    (secret) => innocentName.map((key) => ({ kind: "SecretList", items: [{ data: { [key]: secret } }] })),
    (secret) => innocentText.map((text) => `${text} Bearer ${secret} ${text}`),
    (secret) => innocentText.map((text) => `${text} postgres://owner:${secret}@database:5432/x ${text}`),
    (secret) =>
      innocentText.map((text) => `${text}-----BEGIN PRIVATE KEY-----\n${secret}\n-----END PRIVATE KEY-----${text}`),
    (secret) => innocentText.map((text) => `${text} eyJ${secret}.${secret}.${secret} ${text}`),
    (secret) => innocentText.map((text) => new Error(text, { cause: new Error(`refresh_token=${secret}`) })),
  ];

  const hiding = (secret: string): fc.Arbitrary<unknown> =>
    fc.letrec<{ value: unknown }>((tie) => ({
      value: fc.oneof(
        { maxDepth: 4, withCrossShrink: true },
        fc.oneof(...disguises.map((disguise) => disguise(secret))),
        innocentText,
        fc.array(tie("value"), { maxLength: 3 }),
        fc.dictionary(innocentName, tie("value"), { maxKeys: 3 }),
      ),
    })).value;

  it("appears nowhere in the output", () => {
    const planted = secretText.chain((secret) => fc.tuple(fc.constant(secret), hiding(secret)));
    fc.assert(
      fc.property(planted, ([secret, value]) => {
        expect(JSON.stringify(redact(value))).not.toContain(secret);
      }),
      { numRuns: 1_000 },
    );
  });
});
