import type { CallInput, listTeamAudit } from "@butler/contract";
import { type SearchInput, textParam, wordParam } from "../../data/search-params.ts";

/** What the records are narrowed to, as the address has it. */
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

/** Reads the address; days that are none are left out. */
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

/** What the server is asked for. Longer texts than it takes are cut. */
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

/** Whether anything narrows the records. */
export function isNarrowed(search: AuditSearch): boolean {
  return Object.keys(auditQuery(search)).length > 1;
}

function isDay(text: string | undefined): text is string {
  return text !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(text));
}
