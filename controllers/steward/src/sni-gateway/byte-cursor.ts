/** Thrown when a message ends before the field that it announced. Never leaves this folder. */
export class Truncated extends Error {}

/** Reads a message of a binary protocol from front to back. */
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
    if (end > this.#bytes.length) throw new Truncated("a field reaches beyond the end of its message");
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

  /** A field that has its length in front of it, in one byte or two. */
  vector(lengthBytes: 1 | 2): Buffer {
    return this.take(lengthBytes === 1 ? this.uint8() : this.uint16());
  }
}
