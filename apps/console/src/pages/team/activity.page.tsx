import { listTeamAudit } from "@butler/contract";
import { Button, DataTable, EmptyState, ForbiddenState, LoadingState, Page } from "@butler/ui";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { AuditDetails } from "../../parts/audit/audit-details.tsx";
import { recordColumns } from "../../parts/audit/record-columns.tsx";
import type { AuditEntry } from "../../parts/audit/record.ts";
import { ToolbarEnd } from "../../parts/filter-bar.tsx";
import { ProblemNotice, ProblemView } from "../../parts/problem-view.tsx";
import { isAllowed, refusalOf } from "../../session/user-roles.ts";
import { type AuditSearch, isNarrowed } from "./audit.ts";
import { AuditFilters } from "./audit-filters.tsx";
import { useAudit } from "./use-audit.ts";
import { useTeam } from "./use-team.ts";

const route = getRouteApi("/signed-in/t/$team/activity");

/** The audit records of the team. */
export function ActivityPage() {
  const { team, roles } = useTeam();
  const { env, ...search } = route.useSearch();
  const navigate = route.useNavigate();
  const mayRead = isAllowed(listTeamAudit, roles);
  if (!mayRead) {
    return (
      <Page title="Activity">
        <ForbiddenState sentence={`Viewing team activity ${refusalOf(listTeamAudit, roles)?.toLowerCase()}`} />
      </Page>
    );
  }
  return (
    <Page title="Activity" isFilling>
      <AuditFilters
        search={search}
        onSearch={(wanted) => void navigate({ search: { ...(env && { env }), ...wanted } })}
      />
      <Records team={team} search={search} />
    </Page>
  );
}

function Records({ team, search }: { readonly team: string; readonly search: AuditSearch }) {
  const audit = useAudit(team, search);
  const [opened, setOpened] = useState<AuditEntry>();
  if (audit.data === undefined) {
    return audit.error === null ? (
      <LoadingState />
    ) : (
      <ProblemView error={audit.error} onRetry={() => void audit.refetch()} />
    );
  }
  const entries = audit.data.pages.flatMap((page) => page.entries);
  return (
    <>
      <div className="b-toolbar">
        <ToolbarEnd
          count={`${entries.length} ${entries.length === 1 ? "record" : "records"}${audit.hasNextPage ? " (more available)" : ""}`}
          actions={
            <Button isBusy={audit.isRefetching} onClick={() => void audit.refetch()}>
              Refresh
            </Button>
          }
        />
      </div>
      <ProblemNotice error={audit.error} />
      <DataTable
        label="Activity"
        rows={entries}
        columns={recordColumns}
        rowKey={({ id }) => id}
        onOpen={setOpened}
        isFilling
        empty={
          isNarrowed(search) ? (
            <EmptyState title="No matching records" sentence="Clear a filter." />
          ) : (
            <EmptyState title="No activity yet" sentence="Changes made in the team are recorded here." />
          )
        }
      />
      {audit.hasNextPage && (
        <div className="b-form-actions">
          <Button isBusy={audit.isFetchingNextPage} onClick={() => void audit.fetchNextPage()}>
            Show older records
          </Button>
        </div>
      )}
      {opened !== undefined && <AuditDetails entry={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
