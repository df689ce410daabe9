/** Search parameters of an address as they come: anything at all can be in them. */
export type SearchInput = Readonly<Record<string, unknown>>;

/** A parameter that is text; nothing when it is anything else, or empty. */
export function textParam<const Name extends string>(
  search: SearchInput,
  name: Name,
): { readonly [key in Name]?: string | undefined } {
  const value = search[name];
  const text = typeof value === "number" || typeof value === "boolean" ? String(value) : value;
  return (typeof text === "string" && text !== "" ? { [name]: text.slice(0, 500) } : {}) as { [key in Name]?: string };
}

/** A parameter that is one of a few words; nothing otherwise. */
export function wordParam<const Name extends string, const Word extends string>(
  search: SearchInput,
  name: Name,
  words: readonly Word[],
): { readonly [key in Name]?: Word } {
  const found = words.find((word) => word === search[name]);
  return (found === undefined ? {} : { [name]: found }) as { [key in Name]?: Word };
}

/** Where to go after a sign-in: a path of this console, and nothing that leads elsewhere. */
export function ownPath(to: string | undefined): string {
  if (to === undefined || !to.startsWith("/") || /^\/[/\\]/.test(to) || to.startsWith("/api/")) return "/";
  return to;
}
