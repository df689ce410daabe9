import { InvalidInput } from "@butler/std";

/** Which values of a document are wanted, and how much of it is accepted. */
export interface PickOptions {
  /** Paths of wanted values, with dots between keys. None may lie inside another. */
  readonly wanted: readonly string[];
  /** The value after which nothing more is needed; the rest of the document is then neither read nor checked. */
  readonly last?: string | undefined;
  /** Size of all wanted values together, in bytes. */
  readonly maximumBytes: number;
}

/** How deep maps and lists may be nested. */
const deepestNesting = 200;
/** No wanted key is longer; of a longer one, only the beginning is kept. */
const longestKey = 256;

const [quote, backslash, comma, colon] = [0x22, 0x5c, 0x2c, 0x3a];
const [openMap, closeMap, openList, closeList] = [0x7b, 0x7d, 0x5b, 0x5d];

/** An open map or list. */
interface Level {
  readonly isMap: boolean;
  /** The path to it; undefined when nothing wanted is in it. */
  readonly path: string | undefined;
}

type Place = "value" | "first value" | "key" | "first key" | "colon" | "end of value" | "end";

/**
 * Picks values out of a JSON document that arrives in pieces. Nothing else of the document is kept, so that its memory
 * depends on what is wanted and not on what was sent.
 */
export class JsonPicker {
  readonly #options: PickOptions;
  readonly #wanted: ReadonlySet<string>;
  readonly #prefixes: ReadonlySet<string>;
  readonly #levels: Level[] = [];
  readonly #found = new Map<string, unknown>();
  #place: Place = "value";
  #token: "string" | "scalar" | undefined;
  #isEscaped = false;
  #key: number[] = [];
  #isKey = false;
  /** The path of the value that comes next, or is being read; undefined when it is not wanted. */
  #path: string | undefined = "";
  #taken: { readonly path: string; readonly depth: number; readonly pieces: Buffer[]; from: number } | undefined;
  #takenBytes = 0;

  constructor(options: PickOptions) {
    this.#options = options;
    this.#wanted = new Set(options.wanted);
    this.#prefixes = new Set(options.wanted.flatMap(prefixesOf));
  }

  /** Whether nothing more is needed. */
  get isDone(): boolean {
    return this.#place === "end" || (this.#options.last !== undefined && this.#found.has(this.#options.last));
  }

  /** Reads the next piece. */
  write(piece: Buffer): void {
    if (this.#taken !== undefined) this.#taken.from = 0;
    for (let at = 0; at < piece.length && !this.isDone; at++) at = this.#step(piece, at);
    if (this.#taken !== undefined) this.#keep(piece, piece.length);
  }

  /** The wanted values, by path. Throws when the document was not complete. */
  end(): ReadonlyMap<string, unknown> {
    if (!this.isDone) throw invalid("it is not JSON");
    return this.#found;
  }

  /** Handles the byte at a position; returns the last position that it has handled. */
  #step(piece: Buffer, at: number): number {
    if (this.#token === "string") return this.#readString(piece, at);
    const byte = piece[at] ?? 0;
    if (this.#token === "scalar") {
      if (isScalarByte(byte)) return at;
      this.#token = undefined;
      this.#endValue(piece, at);
      if (this.isDone) return at;
    }
    if (!isSpace(byte)) this.#readStructure(piece, at, byte);
    return at;
  }

  #readString(piece: Buffer, start: number): number {
    for (let at = start; at < piece.length; at++) {
      const byte = piece[at] ?? 0;
      if (this.#isKey && this.#key.length < longestKey) this.#key.push(byte);
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === backslash) this.#isEscaped = true;
      else if (byte === quote) {
        this.#endString(piece, at);
        return at;
      }
    }
    return piece.length - 1;
  }

  #endString(piece: Buffer, at: number): void {
    this.#token = undefined;
    if (!this.#isKey) return this.#endValue(piece, at + 1);
    this.#isKey = false;
    this.#path = this.#pathOf(keyOf(this.#key));
    this.#place = "colon";
  }

  #pathOf(key: string): string | undefined {
    const path = this.#levels.at(-1)?.path;
    if (path === undefined) return undefined;
    const full = path === "" ? key : `${path}.${key}`;
    return this.#wanted.has(full) || this.#prefixes.has(full) ? full : undefined;
  }

  #readStructure(piece: Buffer, at: number, byte: number): void {
    switch (this.#place) {
      case "colon":
        if (byte !== colon) throw invalid("it is not JSON");
        this.#place = "value";
        return;
      case "key":
      case "first key":
        if (byte === closeMap && this.#place === "first key") return this.#close(piece, at, true);
        if (byte !== quote) throw invalid("it is not JSON");
        this.#key = [];
        this.#isKey = true;
        this.#token = "string";
        return;
      case "end of value":
        return this.#readAfterValue(piece, at, byte);
      default:
        if (byte === closeList && this.#place === "first value") return this.#close(piece, at, false);
        this.#beginValue(at, byte);
    }
  }

  #readAfterValue(piece: Buffer, at: number, byte: number): void {
    const isMap = this.#levels.at(-1)?.isMap === true;
    if (byte === comma) {
      this.#place = isMap ? "key" : "value";
      if (!isMap) this.#path = undefined;
    } else if (byte === closeMap || byte === closeList) this.#close(piece, at, byte === closeMap);
    else throw invalid("it is not JSON");
  }

  #beginValue(at: number, byte: number): void {
    const isOpening = byte === openMap || byte === openList;
    if (this.#levels.length === 0 && byte !== openMap) throw invalid("it is not an object");
    const isTaken = this.#taken !== undefined;
    if (!isTaken && this.#path !== undefined && this.#wanted.has(this.#path)) {
      this.#taken = { path: this.#path, depth: this.#levels.length, pieces: [], from: at };
    }
    if (isOpening) return this.#open(byte === openMap);
    this.#token = byte === quote ? "string" : "scalar";
    this.#isKey = false;
    if (byte !== quote && !isScalarByte(byte)) throw invalid("it is not JSON");
  }

  #open(isMap: boolean): void {
    if (this.#levels.length >= deepestNesting) throw invalid(`it is nested more than ${deepestNesting} levels deep`);
    const isTaken = this.#taken !== undefined;
    this.#levels.push({ isMap, path: isTaken || !isMap ? undefined : this.#path });
    this.#place = isMap ? "first key" : "first value";
    this.#path = undefined;
  }

  #close(piece: Buffer, at: number, isMap: boolean): void {
    const level = this.#levels.pop();
    if (level?.isMap !== isMap) throw invalid("it is not JSON");
    this.#endValue(piece, at + 1);
  }

  /** A value ends before this position. */
  #endValue(piece: Buffer, end: number): void {
    this.#place = this.#levels.length === 0 ? "end" : "end of value";
    const taken = this.#taken;
    if (taken === undefined || taken.depth !== this.#levels.length) return;
    this.#keep(piece, end);
    this.#taken = undefined;
    try {
      this.#found.set(taken.path, JSON.parse(Buffer.concat(taken.pieces).toString("utf8")));
    } catch {
      throw invalid("it is not JSON");
    }
  }

  #keep(piece: Buffer, end: number): void {
    const taken = this.#taken;
    if (taken === undefined) return;
    const part = piece.subarray(taken.from, end);
    this.#takenBytes += part.length;
    if (this.#takenBytes > this.#options.maximumBytes) throw invalid("it is too large");
    taken.pieces.push(Buffer.from(part));
  }
}

/** The paths that lead to a path, and the empty one. */
function prefixesOf(path: string): string[] {
  const keys = path.split(".");
  return keys.map((_key, at) => keys.slice(0, at).join("."));
}

/** The bytes of a key include its closing quote. A key with a dot is none of the wanted ones. */
function keyOf(bytes: readonly number[]): string {
  try {
    const key: unknown = JSON.parse(`"${Buffer.from(bytes).toString("utf8")}`);
    return typeof key === "string" && !key.includes(".") ? key : "\u0000";
  } catch {
    return "\u0000";
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

/** Letters, digits and signs of numbers, true, false and null. */
function isScalarByte(byte: number): boolean {
  return (
    (byte >= 0x30 && byte <= 0x39) ||
    (byte >= 0x61 && byte <= 0x7a) ||
    byte === 0x2d ||
    byte === 0x2b ||
    byte === 0x2e ||
    byte === 0x45
  );
}

function invalid(why: string): InvalidInput {
  return new InvalidInput(`cannot read the release: ${why}`, {
    hint: "Inspect it with Helm: helm history RELEASE -n NAMESPACE",
  });
}
