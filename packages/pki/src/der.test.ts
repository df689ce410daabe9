import { InvalidInput } from "@butler/std";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { derTags, readElements, readObjectIdentifier, readSingle, readText } from "./der-reader.ts";
import { element, integer, objectIdentifier, octetString, sequence, time, utf8String } from "./der-writer.ts";

describe("DER", () => {
  it("round-trips values of any length", () => {
    fc.assert(
      fc.property(fc.constantFrom(0, 1, 127, 128, 255, 256, 65_535, 65_536, 70_000), fc.nat(255), (length, byte) => {
        const content = Buffer.alloc(length, byte);
        expect(readSingle(octetString(content), derTags.octetString).content.equals(content)).toBe(true);
      }),
    );
  });

  it("round-trips object identifiers", () => {
    const part = fc.nat(2 ** 31 - 1);
    const roots = fc.oneof(fc.tuple(fc.constantFrom(0, 1), fc.nat(39)), fc.tuple(fc.constant(2), fc.nat(999)));
    fc.assert(
      fc.property(roots, fc.array(part, { maxLength: 8 }), (root, parts) => {
        const text = [...root, ...parts].join(".");
        expect(readObjectIdentifier(readElements(objectIdentifier(text))[0])).toBe(text);
      }),
    );
  });

  it("either reads all bytes or rejects them", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        const input = Buffer.from(bytes);
        try {
          expect(Buffer.concat(readElements(input).map(({ raw }) => raw)).equals(input)).toBe(true);
        } catch (error) {
          expect(error).toBeInstanceOf(InvalidInput);
        }
      }),
      { numRuns: 2_000 },
    );
  });

  it.each([
    ["truncated data", "300500"],
    ["a tag only", "30"],
    ["a length without a number", "3080"],
    ["a non-minimal length", "308101ff"],
    ["a length with a leading zero", "30820080"],
    ["a length of five bytes", "30850000000001"],
    ["a truncated length", "308401"],
    ["a tag of several bytes", "1f8100"],
  ])("refuses %s", (_, hex) => {
    expect(() => readElements(Buffer.from(hex, "hex"))).toThrow(InvalidInput);
  });

  it.each([
    ["nothing", "0600"],
    ["an identifier without an end", "060155".replace("55", "d5")],
    ["an endless one", `0641${"80".repeat(64)}01`],
  ])("refuses %s as an object identifier", (_, hex) => {
    expect(() => readObjectIdentifier(readElements(Buffer.from(hex, "hex"))[0])).toThrow(InvalidInput);
  });

  it("rejects trailing bytes after a single value", () => {
    expect(() => readSingle(Buffer.concat([sequence(), sequence()]), derTags.sequence)).toThrow(InvalidInput);
  });

  it.each([
    ["a high number with a zero before it", integer(Buffer.from([0x80])), "02020080"],
    ["a low number as it is", integer(Buffer.from([0x7f])), "02017f"],
    ["a year that two digits tell", time(new Date("2049-12-31T23:59:59.999Z")), "170d3439313233313233353935395a"],
    ["a later year", time(new Date("2050-01-01T00:00:00Z")), "180f32303530303130313030303030305a"],
  ])("writes %s", (_, bytes, hex) => {
    expect(bytes.toString("hex")).toBe(hex);
  });
});

describe("readText", () => {
  const read = (tag: number, content: Buffer): string => readText({ tag, content, raw: content });

  it.each([
    ["UTF-8", derTags.utf8String, Buffer.from("größe"), "größe"],
    ["16-bit", derTags.bmpString, Buffer.from([0x00, 0x61, 0x20, 0xac]), "a€"],
    ["printable", derTags.printableString, Buffer.from("a b"), "a b"],
    ["an apparent byte-order mark as part of", derTags.utf8String, Buffer.from("\u{FEFF}a"), "\u{FEFF}a"],
  ])("reads %s text", (_, tag, content, text) => {
    expect(read(tag, content)).toBe(text);
  });

  it.each([
    ["a NUL", derTags.utf8String, Buffer.from("system:admin\0.example")],
    ["a line break", derTags.printableString, Buffer.from("a\nb")],
    ["a control character of 16 bits", derTags.bmpString, Buffer.from([0x00, 0x00])],
    ["half a character", derTags.bmpString, Buffer.from([0x00])],
    ["bytes that are not UTF-8", derTags.utf8String, Buffer.from([0xc3])],
    ["a needlessly long form", derTags.utf8String, Buffer.from([0xc0, 0xaf])],
    ["characters beyond ASCII where each reader has its own", derTags.teletexString, Buffer.from([0xe9])],
    ["a value that is not text", derTags.octetString, Buffer.from("a")],
  ])("refuses %s", (_, tag, content) => {
    expect(() => read(tag, content)).toThrow(InvalidInput);
  });

  it("round-trips all text without control characters", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (text) => {
        const [value = expect.fail("nothing was written")] = readElements(utf8String(text));
        if (/\p{Cc}/u.test(text)) expect(() => readText(value)).toThrow(InvalidInput);
        else expect(readText(value)).toBe(text);
      }),
    );
  });

  it("separates nested values from the surrounding ones", () => {
    const inner = element(derTags.set, utf8String("a"));
    expect(readElements(readSingle(sequence(inner, inner), derTags.sequence).content)).toHaveLength(2);
  });
});
