/** An address from data that may become a link: a page on the web, and nothing that runs or opens anything else. */
export function webAddress(text: string): string | undefined {
  return URL.canParse(text) && ["https:", "http:"].includes(new URL(text).protocol) ? text : undefined;
}
