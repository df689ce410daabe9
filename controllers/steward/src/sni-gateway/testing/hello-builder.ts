/** The parts of a ClientHello that a test sets; the rest is minimal. */
export interface HelloTraits {
  /** Entries of the server-name extension: type and name. Undefined omits the extension. */
  readonly names?: readonly (readonly [type: number, name: string | Buffer])[] | undefined;
  readonly cipherSuites?: readonly number[];
  readonly sessionId?: Buffer;
  readonly compressions?: Buffer;
  /** Extensions before the server name. */
  readonly before?: readonly (readonly [type: number, data: Buffer])[];
  /** Extensions after the server name. */
  readonly after?: readonly (readonly [type: number, data: Buffer])[];
  /** Omits the extension block, as very old clients did. */
  readonly hasNoExtensions?: boolean;
  /** Bytes after the extension block. */
  readonly trailer?: Buffer;
}

/** Values that clients send to verify that servers ignore unknown ones (RFC 8701). */
export const greaseValues: readonly number[] = Array.from({ length: 16 }, (_, at) => at * 0x1010 + 0x0a0a);

const uint16 = (value: number): Buffer => Buffer.from([value >> 8, value & 0xff]);
const vector8 = (data: Buffer): Buffer => Buffer.concat([Buffer.from([data.length]), data]);
const vector16 = (data: Buffer): Buffer => Buffer.concat([uint16(data.length), data]);

/** The content of the server-name extension. */
export function serverNameList(names: NonNullable<HelloTraits["names"]>): Buffer {
  const entries = names.map(([type, name]) => Buffer.concat([Buffer.from([type]), vector16(Buffer.from(name))]));
  return vector16(Buffer.concat(entries));
}

/** A ClientHello message without record headers. */
export function helloMessage(traits: HelloTraits = {}): Buffer {
  const { names = [[0, "blue.example.com"]], cipherSuites = [0x1301], before = [], after = [] } = traits;
  const own = names.length === 0 ? [] : ([[0, serverNameList(names)]] as const);
  const extensions = [...before, ...own, ...after].map(([type, data]) => Buffer.concat([uint16(type), vector16(data)]));
  const body = Buffer.concat([
    uint16(0x0303),
    Buffer.alloc(32, 7),
    vector8(traits.sessionId ?? Buffer.alloc(32, 9)),
    vector16(Buffer.concat(cipherSuites.map(uint16))),
    vector8(traits.compressions ?? Buffer.from([0])),
    ...(traits.hasNoExtensions ? [] : [vector16(Buffer.concat(extensions))]),
    traits.trailer ?? Buffer.alloc(0),
  ]);
  return Buffer.concat([Buffer.from([1, 0]), uint16(body.length), body]);
}

/** Splits a message into records of at most that many bytes. */
export function inRecords(message: Buffer, longest = 16_384, version = 0x0301): Buffer {
  const records: Buffer[] = [];
  for (let at = 0; at < message.length; at += longest) {
    records.push(Buffer.from([22]), uint16(version), vector16(message.subarray(at, at + longest)));
  }
  return Buffer.concat(records);
}
