/** Links with http or https URLs. Other schemes are dropped. */
export function safeLinks(links: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(links).filter(([, address]) => {
    const protocol = URL.parse(address)?.protocol;
    return protocol === "https:" || protocol === "http:";
  });
}
