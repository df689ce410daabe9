/** A template is not as it should be, and from which character on. */
export class TemplateError extends Error {
  readonly position: number;

  constructor(message: string, position: number) {
    super(`${message}, at character ${position + 1}`);
    this.position = position;
  }
}

const escapes: Readonly<Record<string, string>> = { n: "\n", t: "\t", r: "\r" };

/** Goes through a text from its beginning to its end. */
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

  /** The next character, which stays. Empty at the end. */
  get next(): string {
    return this.#text.charAt(this.#at);
  }

  /** Takes these characters if they come next. */
  takes(expected: string): boolean {
    if (!this.#text.startsWith(expected, this.#at)) return false;
    this.#at += expected.length;
    return true;
  }

  /** Takes what matches a sticky pattern; undefined when nothing does. */
  match(pattern: RegExp): string | undefined {
    const sticky = new RegExp(pattern.source, "y");
    sticky.lastIndex = this.#at;
    const found = sticky.exec(this.#text)?.[0];
    if (found === undefined || found === "") return undefined;
    this.#at += found.length;
    return found;
  }

  /** Takes these characters, which have to come next. */
  expect(expected: string, meaning: string): void {
    if (this.takes(expected)) return;
    this.fail(`${JSON.stringify(expected)} is missing ${meaning}`);
  }

  /** Takes a text in quotes, with the escapes that shells cannot write. */
  quoted(): string {
    const begin = this.#at;
    const quote = this.next;
    this.#at++;
    let text = "";
    while (!this.takes(quote)) {
      if (this.isAtEnd) throw new TemplateError("the text in quotes does not end", begin);
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
