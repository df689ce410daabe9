import { readFile, stat } from "node:fs/promises";
import { type Terminal, UsageError } from "@butler/cli-kit";
import { describeError, InvalidInput } from "@butler/std";

/** Source of a secret: never the command line itself, which every user of the machine can read. */
export interface SecretSource {
  /** A file, or `-` for standard input. */
  readonly file?: string | undefined;
  /** Name of an environment variable. */
  readonly variable?: string | undefined;
}

const largestSecret = 256 * 1024;

/** Reads a secret. Strips a trailing newline, which editors and `echo` add. */
export async function readSecret(
  terminal: Pick<Terminal, "readInput" | "environment">,
  { file, variable }: SecretSource,
  what: string,
): Promise<string> {
  const text = variable === undefined ? await readText(terminal, file ?? "-") : fromVariable(terminal, variable);
  const secret = text.replace(/\r?\n$/, "");
  if (secret === "") throw new InvalidInput(`${what} is empty`);
  return secret;
}

function fromVariable({ environment }: Pick<Terminal, "environment">, variable: string): string {
  const value = environment[variable];
  if (value !== undefined) return value;
  throw new InvalidInput(`environment variable ${variable} is not set`);
}

/** The text of a file, or of standard input for `-`. */
export async function readText(terminal: Pick<Terminal, "readInput">, file: string): Promise<string> {
  if (file === "-") return terminal.readInput();
  try {
    const { size } = await stat(file);
    if (size > largestSecret) throw new InvalidInput(`${file} is larger than ${largestSecret} bytes`);
    return await readFile(file, "utf8");
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput(`cannot read ${file}: ${describeError(error)}`);
  }
}

/** Splits `KEY=PLACE`. */
export function keyAndPlace(word: string, form: string): readonly [string, string] {
  const at = word.indexOf("=");
  if (at > 0 && at < word.length - 1) return [word.slice(0, at), word.slice(at + 1)];
  // Do not repeat the argument: it may be the secret itself.
  throw new UsageError(`expected ${form}`);
}
