import { readFile } from "node:fs/promises";
import { describeError, InvalidInput, isRecord } from "@butler/std";
import { parse } from "yaml";
import type { Terminal } from "./terminal.ts";

/** Reads a mapping from a YAML or JSON file, or from standard input for `-`. */
export async function readValuesFile(
  file: string,
  { readInput }: Pick<Terminal, "readInput">,
): Promise<Record<string, unknown>> {
  const source = file === "-" ? "standard input" : file;
  const text = file === "-" ? await readInput() : await readText(file);
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 100 }) ?? {};
  } catch (error) {
    throw new InvalidInput(`${source} is not valid YAML: ${describeError(error).split("\n")[0] ?? ""}`);
  }
  if (!isRecord(value)) throw new InvalidInput(`${source} must contain a mapping of names to values`);
  return value;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new InvalidInput(`cannot read ${file}: ${describeError(error)}`);
  }
}
