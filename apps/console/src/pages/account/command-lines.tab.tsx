import { endCliLogin, listCliLogins, type RouteAnswer } from "@butler/contract";
import { Button, type Column, DataTable, EmptyState, Moment, useToast } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery, useRouteMutation } from "../../data/route-query.ts";
import { QueryView } from "../../parts/query-view.tsx";

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
    {
      id: "address",
      header: "From",
      cell: ({ sourceAddress }) => <span className="b-mono">{sourceAddress}</span>,
    },
    { id: "begun", header: "Since", width: "84px", align: "end", cell: ({ createdAt }) => <Moment at={createdAt} /> },
    {
      id: "used",
      header: "Last used",
      width: "84px",
      align: "end",
      isNarrow: true,
      cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
    },
    {
      id: "ends",
      header: "Ends",
      width: "112px",
      align: "end",
      cell: ({ expiresAt }) => <time dateTime={expiresAt}>{new Date(expiresAt).toLocaleDateString()}</time>,
    },
    {
      id: "end",
      header: "",
      width: "72px",
      align: "end",
      isButton: true,
      isNarrow: true,
      cell: ({ id, clientName }) => (
        <Button aria-label={`Sign out ${clientName}`} onClick={() => onEnd(id)}>
          End
        </Button>
      ),
    },
  ];
}
