import type { CallInput, Route } from "@butler/contract";

/**
 * What is wrong with a body before it is sent, by the path of the field, found with the schema with which the server
 * finds it.
 */
export function bodyFaults<R extends Route>(route: R, body: CallInput<R>["body"]): Readonly<Record<string, string>> {
  const judged = route.body?.safeParse(body);
  if (judged === undefined || judged.success) return {};
  return Object.fromEntries(judged.error.issues.map(({ path, message }) => [path.join("."), sentence(message)]));
}

function sentence(words: string): string {
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}${words.endsWith(".") ? "" : "."}`;
}
