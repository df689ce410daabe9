import { listTeamAudit } from "@butler/contract";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { client } from "../../data/client.ts";
import { auditQuery, type AuditSearch } from "./audit.ts";

/** The audit records of a team, newest first, fetched page by page on request. */
export function useAudit(team: string, search: AuditSearch) {
  const query = auditQuery(search);
  return useInfiniteQuery({
    queryKey: [listTeamAudit.id, team, query],
    queryFn: ({ pageParam, signal }) =>
      client.call(
        listTeamAudit,
        { params: { team }, query: { ...query, ...(pageParam !== "" && { cursor: pageParam }) } },
        { signal },
      ),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
    placeholderData: keepPreviousData,
  });
}
