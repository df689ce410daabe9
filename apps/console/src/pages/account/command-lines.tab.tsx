import { endCliLogin, listCliLogins, type RouteAnswer } from "@butler/contract";
import { type Column, DataTable, EmptyState, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { QueryView } from "../../parts/query-view.tsx";
import { signInColumns } from "./sign-in-columns.tsx";

type Login = RouteAnswer<typeof listCliLogins>["logins"][number];

/** CLI sessions of the signed-in user, each with a button to end it. */
export function CommandLinesTab() {
  const toast = useToast();
  const logins = useQuery(routeQuery(listCliLogins, {}));
  const end = useRouteMutation(endCliLogin, {
    refreshes: [listCliLogins],
    onSuccess: () => toast({ kind: "done", title: "CLI session ended" }),
    onError: (error) => toast({ kind: "failed", title: "Could not end the CLI session", detail: error.message }),
  });
  return (
    <QueryView query={logins}>
      {({ logins: found }) => (
        <DataTable
          label="CLI sessions"
          rows={found}
          columns={columnsOf((name) => end.mutate({ params: { name } }))}
          rowKey={({ id }) => id}
          density="comfortable"
          empty={
            <EmptyState
              title="No CLI sessions"
              sentence="Sign in with butlerctl, then approve the request here."
              command={`butlerctl login --server ${location.origin}`}
            />
          }
        />
      )}
    </QueryView>
  );
}

function columnsOf(onEnd: (id: string) => void): readonly Column<Login>[] {
  return [
    {
      id: "name",
      header: "Client",
      width: "minmax(150px, 2fr)",
      isNarrow: true,
      cell: ({ clientName }) => (
        <span title={clientName}>{clientName === "" ? <span className="b-soft">unnamed</span> : clientName}</span>
      ),
    },
    ...signInColumns<Login>({
      usedAt: ({ lastUsedAt }) => lastUsedAt,
      endLabel: ({ clientName }) => `Sign out ${clientName}`,
      onEnd,
    }),
  ];
}
