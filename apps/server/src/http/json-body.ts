import { InvalidInput } from "@butler/std";

/** Maximum nesting of a body; deeper ones are attacks. */
const deepest = 32;

/** Parses a body; throws InvalidInput if it is not JSON, nested too deep, or contains `__proto__`. */
export function parseJsonBody(text: string): unknown {
  if (depthOf(text) > deepest) throw new InvalidInput(`the request body is nested more than ${deepest} levels deep`);
  try {
    return JSON.parse(text, refuseProto);
  } catch (error) {
    if (error instanceof InvalidInput) throw error;
    throw new InvalidInput("the request body is not valid JSON", { cause: error });
  }
}

function refuseProto(key: string, value: unknown): unknown {
  if (key === "__proto__") throw new InvalidInput("the request body must not contain a field named __proto__");
  return value;
}

/** Maximum bracket depth outside of strings, counted before parsing. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  let isInText = false;
  for (let at = 0; at < text.length; at++) {
    const letter = text.charCodeAt(at);
    if (isInText) {
      if (letter === backslash) at++;
      else if (letter === quote) isInText = false;
    } else if (letter === quote) isInText = true;
    else if (opening.has(letter)) most = Math.max(most, ++depth);
    else if (closing.has(letter)) depth--;
  }
  return most;
}

const backslash = 0x5c;
const quote = 0x22;
const opening = new Set([0x5b, 0x7b]);
const closing = new Set([0x5d, 0x7d]);

/** The paths of the fields of a body, without their values, for audit records. */
export function fieldPathsOf(body: unknown, most = 100): string[] {
  const found: string[] = [];
  const visit = (value: unknown, path: string, depth: number): void => {
    if (found.length >= most) return;
    const isRecord = typeof value === "object" && value !== null && !Array.isArray(value);
    if (!isRecord || depth >= 4) {
      if (path !== "") found.push(path);
      return;
    }
    for (const [name, inner] of Object.entries(value)) {
      visit(inner, path === "" ? name : `${path}.${name}`, depth + 1);
    }
  };
  visit(body, "", 0);
  return found;
}
