/** The last lines of a text, without trailing blank lines. */
export function lastLines(text: string, count: number): string {
  return text.trimEnd().split("\n").slice(-count).join("\n");
}

/** Keeps the end of a potentially long output, without storing all of it. */
export class TextTail {
  readonly #limit: number;
  #text = "";

  constructor(limit = 64 * 1024) {
    this.#limit = limit;
  }

  append(chunk: string): void {
    this.#text = (this.#text + chunk).slice(-this.#limit);
  }

  lines(count: number): string {
    return lastLines(this.#text, count);
  }
}
