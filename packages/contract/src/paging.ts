import { z } from "zod";

/** Maximum and default page size. */
export const largestPage = 500;

/** Query parameters of every list, besides its own filters. */
export function listQuery<const Sort extends readonly [string, ...string[]], Filters extends z.ZodRawShape>(
  sort: Sort,
  filters: Filters,
  first: Sort[number] | `-${Sort[number]}` = sort[0],
) {
  type Key = Sort[number] | `-${Sort[number]}`;
  const keys = [...sort, ...sort.map((key) => `-${key}`)] as unknown as readonly Key[];
  const sorting = z.enum(keys) as unknown as z.ZodType<Key, Key>;
  return z.object({
    ...filters,
    limit: z.coerce
      .number<number | string>()
      .int()
      .min(1)
      .max(largestPage)
      .default(largestPage)
      .describe(`Number of entries per page, 1 to ${largestPage}. Defaults to ${largestPage}.`),
    cursor: z.string().max(1024).optional().describe("Page to return: `nextCursor` from the previous page."),
    sort: sorting
      .default(first as never)
      .describe(`Sort key; prefix with \`-\` for descending order. Defaults to \`${first}\`.`),
    search: z
      .string()
      .max(200)
      .optional()
      .describe("Case-insensitive search terms. An entry must contain all of them."),
  });
}

/** A filter that takes one value. */
export const filter = (doc: string) => z.string().max(253).optional().describe(doc);

/** A filter that is `true` or `false`. */
export const flagFilter = (doc: string) =>
  z
    .enum(["true", "false"])
    .transform((text) => text === "true")
    .optional()
    .describe(doc);

/**
 * One page of a list. The entries are in a field named after the list (`clusters`, `teams`), because scripts for the
 * public Butler read them there.
 */
export function page<Key extends string, Item extends z.ZodType>(key: Key, item: Item) {
  const paging = {
    total: z.int().describe("Number of entries on all pages."),
    nextCursor: z.string().optional().describe("Cursor for the next page. Absent on the last page."),
  };
  const entries = { [key]: z.array(item).describe("Entries on this page.") } as Record<Key, z.ZodArray<Item>>;
  return z.object({ ...entries, ...paging });
}
