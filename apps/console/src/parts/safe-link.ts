/** Returns a URL from data if it is http or https, and thus safe to link. */
export function webAddress(text: string): string | undefined {
  return URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol) ? text : undefined;
}
