/** A pressed key as the browser reports it. */
export interface PressedKey {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
}

/** The previous key and the focus at the time of a key press. */
export interface KeySituation {
  readonly before: { readonly key: string; readonly atMs: number } | undefined;
  readonly nowMs: number;
  readonly isTyping: boolean;
}

/** Maximum time between the two keys of a sequence. */
const togetherMs = 1_200;

/** The action of a key: `palette`, a key such as `/`, or a sequence such as `g c`. Undefined while typing. */
export function keyAction(pressed: PressedKey, { before, nowMs, isTyping }: KeySituation): string | undefined {
  const { key, ctrlKey, metaKey, altKey } = pressed;
  if ((ctrlKey || metaKey) && key.toLowerCase() === "k") return "palette";
  if (isTyping || ctrlKey || metaKey || altKey || key.length !== 1) return undefined;
  const isSecond = before?.key === "g" && nowMs - before.atMs <= togetherMs;
  return isSecond ? `g ${key}` : key;
}
