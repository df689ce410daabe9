import { InvalidInput } from "@butler/std";
import { readList } from "./entry-reader.ts";
import { shellWord } from "./shell-text.ts";

/**
 * Parses `runcmd` or `bootcmd` into the shell script that cloud-init would generate: a string is used as a line, a list
 * is a program and its arguments. Undefined when there are none.
 */
export function parseCommands(value: unknown, path: string): string | undefined {
  const lines = readList(value, path).flatMap(({ item, path: where }) => {
    if (item === null) return [];
    return typeof item === "string" ? [item] : [parseWords(item, where)];
  });
  if (lines.some((line) => line.includes("\0"))) throw new InvalidInput(`${path} contains a NUL character`);
  return lines.length === 0 ? undefined : `#!/bin/sh\n${lines.join("\n")}\n`;
}

function parseWords(value: unknown, path: string): string {
  if (!Array.isArray(value)) throw new InvalidInput(`${path} must be a string or a list of strings`);
  const words = readList(value, path).map(({ item, path: where }) => {
    if (typeof item === "string" || typeof item === "number") return shellWord(String(item));
    throw new InvalidInput(`${where} must be a string or a number`);
  });
  if (words.length === 0) throw new InvalidInput(`${path} is an empty command`);
  return words.join(" ");
}
