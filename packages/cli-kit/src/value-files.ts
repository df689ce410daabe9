import { readFile } from "node:fs/promises";
import { describeError, InvalidInput, isRecord } from "@butler/std";
import { parse } from "yaml";
import type { Terminal } from "./terminal.ts";

/** Reads values by their names from a file of YAML or JSON, or from standard input for `-`. */
export async function readValuesFile(
  file: string,
  { readInput }: Pick<Terminal, "readInput">,
): Promise<Record<string, unknown>> {
  const source = file === "-" ? "the standard input" : file;
  const text = file === "-" ? await readInput() : await readText(file);
  let value: unknown;
  try {
    value = parse(text, { maxAliasCount: 100 }) ?? {};
  } catch (error) {
    throw new InvalidInput(`${source} is not YAML: ${describeError(error).split("\n")[0] ?? ""}`);
  }
  if (!isRecord(value)) throw new InvalidInput(`${source} must hold values by their names`);
  return value;
}

async function readText(file: string): Promise<string> {
  try {
    return await readFile(file, "utf8");
  } catch (error) {
    throw new InvalidInput(`${file} cannot be read: ${describeError(error)}`);
  }
}
