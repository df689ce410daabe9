import { exportAudit, listAudit } from "@butler/contract";
import { Button, buttonLook, DataTable, EmptyState, LoadingState, Page } from "@butler/ui";
import { useInfiniteQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useMemo } from "react";
import { client } from "../../../data/client.ts";
import { AuditDetails } from "../../../parts/audit/audit-details.tsx";
import { fleetRecordColumns } from "../../../parts/audit/record-columns.tsx";
import { ToolbarEnd } from "../../../parts/filter-bar.tsx";
import { ProblemView } from "../../../parts/problem-view.tsx";
import type { SearchProps } from "../shared/list-search.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { auditQuery, type AuditSearch } from "./audit-search.ts";
import { VerifyPanel } from "./verify-panel.tsx";

const route = getRouteApi("/signed-in/admin/audit");
/** What was done on the platform, by whom, and what came of it. */
export function AuditPage() {
  const search = route.useSearch();
  const navigate = route.useNavigate();
  return (
    <Audit
      search={search}
      onSearch={(change) => void navigate({ search: (before) => ({ ...before, ...change }), replace: true })}
    />
  );
}

/** The page without its address. */
export function Audit({ search, onSearch }: SearchProps<AuditSearch>) {
  const query = useMemo(() => auditQuery(search), [search]);
  const log = useInfiniteQuery({
    queryKey: [listAudit.id, query],
    queryFn: ({ pageParam, signal }) =>
      client.call(listAudit, { query: { ...query, ...(pageParam !== "" && { cursor: pageParam }) } }, { signal }),
    initialPageParam: "",
    getNextPageParam: ({ nextCursor }) => nextCursor,
  });
  const entries = useMemo(() => log.data?.pages.flatMap((page) => page.entries) ?? [], [log.data]);
  const opened = entries.find(({ id }) => id === search.open);
  return (
    <Page
      title="Audit log"
      actions={
        <>
          <Button isBusy={log.isRefetching} onClick={() => void log.refetch()}>
            Look again
          </Button>
          <a {...buttonLook()} href={`${exportAudit.path}?limit=5000`} download="audit.jsonl">
            Export the first 5,000
          </a>
        </>
      }
    >
      <VerifyPanel />
      <AuditFilters search={search} onSearch={onSearch} />
      {log.error !== null && <ProblemView error={log.error} onRetry={() => void log.refetch()} />}
      {log.isPending && <LoadingState />}
      {log.data !== undefined && (
        <>
          <div className="b-toolbar">
            <ToolbarEnd
              count={`${entries.length} ${entries.length === 1 ? "record" : "records"}, newest first${log.hasNextPage ? "; there are more" : ""}`}
            />
          </div>
          <DataTable
            label="Records"
            rows={entries}
            columns={fleetRecordColumns}
            rowKey={({ id }) => id}
            onOpen={({ id }) => onSearch({ open: id })}
            empty={<EmptyState title="No such record" sentence="Take something out of the search." />}
          />
          {log.hasNextPage && (
            <Button isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              Show older ones
            </Button>
          )}
        </>
      )}
      {opened !== undefined && <AuditDetails entry={opened} onClose={() => onSearch({ open: undefined })} />}
    </Page>
  );
}
