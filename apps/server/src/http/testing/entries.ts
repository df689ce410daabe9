import type { ListShape } from "../listing.ts";

/** An entry of the lists in these tests. */
export interface Entry {
  readonly name: string;
  readonly size: number;
}

/** How the entries are identified, sorted and searched. */
export const shape: ListShape<Entry> = {
  id: ({ name }) => name,
  sortBy: { name: ({ name }) => name, size: ({ size }) => size },
  text: ({ name, size }) => `${name} ${size}`,
};
