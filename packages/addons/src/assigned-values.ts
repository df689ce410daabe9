import { InvalidInput } from "@butler/std";
import type { Values } from "./merge-values.ts";

/**
 * Values from assignments such as `controller.replicas=2`. A dot in a key is escaped as `\.`; JSON is parsed (`true`,
 * `2`, `null`, `["a"]`), everything else is text. Later assignments override earlier ones.
 */
export function assignedValues(words: readonly string[]): readonly Values[] {
  return words.map((word) => {
    const at = word.indexOf("=");
    const path = at < 0 ? [] : splitPath(word.slice(0, at));
    if (path.length === 0 || path.includes("")) {
      throw new InvalidInput(`${JSON.stringify(word)} is not PATH=VALUE`, {
        hint: "Use KEY=VALUE, such as controller.replicas=2; escape a dot in a key as \\.",
      });
    }
    // Built from entries, so that a key such as `__proto__` is a key.
    const nested = path.reduceRight<unknown>(
      (inner, key) => Object.fromEntries([[key, inner]]),
      read(word.slice(at + 1)),
    );
    return nested as Values;
  });
}

/** The keys of a path, the reverse of joining escaped keys with dots. */
function splitPath(path: string): readonly string[] {
  const keys = [""];
  for (const [part, escaped] of path.matchAll(/\\(.)|./gs)) {
    if (part === ".") keys.push("");
    else keys[keys.length - 1] += escaped ?? part;
  }
  return keys;
}

function read(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
