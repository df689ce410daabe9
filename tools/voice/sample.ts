import type { FoundText } from "./find-texts.ts";

const notProduct = [/\.test\.tsx?$/, /\/testing\//, /^test\//, /^tools\//, /^packages\/testkit\//, /^adr\//];

/** Whether a text is not prose: an identifier, or a string of a test, whose names are texts of their own kind. */
export function isData(path: string, { kind, text }: FoundText): boolean {
  return kind === "string" && (!text.includes(" ") || /\.test\.tsx?$|\/testing\/|^test\/(?!mutations)/.test(path));
}

/** Whether users can meet a text: a string with two words in the product's sources, or a line of a page. */
export function isUserVisible(path: string, { kind, text }: FoundText): boolean {
  if (notProduct.some((pattern) => pattern.test(path))) return false;
  if (kind === "page") return true;
  // Selectors, expressions and options of programs have spaces too, and no sentence in them.
  return kind === "string" && /[a-z]{2,} [a-z]/i.test(text) && !/[<>=]|&&|\|\||^--|^[a-z]+: [a-z0-9]+$/.test(text);
}

/** `count` of `items`, chosen by a seed, in their order. */
export function chooseSample<T>(items: readonly T[], count: number, seed: number): T[] {
  let state = seed >>> 0;
  const random = (): number => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const left = items.map((item, at) => ({ item, at, order: random() }));
  return left
    .toSorted((one, other) => one.order - other.order)
    .slice(0, count)
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
