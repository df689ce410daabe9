import { InvalidInput } from "@butler/std";
import fc from "fast-check";
import { createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readCertificateRequest } from "./certificate-request-facts.ts";
import { derTags } from "./der-reader.ts";
import { element, integer, objectIdentifier, sequence, utf8String } from "./der-writer.ts";
import type { ExtensionToWrite } from "./extensions.ts";
import { pemOf } from "./keys.ts";
import { identifiers } from "./object-identifiers.ts";
import { requestBytes, type RequestParts, requestPem } from "./testing/request-builder.ts";

const read = (parts: Partial<RequestParts>): ReturnType<typeof readCertificateRequest> =>
  readCertificateRequest(requestPem(requestBytes(parts)));

const commonName = (name: string): readonly [string, Buffer] => [identifiers.commonName, utf8String(name)];
const organization = (name: string): readonly [string, Buffer] => [identifiers.organization, utf8String(name)];
const ascii = (tag: number, text: string): Buffer => element(tag, Buffer.from(text, "latin1"));
const alternativeNames = (...names: readonly Buffer[]): ExtensionToWrite => ({
  identifier: identifiers.subjectAlternativeName,
  content: sequence(...names),
});
const wantsToSign: ExtensionToWrite = {
  identifier: identifiers.basicConstraints,
  content: sequence(element(derTags.boolean, Buffer.from([0xff]))),
  isCritical: true,
};
const aNode = {
  subject: [organization("system:nodes"), commonName("system:node:a")],
  extensionLists: [
    [
      alternativeNames(
        ascii(0x82, "a.example"),
        element(0x87, Buffer.from([192, 0, 2, 1])),
        element(0x87, Buffer.alloc(16)),
      ),
    ],
  ],
} satisfies Partial<RequestParts>;

describe("readCertificateRequest", () => {
  it("reads the request of a node", () => {
    const { privateKey: key } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    expect(read({ ...aNode, key })).toEqual({
      commonName: "system:node:a",
      organizations: ["system:nodes"],
      otherSubjectFields: [],
      dnsNames: ["a.example"],
      ipAddresses: ["192.0.2.1", "::"],
      emailAddresses: [],
      uris: [],
      otherNames: 0,
      otherExtensions: [],
      publicKey: pemOf(createPublicKey(key)),
    });
  });

  it("reads one without names", () => {
    expect(read({})).toMatchObject({ commonName: "", organizations: [], dnsNames: [], otherExtensions: [] });
  });

  it("lists unexpected content for an approver", () => {
    const names = [
      ascii(0x81, "a@example.com"),
      ascii(0x86, "spiffe://a/b"),
      element(0xa4, sequence()),
      ascii(0x88, "*"),
    ];
    const subject = [...aNode.subject, ["2.5.4.11", utf8String("a unit")] as const];
    const extensionLists = [[alternativeNames(...names), wantsToSign, { ...wantsToSign, identifier: "1.2.3.4.5" }]];
    expect(read({ subject, extensionLists })).toMatchObject({
      commonName: "system:node:a",
      otherSubjectFields: ["2.5.4.11"],
      emailAddresses: ["a@example.com"],
      uris: ["spiffe://a/b"],
      otherNames: 2,
      otherExtensions: [identifiers.basicConstraints, "1.2.3.4.5"],
    });
  });

  it.each<[string, () => KeyObject]>([
    ["P-384", () => generateKeyPairSync("ec", { namedCurve: "P-384" }).privateKey],
    ["P-521", () => generateKeyPairSync("ec", { namedCurve: "P-521" }).privateKey],
    ["RSA", () => generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey],
    ["Ed25519", () => generateKeyPairSync("ed25519").privateKey],
  ])("accepts a key of kind %s", (_, makeKey) => {
    const key = makeKey();
    expect(read({ ...aNode, key }).publicKey).toBe(pemOf(createPublicKey(key)));
  });

  it.each<[string, Partial<RequestParts>]>([
    ["a NUL in the common name", { subject: [commonName("system:node:a\0.evil")] }],
    ["a NUL in an organization", { subject: [organization("system:nodes\0")] }],
    ["two common names", { subject: [commonName("system:node:a"), commonName("system:node:b")] }],
    ["a name that is not text", { subject: [[identifiers.commonName, integer(Buffer.from([1]))]] }],
    ["a NUL in a DNS name", { extensionLists: [[alternativeNames(ascii(0x82, "a.example\0.evil"))]] }],
    ["a DNS name beyond ASCII", { extensionLists: [[alternativeNames(ascii(0x82, "größe"))]] }],
    ["a line break in an email address", { extensionLists: [[alternativeNames(ascii(0x81, "a@b\nc"))]] }],
    ["a NUL in a URI", { extensionLists: [[alternativeNames(ascii(0x86, "https://a\0b"))]] }],
    ["an address of five bytes", { extensionLists: [[alternativeNames(element(0x87, Buffer.alloc(5)))]] }],
    ["two lists of names", { extensionLists: [[alternativeNames(), alternativeNames()]] }],
    ["two lists of extensions", { extensionLists: [[alternativeNames()], [wantsToSign]] }],
    ["names that are not a list", { extensionLists: [[{ ...alternativeNames(), content: Buffer.from("rubbish") }]] }],
    [
      "trailing data after the names",
      { extensionLists: [[{ ...alternativeNames(), content: Buffer.from("30000500", "hex") }]] },
    ],
    ["a signature of another key", { signer: generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey }],
    ["a signature of another type", { signer: generateKeyPairSync("ed25519").privateKey }],
    ["a short RSA key", { key: generateKeyPairSync("rsa", { modulusLength: 1024 }).privateKey }],
  ])("refuses %s", (_, bad) => {
    expect(() => read({ ...aNode, ...bad })).toThrow(InvalidInput);
  });

  it("rejects a key on an unsupported curve", () => {
    const key = generateKeyPairSync("ec", { namedCurve: "secp256k1" }).privateKey;
    const info = sequence(
      integer(Buffer.from([0])),
      sequence(),
      createPublicKey(key).export({ type: "spki", format: "der" }),
      element(0xa0),
    );
    const bytes = sequence(
      info,
      sequence(objectIdentifier("1.2.840.10045.4.3.2")),
      element(derTags.bitString, Buffer.alloc(9)),
    );
    expect(() => readCertificateRequest(requestPem(bytes))).toThrow(/secp256k1/);
  });

  const good = requestPem(requestBytes(aNode));
  it.each([
    ["nothing", ""],
    ["rubbish", "rubbish"],
    ["no content", requestPem(Buffer.alloc(0))],
    ["the form of a certificate", good.replaceAll("CERTIFICATE REQUEST", "CERTIFICATE")],
    ["two at once", `${good}${good}`],
    ["a note before it", `note\n${good}`],
    ["headers inside", good.replace("REQUEST-----\n", "REQUEST-----\nProc-Type: 4,ENCRYPTED\n\n")],
    ["a truncated request", good.slice(0, -10)],
    ["trailing bytes", requestPem(Buffer.concat([requestBytes(aNode), Buffer.from([5, 0])]))],
    ["a megabyte", requestPem(Buffer.alloc(1_000_000, 0x30))],
    ["spaces without end", " ".repeat(10_000_000)],
    [
      "very many nested values",
      requestPem(Buffer.concat(Array.from({ length: 10_000 }, () => Buffer.from([0x30, 0x80])))),
    ],
  ])("refuses %s", (_, pem) => {
    expect(() => readCertificateRequest(pem)).toThrow(InvalidInput);
  });

  it("accepts either line ending and surrounding whitespace", () => {
    expect(readCertificateRequest(`\n${good.replaceAll("\n", "\r\n")}\n\n`)).toEqual(readCertificateRequest(good));
  });

  it("rejects a request with any flipped bit", () => {
    const raw = requestBytes(aNode);
    for (let index = 0; index < 8 * raw.length; index += 1) {
      const changed = Buffer.from(raw);
      changed.writeUInt8(changed.readUInt8(index >> 3) ^ (1 << (index & 7)), index >> 3);
      expect(() => readCertificateRequest(requestPem(changed)), `bit ${index}`).toThrow(InvalidInput);
    }
  });

  it("rejects all other bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 500 }), (bytes) => {
        expect(() => readCertificateRequest(requestPem(Buffer.from(bytes)))).toThrow(InvalidInput);
      }),
    );
  });
});
