import { InvalidInput } from "@butler/std";
import { readList } from "./entry-reader.ts";
import { shellWord } from "./shell-text.ts";

/**
 * Reads `runcmd` or `bootcmd` as the shell script that cloud-init would make of it: a text is a line as it stands, a
 * list is a program and its arguments. Undefined when there are none.
 */
export function parseCommands(value: unknown, path: string): string | undefined {
  const lines = readList(value, path).flatMap(({ item, path: where }) => {
    if (item === null) return [];
    return typeof item === "string" ? [item] : [parseWords(item, where)];
  });
  if (lines.some((line) => line.includes("\0"))) throw new InvalidInput(`${path} has a NUL character`);
  return lines.length === 0 ? undefined : `#!/bin/sh\n${lines.join("\n")}\n`;
}

function parseWords(value: unknown, path: string): string {
  if (!Array.isArray(value)) throw new InvalidInput(`${path} is neither a text nor a list of words`);
  const words = readList(value, path).map(({ item, path: where }) => {
    if (typeof item === "string" || typeof item === "number") return shellWord(String(item));
    throw new InvalidInput(`${where} is not a word`);
  });
  if (words.length === 0) throw new InvalidInput(`${path} is an empty command`);
  return words.join(" ");
}
