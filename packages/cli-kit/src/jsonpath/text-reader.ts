/** Syntax error in a template, with its position. */
export class TemplateError extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message}, at character ${position + 1}`);
    this.position = position;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** Reads a text from start to end. */
export class TextReader {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  get position(): number {
    return this.#at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next character, without consuming it. Empty at the end. */
  get next(): string {
    return this.#text.charAt(this.#at);
  }

  /** Consumes these characters if they come next. */
  takes(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  /** Consumes the match of a pattern at the current position; undefined without a match. */
  match(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern.source, "y");
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0];
    if (found === undefined || found === "") return undefined;
    this.#at += found.length;
    return found;
  }

  /** Consumes these characters, or fails if they do not come next. */
  expect(expected: string, meaning: string): void {
    if (this.takes(expected)) return;
    this.fail(`missing ${JSON.stringify(expected)} ${meaning}`);
  }

  /** Consumes a quoted text, with the escapes that shells cannot write. */
  quoted(): string {
    const begin = this.#at;
    const quote = this.next;
    this.#at++;
    let text = "";
    while (!this.takes(quote)) {
      if (this.isAtEnd) throw new TemplateError("unterminated quoted string", begin);
      const isEscape = this.takes("\\");
      const letter = this.next;
      text += isEscape ? (escapes[letter] ?? letter) : letter;
      this.#at++;
    }
    return text;
  }

  fail(message: string): never {
    throw new TemplateError(message, this.#at);
  }
}
