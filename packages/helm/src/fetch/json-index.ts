import { Pacer } from "./pacer.ts";

/** Start and end offsets in the text. */
export type Span = readonly [start: number, end: number];

const [quote, backslash, colon] = [0x22, 0x5c, 0x3a];
const isOpening = (byte: number): boolean => byte === 0x7b || byte === 0x5b;
const isClosing = (byte: number): boolean => byte === 0x7d || byte === 0x5d;

/**
 * Finds the charts of an index that is written as JSON (`helm repo index --json`) by following only its brackets and
 * texts. Undefined when it has no entries, or does not end.
 */
export async function scanJsonIndex(
  bytes: Buffer,
  { start, signal }: { readonly start: number; readonly signal: AbortSignal },
): Promise<Map<string, Span> | undefined> {
  const pacer = new Pacer();
  const outline = new Outline();
  for (let at = start; at < bytes.length && !outline.isEnded; at += 1) {
    if ((at & 0xfff) === 0 && pacer.isDue) await pacer.pause(signal);
    const byte = bytes[at] ?? 0;
    if (byte === quote) {
      const end = endOfText(bytes, at);
      if (end === undefined) return undefined;
      if (outline.depth <= 2) outline.text(readText(bytes, at, end));
      at = end - 1;
    } else outline.mark(byte, at);
  }
  return outline.isEnded && outline.hasEntries ? outline.charts : undefined;
}

/** The structure of an index, from its brackets and strings. */
class Outline {
  readonly charts = new Map<string, Span>();
  depth = 0;
  hasEntries = false;
  isEnded = false;
  /** The keys on the way to here; only the first two matter. */
  readonly #path: string[] = [];
  #text = "";
  #valueStart = 0;

  text(text: string): void {
    this.#text = text;
  }

  mark(byte: number, at: number): void {
    if (byte === colon) this.#colon();
    else if (isOpening(byte)) this.#open(at);
    else if (isClosing(byte)) this.#close(at + 1);
  }

  #colon(): void {
    if (this.depth > 2) return;
    this.#path[this.depth - 1] = this.#text;
    if (this.depth === 1 && this.#text === "entries") this.hasEntries = true;
  }

  #open(at: number): void {
    this.depth += 1;
    if (this.depth === 3) this.#valueStart = at;
  }

  #close(end: number): void {
    this.depth -= 1;
    if (this.depth === 2 && this.#path[0] === "entries") this.charts.set(this.#path[1] ?? "", [this.#valueStart, end]);
    this.isEnded = this.depth === 0;
  }
}

/** The offset behind the closing quote: one with an even number of backslashes before it. */
export function endOfText(bytes: Buffer, start: number): number | undefined {
  for (let at = bytes.indexOf(quote, start + 1); at !== -1; at = bytes.indexOf(quote, at + 1)) {
    let slash = at - 1;
    while (slash > start && bytes[slash] === backslash) slash -= 1;
    if ((at - slash) % 2 === 1) return at + 1;
  }
  return undefined;
}

/** A name; empty when it is too long for one. */
function readText(bytes: Buffer, start: number, end: number): string {
  try {
    return end - start > 1024 ? "" : String(JSON.parse(bytes.toString("utf8", start, end)));
  } catch {
    return "";
  }
}

/** The spans of objects in a list; yields undefined at intervals, so that the caller can pause. */
export function* itemsOfJson(bytes: Buffer, [start, end]: Span): Generator<Span | undefined> {
  let [depth, itemStart] = [0, start];
  for (let at = start; at < end; at += 1) {
    if ((at & 0xffff) === 0) yield undefined;
    const byte = bytes[at] ?? 0;
    if (byte === quote) at = (endOfText(bytes, at) ?? end) - 1;
    else if (isOpening(byte)) {
      depth += 1;
      if (depth === 2) itemStart = at;
    } else if (isClosing(byte)) {
      depth -= 1;
      if (depth === 1) yield [itemStart, at + 1];
    }
  }
}
