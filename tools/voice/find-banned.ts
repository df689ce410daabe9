import type { FoundText } from "./find-texts.ts";
import type { BannedPhrase } from "./phrases.ts";

export interface BannedUse {
  readonly found: FoundText;
  readonly phrase: string;
  readonly instead: string;
}

/** The banned phrases in texts. */
export function findBanned(texts: readonly FoundText[], phrases: readonly BannedPhrase[]): BannedUse[] {
  return texts.flatMap((found) =>
    phrases.flatMap(({ pattern, instead }): BannedUse[] => {
      const phrase = pattern.exec(found.text)?.[0];
      return phrase === undefined ? [] : [{ found, phrase, instead }];
    }),
  );
}
