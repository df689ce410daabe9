import { Truncated } from "./byte-cursor.ts";
import { serverNameOf, type ServerNameFault } from "./server-name.ts";

/** Why a connection has no server name to route by. */
export type HelloFault = ServerNameFault | "not-tls" | "hello-too-long";

/** The state of a connection. Once it is not `incomplete` it is final. */
export type HelloState =
  | { readonly kind: "incomplete" }
  | { readonly kind: "complete"; readonly serverName: string }
  | { readonly kind: "refused"; readonly reason: HelloFault };

/** No real client sends a ClientHello nearly as long; one that does is trying to exhaust memory. */
export const longestHello = 16 * 1024;

const handshakeRecord = 22;
const tlsMajorVersion = 3;
const recordHeaderLength = 5;
const longestRecord = 2 ** 14;
const clientHelloMessage = 1;
const messageHeaderLength = 4;

const incomplete: HelloState = { kind: "incomplete" };
const refused = (reason: HelloFault): HelloState => ({ kind: "refused", reason });

/**
 * Reads the ClientHello at the beginning of a TLS connection from however many pieces it comes in: packets may be cut
 * anywhere, and the message may be spread over several records. Looks at every byte once, does no input or output, never
 * throws, and what it finds depends on the bytes alone and not on how they were cut.
 */
export class ClientHelloReader {
  readonly #header = Buffer.alloc(recordHeaderLength);
  #headerLength = 0;
  #recordLeft = 0;
  #message = Buffer.alloc(512);
  #messageLength = 0;
  #seen = 0;
  #state: HelloState = incomplete;

  /** Processes the next bytes and returns the state. */
  push(chunk: Buffer): HelloState {
    const usable = chunk.subarray(0, longestHello - this.#seen);
    this.#seen += usable.length;
    for (let at = 0; at < usable.length && this.#state === incomplete;) {
      at += this.#recordLeft === 0 ? this.#readHeader(usable, at) : this.#readRecord(usable, at);
    }
    if (this.#state === incomplete && this.#seen >= longestHello) this.#state = refused("hello-too-long");
    return this.#state;
  }

  /** Consumes bytes of a record header and returns their number. */
  #readHeader(chunk: Buffer, at: number): number {
    const taken = chunk.copy(this.#header, this.#headerLength, at);
    this.#headerLength += taken;
    const [type, majorVersion] = this.#header;
    // Rejected at the first wrong byte, so that a client of another protocol need not wait for the timeout.
    const isTls = type === handshakeRecord && (this.#headerLength < 2 || majorVersion === tlsMajorVersion);
    if (!isTls) this.#state = refused(this.#messageLength === 0 ? "not-tls" : "malformed-hello");
    else if (this.#headerLength === recordHeaderLength) this.#beginRecord(this.#header.readUInt16BE(3));
    return taken;
  }

  #beginRecord(length: number): void {
    this.#headerLength = 0;
    this.#recordLeft = length;
    if (length === 0 || length > longestRecord) this.#state = refused("malformed-hello");
  }

  /** Consumes bytes of a record body and returns their number. */
  #readRecord(chunk: Buffer, at: number): number {
    const taken = Math.min(this.#recordLeft, chunk.length - at);
    this.#makeRoom(taken);
    chunk.copy(this.#message, this.#messageLength, at, at + taken);
    this.#messageLength += taken;
    this.#recordLeft -= taken;
    this.#readMessage();
    return taken;
  }

  #makeRoom(more: number): void {
    const needed = this.#messageLength + more;
    if (needed <= this.#message.length) return;
    const larger = Buffer.alloc(Math.max(needed, 2 * this.#message.length));
    this.#message.copy(larger, 0, 0, this.#messageLength);
    this.#message = larger;
  }

  #readMessage(): void {
    if (this.#message[0] !== clientHelloMessage) this.#state = refused("malformed-hello");
    if (this.#state !== incomplete || this.#messageLength < messageHeaderLength) return;
    const end = messageHeaderLength + this.#message.readUIntBE(1, 3);
    if (end > longestHello) this.#state = refused("hello-too-long");
    else if (this.#messageLength >= end) this.#state = readBody(this.#message.subarray(messageHeaderLength, end));
  }
}

function readBody(body: Buffer): HelloState {
  try {
    const found = serverNameOf(body);
    return found.kind === "name" ? { kind: "complete", serverName: found.name } : refused(found.reason);
  } catch (error) {
    if (error instanceof Truncated) return refused("malformed-hello");
    throw error;
  }
}
