/** Links that lead somewhere by https or http; what else an address could make a browser do is left out. */
export function safeLinks(links: Readonly<Record<string, string>>): readonly (readonly [string, string])[] {
  return Object.entries(links).filter(([, address]) => {
    const protocol = URL.parse(address)?.protocol;
    return protocol === "https:" || protocol === "http:";
  });
}
