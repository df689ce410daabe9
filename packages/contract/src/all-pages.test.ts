import { expect, it } from "vitest";
import { readAllPages } from "./all-pages.ts";

it("reads a list page by page, to the last one", async () => {
  const pages: Record<string, { readonly items: readonly number[]; readonly nextCursor?: string }> = {
    first: { items: [1, 2], nextCursor: "second" },
    second: { items: [], nextCursor: "third" },
    third: { items: [3] },
  };
  const read = ({ cursor = "first" }: { readonly cursor?: string }) => Promise.resolve(pages[cursor] ?? { items: [] });
  expect(await readAllPages(read, ({ items }) => items)).toEqual([1, 2, 3]);
});
