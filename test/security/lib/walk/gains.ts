import type { Actor } from "./actor.ts";

/** What a step gains: another identity, or a power that is stated in words. */
export type Gain = { readonly actor: Actor } | { readonly power: string };

export const power = (text: string): Gain => ({ power: text });
