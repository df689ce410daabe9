/** A whole number that somebody has written; undefined when nothing is written. */
export function writtenNumber(text: string): number | undefined {
  return text.trim() === "" ? undefined : Number(text);
}

/** What is wrong with what should be a whole number; undefined when nothing is. */
export function numberFault(text: string): string | undefined {
  return /^\s*\d{0,9}\s*$/.test(text) ? undefined : "Write a whole number.";
}

/** A number as a form has it. */
export function numberText(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

/** The same without what is undefined. */
export function defined<T extends object>(value: T): { [key in keyof T]?: Exclude<T[key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as never;
}

/** The parts that differ from what there was. */
export function changedParts<T extends object>(before: T, after: T): Partial<T> {
  const isSame = (key: string): boolean =>
    JSON.stringify(before[key as keyof T]) === JSON.stringify(after[key as keyof T]);
  return Object.fromEntries(Object.entries(after).filter(([key]) => !isSame(key))) as Partial<T>;
}
