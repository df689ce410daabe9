import { InvalidInput } from "@butler/std";
import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify } from "node:crypto";
import { readFile } from "node:fs/promises";
import { describe, expect, it } from "vitest";
import { generateKey, type KeyAlgorithm, pemOf, readPrivateKey, signatureSchemeOf } from "./keys.ts";
import { createSigningKey, signingKeyFrom } from "./signing-key.ts";

describe("createSigningKey", () => {
  it.each<[KeyAlgorithm | undefined, object]>([
    [undefined, { namedCurve: "prime256v1" }],
    ["ECDSA-P256", { namedCurve: "prime256v1" }],
    ["ECDSA-P384", { namedCurve: "secp384r1" }],
    ["RSA-2048", { modulusLength: 2048, publicExponent: 65_537n }],
    ["RSA-4096", { modulusLength: 4096, publicExponent: 65_537n }],
  ])("creates a key of kind %s that signs and can be completed from its private half", async (algorithm, details) => {
    const key = await createSigningKey(algorithm);
    expect(createPrivateKey(key.privateKey).asymmetricKeyDetails).toEqual(details);
    expect(signingKeyFrom(key.privateKey)).toEqual(key);
    const signature = sign("sha256", Buffer.from("token"), key.privateKey);
    expect(verify("sha256", Buffer.from("token"), key.publicKey, signature)).toBe(true);
  });

  it("never creates the same key twice", async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => createSigningKey()));
    expect(new Set(keys.map(({ privateKey }) => privateKey)).size).toBe(20);
  });
});

describe("generateKey", () => {
  it("does not block the event loop and the file system while it generates many RSA keys", async () => {
    const happened: ("key" | "tick" | "file")[] = [];
    let isDone = false;
    const tick = (): void => {
      happened.push("tick");
      if (!isDone) setImmediate(tick);
    };
    const keys = Array.from({ length: 20 }, async () => {
      await generateKey("RSA-2048");
      happened.push("key");
    });
    setImmediate(tick);
    const file = readFile(new URL(import.meta.url)).then(() => happened.push("file"));
    expect(happened).toEqual([]);
    await Promise.all([...keys, file]);
    isDone = true;

    const keysBefore = (index: number): number => happened.slice(0, index).filter((event) => event === "key").length;
    const ticksDuringKeys = happened.slice(0, happened.lastIndexOf("key")).filter((event) => event === "tick").length;
    // A loop that waits for keys turns at most once for each of them.
    expect(ticksDuringKeys).toBeGreaterThan(200);
    expect(keysBefore(happened.indexOf("tick"))).toBe(0);
    // A file read that waits for threads behind all key generations completes only when most of them have.
    expect(keysBefore(happened.indexOf("file"))).toBeLessThan(10);
  });
});

describe("signatureSchemeOf", () => {
  it.each([
    ["secp256k1", generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey],
    ["x25519", generateKeyPairSync("x25519").privateKey],
    ["RSA for another padding", generateKeyPairSync("rsa-pss", { modulusLength: 2048 }).privateKey],
  ])("refuses %s", (_, key) => {
    expect(() => signatureSchemeOf(key)).toThrow(InvalidInput);
  });
});

describe("readPrivateKey", () => {
  const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });

  it("reads the older forms too", () => {
    const old = privateKey.export({ type: "sec1", format: "pem" }).toString();
    expect(pemOf(createPublicKey(readPrivateKey(old)))).toBe(pemOf(createPublicKey(privateKey)));
  });

  it.each([
    ["nothing", ""],
    ["rubbish", "-----BEGIN PRIVATE KEY-----\nsecret\n-----END PRIVATE KEY-----\n"],
    ["a public key", pemOf(createPublicKey(privateKey))],
    [
      "a locked key",
      privateKey.export({ type: "pkcs8", format: "pem", cipher: "aes-256-cbc", passphrase: "p" }).toString(),
    ],
  ])("rejects %s and does not leak it", (_, pem) => {
    expect(() => readPrivateKey(pem)).toThrow(InvalidInput);
    expect(() => readPrivateKey(pem)).not.toThrow(/secret|BEGIN/);
  });
});
