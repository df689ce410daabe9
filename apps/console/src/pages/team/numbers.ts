/** The number in an input; undefined if empty. */
export function writtenNumber(text: string): number | undefined {
  return text.trim() === "" ? undefined : Number(text);
}

/** Validation error of a whole number; undefined if valid. */
export function numberFault(text: string): string | undefined {
  return /^\s*\d{0,9}\s*$/.test(text) ? undefined : "Enter a whole number.";
}

/** A number as input text. */
export function numberText(value: number | undefined): string {
  return value === undefined ? "" : String(value);
}

/** The object without undefined values. */
export function defined<T extends object>(value: T): { [key in keyof T]?: Exclude<T[key], undefined> } {
  return Object.fromEntries(Object.entries(value).filter(([, part]) => part !== undefined)) as never;
}

/** The parts that differ from the previous value. */
export function changedParts<T extends object>(before: T, after: T): Partial<T> {
  const isSame = (key: string): boolean =>
    JSON.stringify(before[key as keyof T]) === JSON.stringify(after[key as keyof T]);
  return Object.fromEntries(Object.entries(after).filter(([key]) => !isSame(key))) as Partial<T>;
}
