/** Thrown when a message is truncated. Never leaves this directory. */
export class Truncated extends Error {}

/** Reads a binary message sequentially. */
export class ByteCursor {
  readonly #bytes: Buffer;
  #at = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#bytes.length;
  }

  /** The next bytes, not copied. */
  take(length: number): Buffer {
    const end = this.#at + length;
    if (end > this.#bytes.length) throw new Truncated("a field extends past the end of the message");
    const taken = this.#bytes.subarray(this.#at, end);
    this.#at = end;
    return taken;
  }

  uint8(): number {
    return this.take(1).readUInt8();
  }

  uint16(): number {
    return this.take(2).readUInt16BE();
  }

  /** A field with a length prefix of one or two bytes. */
  vector(lengthBytes: 1 | 2): Buffer {
    return this.take(lengthBytes === 1 ? this.uint8() : this.uint16());
  }
}
