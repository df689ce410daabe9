import { z } from "zod";

/** The most that one page can have, and what it has when nobody says. */
export const largestPage = 500;

/** What every list can be asked for besides its own filters. */
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
      .describe(`Entries on a page, 1 to ${largestPage}; ${largestPage} when absent.`),
    cursor: z.string().max(1024).optional().describe("Where to go on: `nextCursor` of the page before."),
    sort: sorting
      .default(first as never)
      .describe(`What to sort by; with \`-\` in front, from the end. \`${first}\` when absent.`),
    search: z
      .string()
      .max(200)
      .optional()
      .describe("Words, each of which must occur in an entry; capitals do not matter."),
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
 * One page of a list. The entries are under the list's own name (`clusters`, `teams`), because scripts for the public
 * Butler read them there.
 */
export function page<Key extends string, Item extends z.ZodType>(key: Key, item: Item) {
  const paging = {
    total: z.int().describe("Entries on all pages together."),
    nextCursor: z.string().optional().describe("Where the next page begins; absent on the last one."),
  };
  const entries = { [key]: z.array(item).describe("The entries of this page.") } as Record<Key, z.ZodArray<Item>>;
  return z.object({ ...entries, ...paging });
}
