import type { CallInput, listTeamAudit } from "@butler/contract";
import { type SearchInput, textParam, wordParam } from "../../data/search-params.ts";

/** Filters of the records, as kept in the URL. */
export interface AuditSearch {
  readonly q?: string | undefined;
  readonly user?: string | undefined;
  readonly action?: string | undefined;
  readonly kind?: string | undefined;
  readonly name?: string | undefined;
  readonly outcome?: "success" | "failure" | undefined;
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const outcomes = ["success", "failure"] as const;

/** Parses the search parameters. Invalid dates are omitted. */
export function auditSearch(search: SearchInput): AuditSearch {
  const { from, to } = { ...textParam(search, "from"), ...textParam(search, "to") };
  return {
    ...textParam(search, "q"),
    ...textParam(search, "user"),
    ...textParam(search, "action"),
    ...textParam(search, "kind"),
    ...textParam(search, "name"),
    ...wordParam(search, "outcome", outcomes),
    ...(isDay(from) && { from }),
    ...(isDay(to) && { to }),
  };
}

/** The API query. Texts beyond its limits are truncated. */
export function auditQuery(search: AuditSearch): NonNullable<CallInput<typeof listTeamAudit>["query"]> {
  const { q, user, action, kind, name, outcome, from, to } = search;
  return {
    ...(q && { search: q.slice(0, 200) }),
    ...(user && { user: user.slice(0, 253) }),
    ...(action && { action: action.slice(0, 253) }),
    ...(kind && { resourceType: kind.slice(0, 253) }),
    ...(name && { resourceName: name.slice(0, 253) }),
    ...(outcome && { success: outcome === "success" ? "true" : "false" }),
    ...(from && { from }),
    ...(to && { to }),
    limit: 100,
  };
}

/** Whether any filter is set. */
export function isNarrowed(search: AuditSearch): boolean {
  return Object.keys(auditQuery(search)).length > 1;
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
