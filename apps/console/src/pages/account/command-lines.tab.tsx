import { endCliLogin, listCliLogins, type RouteAnswer } from "@butler/contract";
import { type Column, DataTable, EmptyState, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { QueryView } from "../../parts/query-view.tsx";
import { signInColumns } from "./sign-in-columns.tsx";

type Login = RouteAnswer<typeof listCliLogins>["logins"][number];

/** Command lines that act as whoever is signed in, and the way to end each. */
export function CommandLinesTab() {
  const toast = useToast();
  const logins = useQuery(routeQuery(listCliLogins, {}));
  const end = useRouteMutation(endCliLogin, {
    refreshes: [listCliLogins],
    onSuccess: () => toast({ kind: "done", title: "The command line is signed out" }),
    onError: (error) => toast({ kind: "failed", title: "It is still signed in", detail: error.message }),
  });
  return (
    <QueryView query={logins}>
      {({ logins: found }) => (
        <DataTable
          label="Command lines"
          rows={found}
          columns={columnsOf((name) => end.mutate({ params: { name } }))}
          rowKey={({ id }) => id}
          density="comfortable"
          empty={
            <EmptyState
              title="No command line is signed in as you"
              sentence="Sign one in, and approve it here."
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
      header: "Called itself",
      width: "minmax(150px, 2fr)",
      isNarrow: true,
      cell: ({ clientName }) => (
        <span title={clientName}>{clientName === "" ? <span className="b-soft">did not say</span> : clientName}</span>
      ),
    },
    ...signInColumns<Login>({
      usedAt: ({ lastUsedAt }) => lastUsedAt,
      endLabel: ({ clientName }) => `Sign out ${clientName}`,
      onEnd,
    }),
  ];
}
