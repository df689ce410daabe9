import { getTeamUsage } from "@butler/contract";
import { useQuery, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { routeQuery } from "../../data/route-query.ts";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import { type TeamUsage, usageSignature } from "./usage.ts";

/** Usage of a team, refetched when requested resources change, not on a timer. */
export function useTeamUsage(team: string, clusters: readonly ClusterView[] | undefined): UseQueryResult<TeamUsage> {
  const query = useQuery(routeQuery(getTeamUsage, { params: { team } }));
  const { refetch } = query;
  const signature = clusters === undefined ? undefined : usageSignature(clusters);
  const seen = useRef(signature);
  useEffect(() => {
    if (seen.current !== undefined && seen.current !== signature) void refetch();
    seen.current = signature;
  }, [signature, refetch]);
  return query;
}
