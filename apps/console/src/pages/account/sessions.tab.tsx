import { endOtherSessions, endOwnSession, listOwnSessions, type RouteAnswer } from "@butler/contract";
import { Button, Chip, type Column, DataTable, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { AskFirst } from "../../parts/ask-first.tsx";
import { QueryView } from "../../parts/query-view.tsx";
import { signInColumns } from "./sign-in-columns.tsx";
import { browserWords } from "./user-agent.ts";

type Session = RouteAnswer<typeof listOwnSessions>["sessions"][number];

/** Browser sessions of the signed-in user, with buttons to end them. */
export function SessionsTab() {
  const toast = useToast();
  const sessions = useQuery(routeQuery(listOwnSessions, {}));
  const [isAsking, setAsking] = useState(false);
  const end = useRouteMutation(endOwnSession, {
    refreshes: [listOwnSessions],
    onSuccess: () => toast({ kind: "done", title: "Session ended" }),
    onError: (error) => toast({ kind: "failed", title: "Could not end the session", detail: error.message }),
  });
  const endOthers = useRouteMutation(endOtherSessions, {
    refreshes: [listOwnSessions],
    onSuccess: ({ ended }) => {
      setAsking(false);
      toast({ kind: "done", title: ended === 1 ? "1 session ended" : `${ended} sessions ended` });
    },
  });
  return (
    <QueryView query={sessions}>
      {({ sessions: found, total }) => (
        <>
          <div className="b-form-actions">
            <p className="b-soft b-numbers" role="status">
              {total === 1 ? "Signed in on this browser only" : `Signed in on ${total} browsers`}
            </p>
            {found.some(({ isCurrent }) => !isCurrent) && (
              <Button kind="danger-quiet" onClick={() => setAsking(true)}>
                End all other sessions…
              </Button>
            )}
          </div>
          <DataTable
            label="Sessions"
            rows={found}
            columns={columnsOf((id) => end.mutate({ params: { session: id } }))}
            rowKey={({ id }) => id}
            density="comfortable"
          />
          {isAsking && (
            <AskFirst
              title="End all other sessions?"
              sentence="All other browsers are signed out immediately. This browser and your CLI sessions stay signed in."
              confirm="End sessions"
              isBusy={endOthers.isPending}
              error={endOthers.error}
              onConfirm={() => endOthers.mutate({})}
              onClose={() => setAsking(false)}
            />
          )}
        </>
      )}
    </QueryView>
  );
}

function columnsOf(onEnd: (id: string) => void): readonly Column<Session>[] {
  return [
    {
      id: "browser",
      header: "Browser",
      width: "minmax(150px, 2fr)",
      isNarrow: true,
      cell: ({ userAgent, isCurrent }) => (
        <span title={userAgent}>
          {browserWords(userAgent)} {isCurrent && <Chip>current</Chip>}
        </span>
      ),
    },
    {
      id: "method",
      header: "Method",
      cell: ({ method, provider }) => (method === "password" ? "Password" : (provider ?? "Identity provider")),
    },
    ...signInColumns<Session>({
      usedAt: ({ usedAt }) => usedAt,
      endLabel: ({ isCurrent, userAgent }) => (isCurrent ? undefined : `End session in ${browserWords(userAgent)}`),
      onEnd,
    }),
  ];
}
