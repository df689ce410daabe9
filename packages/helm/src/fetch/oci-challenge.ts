/** An authentication challenge (RFC 9110 section 11.6.1). */
export interface Challenge {
  readonly scheme: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Parses the header WWW-Authenticate; unknown parts are ignored. */
export function parseChallenges(header: string | undefined): readonly Challenge[] {
  const challenges: { scheme: string; parameters: Record<string, string> }[] = [];
  // A parameter has an equals sign right behind its name, a scheme has not.
  const pattern = /([\w-]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^\s",]*))|([A-Za-z][\w-]*)/g;
  for (const [, name, quoted, plain, scheme] of (header ?? "").slice(0, 8192).matchAll(pattern)) {
    if (scheme !== undefined) challenges.push({ scheme: scheme.toLowerCase(), parameters: {} });
    const last = challenges.at(-1);
    if (name === undefined || last === undefined) continue;
    last.parameters[name.toLowerCase()] ??= quoted?.replace(/\\(.)/g, "$1") ?? plain ?? "";
  }
  return challenges;
}

/** Where to fetch a token and whether to send the repository's password there. Undefined when it is not allowed. */
export function judgeRealm(
  registry: URL,
  realmText: string | undefined,
): { readonly realm: URL; readonly withCredentials: boolean } | undefined {
  if (realmText === undefined || !URL.canParse(realmText)) return undefined;
  const realm = new URL(realmText);
  if (realm.username !== "" || realm.password !== "") return undefined;
  if (realm.protocol === "https:") return { realm, withCredentials: true };
  const isOwn = realm.protocol === "http:" && registry.protocol === "http:" && realm.hostname === registry.hostname;
  return isOwn ? { realm, withCredentials: true } : undefined;
}
