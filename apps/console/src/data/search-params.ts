/** Unvalidated search parameters of a URL. */
export type SearchInput = Readonly<Record<string, unknown>>;

/** A text parameter; omitted if empty or not text. */
export function textParam<const Name extends string>(
  search: SearchInput,
  name: Name,
): { readonly [key in Name]?: string | undefined } {
  const value = search[name];
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return (typeof text === "string" && text !== "" ? { [name]: text.slice(0, 500) } : {}) as { [key in Name]?: string };
}

/** A parameter with a fixed set of values; omitted otherwise. */
export function wordParam<const Name extends string, const Word extends string>(
  search: SearchInput,
  name: Name,
  words: readonly Word[],
): { readonly [key in Name]?: Word } {
  const found = words.find((word) => word === search[name]);
  return (found === undefined ? {} : { [name]: found }) as { [key in Name]?: Word };
}

/** Where to go after sign-in: a path of this console, never another origin. */
export function ownPath(to: string | undefined): string {
  if (to === undefined || !to.startsWith("/") || /^\/[/\\]/.test(to) || to.startsWith("/api/")) return "/";
  return to;
}
