import { enableAddon } from "@butler/contract";
import { Chip, type Column, DataTable, EmptyState, Page, type Sorting } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { useState } from "react";
import { useLiveList } from "../../data/live.tsx";
import { displayNameColumn, sentenceColumn } from "../../parts/columns.tsx";
import type { CatalogEntry } from "../../parts/addon-facts.ts";
import { catalogQuery } from "../../parts/catalog-query.ts";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import { FilterBar } from "../../parts/filter-bar.tsx";
import { QueryView } from "../../parts/query-view.tsx";
import { useMe } from "../../session/me.ts";
import { isAllowed, rolesOf } from "../../session/user-roles.ts";
import type { CatalogSearch } from "./catalog-search.ts";
import { EntryDrawer } from "./entry-drawer.tsx";
import { clustersWithout, type PlacedAddon, selectEntries, usersOf } from "./select.ts";

const route = getRouteApi("/signed-in/t/$team/catalog");
const noAddons: readonly PlacedAddon[] = [];
const noClusters: readonly ClusterView[] = [];

/** The catalog of add-ons that a team can enable. */
export function CatalogPage() {
  const { team } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(catalogQuery);
  const { items: addons = noAddons } = useLiveList<PlacedAddon>("addons", { team });
  const { items: clusters = noClusters } = useLiveList<ClusterView>("clusters", { team });
  const mayEnable = isAllowed(enableAddon, rolesOf(useMe(), team));
  const change = (next: CatalogSearch): void =>
    void navigate({ search: (before) => ({ ...before, ...next }), replace: next.entry === undefined });
  return (
    <Page title="Catalog" isFilling>
      <QueryView query={query}>
        {({ addons: entries, categories }) => (
          <>
            <Catalog entries={entries} categories={categories} search={search} onSearch={change} />
            <EntryDrawer
              team={team}
              entry={entries.find(({ name }) => name === search.entry)}
              users={usersOf(search.entry ?? "", addons)}
              free={mayEnable ? clustersWithout(search.entry ?? "", { clusters, addons }) : []}
              onClose={() => change({ entry: undefined })}
            />
          </>
        )}
      </QueryView>
    </Page>
  );
}

const columns: readonly Column<CatalogEntry>[] = [
  displayNameColumn("minmax(150px, 1fr)"),
  sentenceColumn(
    { id: "description", header: "Description", width: "minmax(180px, 3fr)", isNarrow: true },
    ({ description }) => description,
  ),
  {
    id: "category",
    header: "Category",
    width: "120px",
    sortBy: ({ category }) => category,
    cell: ({ category }) => <Chip>{category}</Chip>,
  },
  {
    id: "version",
    header: "Version",
    width: "110px",
    cell: ({ defaultVersion }) => <span className="b-mono">{defaultVersion}</span>,
  },
  {
    id: "source",
    header: "Source",
    width: "100px",
    sortBy: ({ source }) => source,
    cell: ({ source, platform }) => (platform ? "platform" : source === "builtin" ? "Butler" : "custom"),
  },
];

/** Entries and filters of the catalog. */
export interface CatalogProps {
  readonly entries: readonly CatalogEntry[];
  readonly categories: readonly { readonly name: string; readonly count: number }[];
  readonly search: CatalogSearch;
  readonly onSearch: (change: CatalogSearch) => void;
}

/** Search, categories and entries. */
export function Catalog({ entries, categories, search, onSearch }: CatalogProps) {
  const [sorting, setSorting] = useState<Sorting>({ column: "name", isDescending: false });
  const shown = selectEntries(entries, search);
  return (
    <>
      <FilterBar
        label="Search the catalog"
        placeholder="Search by name, chart, description…"
        text={search.q}
        onText={(q) => onSearch({ q })}
        chips={categories.map(({ name, count }) => ({ value: name, label: name, count }))}
        chosen={search.category}
        onChoose={(category) => onSearch({ category })}
        count={`${shown.length} of ${entries.length}`}
      />
      <DataTable
        label="Catalog"
        rows={shown}
        columns={columns}
        rowKey={({ name }) => name}
        sorting={sorting}
        onSort={setSorting}
        onOpen={({ name }) => onSearch({ entry: name })}
        isFilling
        empty={
          entries.length === 0 ? (
            <EmptyState title="The catalog is empty" sentence="Platform admins can add entries." />
          ) : (
            <EmptyState title="No matching entries" sentence="Clear a filter." />
          )
        }
      />
    </>
  );
}
