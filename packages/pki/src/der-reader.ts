import { InvalidInput } from "@butler/std";

/** One DER value: its tag, its content, and its complete encoding. */
export interface DerElement {
  readonly tag: number;
  readonly content: Buffer;
  readonly raw: Buffer;
}

/** The tags of the values that certificates and requests are made of. */
export const derTags = {
  boolean: 0x01,
  integer: 0x02,
  bitString: 0x03,
  octetString: 0x04,
  null: 0x05,
  objectIdentifier: 0x06,
  utf8String: 0x0c,
  numericString: 0x12,
  printableString: 0x13,
  teletexString: 0x14,
  ia5String: 0x16,
  utcTime: 0x17,
  generalizedTime: 0x18,
  bmpString: 0x1e,
  sequence: 0x30,
  set: 0x31,
} as const;

/**
 * Reads values that follow one another. Only the strict form is accepted, so that no other reader interprets the bytes
 * differently.
 */
export function readElements(bytes: Buffer): DerElement[] {
  const elements: DerElement[] = [];
  for (let offset = 0; offset < bytes.length;) {
    const element = readElementAt(bytes, offset);
    elements.push(element);
    offset += element.raw.length;
  }
  return elements;
}

/** Reads exactly one value with a given tag. */
export function readSingle(bytes: Buffer, tag: number): DerElement {
  const element = readElementAt(bytes, 0);
  if (element.raw.length !== bytes.length) throw new InvalidInput("unexpected data after the end of a value");
  return expectTag(element, tag);
}

/** The values inside a value with a given tag. */
export function childrenOf(element: DerElement | undefined, tag: number): DerElement[] {
  return readElements(expectTag(element, tag).content);
}

/** The same value, checked for existence and tag. */
export function expectTag(element: DerElement | undefined, tag: number): DerElement {
  if (element?.tag === tag) return element;
  const found = element === undefined ? "nothing" : `tag ${element.tag}`;
  throw new InvalidInput(`expected a value with tag ${tag}, found ${found}`);
}

/** An object identifier as numbers with dots. */
export function readObjectIdentifier(element: DerElement | undefined): string {
  const { content } = expectTag(element, derTags.objectIdentifier);
  const parts: bigint[] = [];
  let part = 0n;
  for (const byte of content) {
    part = (part << 7n) | BigInt(byte & 0x7f);
    if (byte >= 0x80) continue;
    parts.push(part);
    part = 0n;
  }
  const [first] = parts;
  if (first === undefined || (content.at(-1) ?? 0x80) >= 0x80 || content.length > 64) {
    throw new InvalidInput("malformed object identifier");
  }
  // The first number holds two: the first is at most 2, and below 2 the second is less than 40.
  const root = first < 80n ? first / 40n : 2n;
  return [root, first - root * 40n, ...parts.slice(1)].join(".");
}

/** The bytes of a bit string that has whole bytes only, as keys and signatures have. */
export function readBitString(element: DerElement | undefined): Buffer {
  const { content } = expectTag(element, derTags.bitString);
  if (content[0] !== 0) throw new InvalidInput("a bit string is not a whole number of bytes");
  return content.subarray(1);
}

/** Text, whatever its encoding. Invisible control characters are rejected: they make a name look like another one. */
export function readText(element: DerElement): string {
  return refuseControlCharacters(decodeText(element));
}

/** ASCII text, as required for alternative names. */
export function readAscii(content: Buffer): string {
  if (content.some((byte) => byte >= 0x80)) throw new InvalidInput("a name has a non-ASCII character");
  return refuseControlCharacters(content.toString("latin1"));
}

function decodeText(element: DerElement): string {
  switch (element.tag) {
    case derTags.utf8String:
      return decodeWith("utf-8", element.content);
    case derTags.bmpString:
      return decodeWith("utf-16be", element.content);
    case derTags.numericString:
    case derTags.printableString:
    case derTags.teletexString:
    case derTags.ia5String:
      return readAscii(element.content);
    default:
      throw new InvalidInput(`a value with tag ${element.tag} is not text`);
  }
}

function decodeWith(encoding: "utf-8" | "utf-16be", content: Buffer): string {
  try {
    return new TextDecoder(encoding, { fatal: true, ignoreBOM: true }).decode(content);
  } catch (error) {
    throw new InvalidInput(`a name is not valid ${encoding}`, { cause: error });
  }
}

function refuseControlCharacters(text: string): string {
  if (/\p{Cc}/u.test(text)) throw new InvalidInput(`the name ${JSON.stringify(text)} has a control character`);
  return text;
}

function readElementAt(bytes: Buffer, offset: number): DerElement {
  const [tag, lengthByte] = [bytes[offset], bytes[offset + 1]];
  if (tag === undefined || lengthByte === undefined) throw new InvalidInput("unexpected end of data");
  if ((tag & 0x1f) === 0x1f) throw new InvalidInput("multi-byte tags are not supported");
  const lengthBytes = lengthByte < 0x80 ? 0 : lengthByte & 0x7f;
  const start = offset + 2 + lengthBytes;
  const length = lengthBytes === 0 ? lengthByte : readLength(bytes.subarray(offset + 2, start), lengthBytes);
  const end = start + length;
  if (end > bytes.length) throw new InvalidInput("unexpected end of data");
  return { tag, content: bytes.subarray(start, end), raw: bytes.subarray(offset, end) };
}

/** Rejects indefinite, non-minimal or longer than four-byte lengths: each value has only one encoding. */
function readLength(bytes: Buffer, count: number): number {
  if (count > 4 || bytes.length < count) throw new InvalidInput("malformed length");
  const length = bytes.readUIntBE(0, count);
  if (length < 0x80 || bytes[0] === 0) throw new InvalidInput("a length is not encoded in the fewest bytes");
  return length;
}
