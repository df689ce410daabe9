import { enableAddon } from "@butler/contract";
import { Button, type Column, DataTable, EmptyState, type Sorting } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { lazy, Suspense, useMemo, useState } from "react";
import { useActions } from "../../../app/actions.tsx";
import { useLiveList } from "../../../data/live.tsx";
import { displayNameColumn, sentenceColumn, stateColumn } from "../../../parts/columns.tsx";
import { addonsOf, addonState, type AddonView, type CatalogEntry, openUpgrade } from "../../../parts/addon-facts.ts";
import { catalogQuery } from "../../../parts/catalog-query.ts";
import { ToolbarEnd } from "../../../parts/filter-bar.tsx";
import { LiveView } from "../../../parts/live-view.tsx";
import { ProblemNotice } from "../../../parts/problem-view.tsx";
import { useMe } from "../../../session/me.ts";
import { refusalOf, rolesOf } from "../../../session/user-roles.ts";
import { useCluster } from "../use-cluster.ts";
import type { AddonsSearch } from "./addons-search.ts";
import "./addons.css";

const route = getRouteApi("/signed-in/t/$team/clusters/$namespace/$name/addons");
// The values editor is larger than the rest of the page, so it is loaded on first use.
const AddonDrawer = lazy(async () => ({ default: (await import("./addon-drawer.tsx")).AddonDrawer }));
const EnableAddon = lazy(async () => ({ default: (await import("./enable-addon.tsx")).EnableAddon }));
const noEntries: readonly CatalogEntry[] = [];
const noAddons: readonly AddonView[] = [];
const nothingChosen = "-";

/** The add-ons of the cluster, live, with their actions. */
export function AddonsTab() {
  const { team, namespace, name } = route.useParams();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { cluster } = useCluster();
  const list = useLiveList<AddonView>("addons", { namespace, cluster: name });
  const catalog = useQuery(catalogQuery);
  const entries = catalog.data?.addons ?? noEntries;
  const roles = rolesOf(useMe(), team);
  const refusal = refusalOf(enableAddon, roles);
  const key = useMemo(() => ({ namespace, name }), [namespace, name]);
  const show = (next: AddonsSearch): void => void navigate({ search: ({ env }) => ({ ...(env && { env }), ...next }) });
  const actions = useMemo(
    () =>
      refusal === undefined
        ? [{ id: "enable-addon", label: "Enable add-on", perform: () => show({ enable: nothingChosen }) }]
        : [],
    // The navigate function is stable for the lifetime of the page.
    [refusal, navigate],
  );
  useActions(actions);
  const addons = useMemo(() => addonsOf(list.items ?? noAddons, cluster), [list.items, cluster]);
  const open = addons.find((addon) => addon.name === search.addon);
  return (
    <LiveView list={list}>
      {() => (
        <>
          <div className="b-toolbar">
            {refusal !== undefined && <p className="b-soft">You have read-only access to add-ons. {refusal}</p>}
            <ToolbarEnd
              count={addons.length === 1 ? "1 add-on" : `${addons.length} add-ons`}
              actions={
                refusal === undefined && (
                  <Button kind="primary" onClick={() => show({ enable: nothingChosen })}>
                    Enable add-on
                  </Button>
                )
              }
            />
          </div>
          <ProblemNotice error={catalog.error} />
          <AddonTable addons={addons} entries={entries} onOpen={(addon) => show({ addon })} />
          <Suspense>
            {open !== undefined && (
              <AddonDrawer
                key={open.name}
                cluster={key}
                live={open}
                entry={entries.find((entry) => entry.name === open.addon)}
                task={search.task}
                roles={roles}
                onTask={(task) => show({ addon: open.name, task })}
                onClose={() => show({})}
              />
            )}
            {search.enable !== undefined && refusal === undefined && catalog.data !== undefined && (
              <EnableAddon
                cluster={key}
                entries={entries}
                installed={addons}
                chosen={search.enable}
                onChoose={(entry) => show({ enable: entry === "" ? nothingChosen : entry })}
                onClose={() => show({})}
                onEnabled={(addon) => show({ addon })}
              />
            )}
          </Suspense>
        </>
      )}
    </LiveView>
  );
}

/** Props of the table. */
export interface AddonTableProps {
  readonly addons: readonly AddonView[];
  readonly entries: readonly CatalogEntry[];
  readonly onOpen: (addon: string) => void;
}

/** Add-ons with phase and status message. */
export function AddonTable({ addons, entries, onOpen }: AddonTableProps) {
  const [sorting, setSorting] = useState<Sorting>({ column: "name", isDescending: false });
  const columns = useMemo(() => columnsFor(entries), [entries]);
  return (
    <DataTable
      label="Add-ons"
      rows={addons}
      columns={columns}
      rowKey={({ name }) => name}
      sorting={sorting}
      onSort={setSorting}
      onOpen={({ name }) => onOpen(name)}
      empty={<EmptyState title="No add-ons yet" sentence="Enable add-ons from the catalog." />}
    />
  );
}

function columnsFor(entries: readonly CatalogEntry[]): readonly Column<AddonView>[] {
  const entryOf = new Map(entries.map((entry) => [entry.name, entry]));
  return [
    stateColumn("150px", addonState),
    displayNameColumn("minmax(140px, 1.5fr)"),
    {
      id: "version",
      header: "Version",
      width: "minmax(110px, 1fr)",
      cell: (addon) => <VersionCell addon={addon} upgrade={openUpgrade(addon, entryOf.get(addon.addon))} />,
    },
    sentenceColumn({ id: "message", header: "Message", width: "minmax(160px, 3fr)" }, ({ status }) => status.message),
    {
      id: "keeper",
      header: "Managed by",
      width: "130px",
      sortBy: ({ platform, managedBy }) => (platform ? "platform" : managedBy),
    },
  ];
}

function VersionCell({ addon, upgrade }: { readonly addon: AddonView; readonly upgrade: string | undefined }) {
  const { installedVersion } = addon.status;
  const asked = addon.version !== "" && addon.version !== installedVersion ? addon.version : undefined;
  const next = asked ?? upgrade;
  return (
    <span className="b-mono">
      {installedVersion || "–"}
      {next !== undefined && (
        <span className="b-soft">
          {" "}
          <span aria-hidden="true">{asked === undefined ? "↑" : "→"}</span>
          <span className="b-unseen">{asked === undefined ? "upgradable to" : "changing to"}</span> {next}
        </span>
      )}
    </span>
  );
}
