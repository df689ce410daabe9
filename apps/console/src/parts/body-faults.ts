import type { z } from "zod";

/** Validation errors of a request body by field path, found with the same schema that the server uses. */
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
