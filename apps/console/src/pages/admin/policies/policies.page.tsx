import type { ClusterCreationPolicy } from "@butler/api";
import { createPolicy, deletePolicy, listPolicies, type RouteAnswer } from "@butler/contract";
import { type Column, EmptyState } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { routeQuery } from "../../../data/route-query.ts";
import { nameColumn } from "../../../parts/columns.tsx";
import { useAnnouncedMutation } from "../../../parts/use-announced-mutation.ts";
import { ageColumn } from "../shared/age-column.tsx";
import { ConfirmByName } from "../shared/confirm-by-name.tsx";
import { ListPage } from "../shared/list-page.tsx";
import type { SearchProps } from "../shared/list-search.ts";
import { useListSearch } from "../shared/use-list-search.ts";
import { PolicyDialog } from "./policy-dialog.tsx";
import { ruleWords, scopeWords } from "./policy-form.ts";

type PolicyRow = Omit<RouteAnswer<typeof listPolicies>["policies"][number], "status"> &
  Pick<ClusterCreationPolicy, "status">;

const route = getRouteApi("/signed-in/admin/policies");

const columns: readonly Column<PolicyRow>[] = [
  nameColumn("minmax(130px, 1fr)", ({ metadata }) => metadata.name),
  { id: "for", header: "Scope", isNarrow: true, sortBy: ({ spec }) => scopeWords(spec) },
  {
    id: "providers",
    header: "Providers",
    sortBy: ({ spec }) => spec.targetProviders?.join(", ") ?? "",
    cell: ({ spec }) => spec.targetProviders?.join(", ") || "All",
  },
  {
    id: "rules",
    header: "Rules",
    width: "minmax(220px, 3fr)",
    cell: ({ spec }) => <span title={ruleWords(spec).join("\n")}>{ruleWords(spec).join(" · ")}</span>,
  },
  ageColumn,
];

const textsOf = ({ metadata, spec }: PolicyRow) => [metadata.name, scopeWords(spec), ...ruleWords(spec)];

/** The cluster creation policies. */
export function PoliciesPage() {
  return <Policies {...useListSearch(route)} />;
}

/** The page without its route. */
export function Policies(props: SearchProps) {
  const [deleting, setDeleting] = useState<string>();
  return (
    <>
      <ListPage
        {...props}
        title="Policies"
        query={useQuery(routeQuery(listPolicies, { query: { limit: 500 } }))}
        rowsOf={({ policies }) => policies as readonly PolicyRow[]}
        columns={columns}
        rowKey={({ metadata }) => metadata.name}
        textsOf={textsOf}
        empty={
          <EmptyState
            title="No policies yet"
            sentence="Without policies, users choose images, networks and storage freely. A policy restricts or recommends choices."
          />
        }
        add={{ label: "New policy", route: createPolicy, dialog: (onClose) => <PolicyDialog onClose={onClose} /> }}
        drawer={(policy, onClose) =>
          deleting === undefined && (
            <PolicyDialog
              key={policy.metadata.name}
              policy={policy}
              onClose={onClose}
              onDelete={() => setDeleting(policy.metadata.name)}
            />
          )
        }
      />
      {deleting !== undefined && (
        <DeletePolicy
          name={deleting}
          onClose={() => {
            setDeleting(undefined);
            props.onSearch({ open: undefined });
          }}
        />
      )}
    </>
  );
}

function DeletePolicy({ name, onClose }: { readonly name: string; readonly onClose: () => void }) {
  const remove = useAnnouncedMutation(deletePolicy, { refreshes: [listPolicies], onDone: onClose });
  return (
    <ConfirmByName
      title={`Delete policy ${name}?`}
      name={name}
      effects={["Its rules no longer apply to new clusters, unless another policy sets them."]}
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ params: { name } })}
      onClose={onClose}
    />
  );
}
