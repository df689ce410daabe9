import { StringDecoder } from "node:string_decoder";

/** Limits for the output of a program. */
export interface LineLimits {
  /** Maximum number of characters of a line; the rest is dropped. */
  readonly longestLine: number;
  /** Maximum number of lines; one more line reports the omission. */
  readonly mostLines: number;
}

const ellipsis = "…";

/** Splits the output of a program into lines, with bounded memory. */
export class LineReader {
  readonly #limits: LineLimits;
  readonly #take: (line: string) => void;
  readonly #decoder = new StringDecoder("utf8");
  #current = "";
  #isCut = false;
  #count = 0;

  constructor(limits: LineLimits, take: (line: string) => void) {
    this.#limits = limits;
    this.#take = take;
  }

  /** Processes further output. */
  write(chunk: Buffer): void {
    this.#read(this.#decoder.write(chunk));
  }

  /** Passes on the last line even if it is not terminated. */
  end(): void {
    this.#read(this.#decoder.end());
    if (this.#current !== "") this.#finishLine();
  }

  #read(text: string): void {
    let from = 0;
    for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", from)) {
      this.#append(text.slice(from, at));
      this.#finishLine();
      from = at + 1;
    }
    this.#append(text.slice(from));
  }

  #append(text: string): void {
    const room = this.#limits.longestLine - this.#current.length;
    this.#current += text.slice(0, Math.max(0, room));
    if (text.length > room) this.#isCut = true;
  }

  #finishLine(): void {
    const line = this.#current.replace(/\r$/, "") + (this.#isCut ? ellipsis : "");
    this.#current = "";
    this.#isCut = false;
    this.#count++;
    if (this.#count <= this.#limits.mostLines) this.#take(line);
    else if (this.#count === this.#limits.mostLines + 1) this.#take("(further output omitted)");
  }
}
