/** A key as the browser tells it. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** What was before, and where the key goes to. */
export interface KeySituation {
  readonly before: { readonly key: string; readonly atMs: number } | undefined;
  readonly nowMs: number;
  readonly isTyping: boolean;
}

/** Two keys belong together when they follow each other this fast. */
const togetherMs = 1_200;

/** What a key asks for: `palette`, a key such as `/`, or two in a row such as `g c`; undefined for what is typed. */
export function keyAction(pressed: PressedKey, { before, nowMs, isTyping }: KeySituation): string | undefined {
  const { key, ctrlKey, metaKey, altKey } = pressed;
  if ((ctrlKey || metaKey) && key.toLowerCase() === "k") return "palette";
  if (isTyping || ctrlKey || metaKey || altKey || key.length !== 1) return undefined;
  const isSecond = before?.key === "g" && nowMs - before.atMs <= togetherMs;
  return isSecond ? `g ${key}` : key;
}
