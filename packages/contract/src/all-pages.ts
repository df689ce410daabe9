import { largestPage } from "./paging.ts";

/** Reads all pages of a list, for callers to whom a part of it would be wrong. */
export async function readAllPages<Page extends { readonly nextCursor?: string | undefined }, Item>(
  read: (query: { readonly limit: number; readonly cursor?: string }) => Promise<Page>,
  itemsOf: (page: Page) => readonly Item[],
): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const page = await read({ limit: largestPage, ...(cursor !== undefined && { cursor }) });
    items.push(...itemsOf(page));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return items;
}
