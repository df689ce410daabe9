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
/** The audit log of the platform. */
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

/** The page without its route. */
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
            Refresh
          </Button>
          <a {...buttonLook()} href={`${exportAudit.path}?limit=5000`} download="audit.jsonl">
            Export first 5,000 records
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
              count={`${entries.length} ${entries.length === 1 ? "record" : "records"}, newest first${log.hasNextPage ? " (more available)" : ""}`}
            />
          </div>
          <DataTable
            label="Records"
            rows={entries}
            columns={fleetRecordColumns}
            rowKey={({ id }) => id}
            onOpen={({ id }) => onSearch({ open: id })}
            empty={<EmptyState title="No matching records" sentence="Clear a filter." />}
          />
          {log.hasNextPage && (
            <Button isBusy={log.isFetchingNextPage} onClick={() => void log.fetchNextPage()}>
              Show older records
            </Button>
          )}
        </>
      )}
      {opened !== undefined && <AuditDetails entry={opened} onClose={() => onSearch({ open: undefined })} />}
    </Page>
  );
}
