import type { CallInput, listAudit } from "@butler/contract";
import { type SearchInput, textParam, wordParam } from "../../../data/search-params.ts";

const texts = ["q", "user", "team", "action", "resourceType", "resourceName", "from", "to", "open"] as const;

/** Filters of the audit log, as kept in the URL. */
export type AuditSearch = { readonly [name in (typeof texts)[number]]?: string | undefined } & {
  readonly success?: "true" | "false" | undefined;
};

/** Parses the search parameters. */
export function auditSearch(search: SearchInput): AuditSearch {
  return Object.assign({}, ...texts.map((name) => textParam(search, name)), {
    ...wordParam({ success: String(search["success"]) }, "success", ["true", "false"]),
  }) as AuditSearch;
}

/** Converts the filters into an API query. Invalid dates are omitted. */
export function auditQuery({
  q,
  open: _open,
  from,
  to,
  ...filters
}: AuditSearch): CallInput<typeof listAudit>["query"] {
  const isDate = (text: string | undefined): text is string => text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text);
  const given = Object.fromEntries(Object.entries(filters).filter(([, value]) => value !== undefined));
  return {
    ...given,
    ...(q !== undefined && { search: q.slice(0, 200) }),
    ...(isDate(from) && { from }),
    ...(isDate(to) && { to }),
    limit: 100,
  };
}

/** Number of active filters, shown while the form is collapsed. */
export function filterCount({ open: _open, ...filters }: AuditSearch): number {
  return Object.values(filters).filter((value) => value !== undefined).length;
}
