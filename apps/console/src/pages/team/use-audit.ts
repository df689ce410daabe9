import { listTeamAudit } from "@butler/contract";
import { keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import { client } from "../../data/client.ts";
import { auditQuery, type AuditSearch } from "./audit.ts";

/** The records of a team page by page, newest first; more come when they are asked for. */
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
