import type { z } from "zod";

/**
 * What is wrong with a body before it is sent, by the path of the field, found with the schema with which the server
 * finds it.
 */
export function bodyFaults<Body extends z.ZodType>(
  schema: Body,
  body: z.input<Body>,
): Readonly<Record<string, string>> {
  const judged = schema.safeParse(body);
  if (judged.success) return {};
  return Object.fromEntries(judged.error.issues.map(({ path, message }) => [path.join("."), sentence(message)]));
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;
}
