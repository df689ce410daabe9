import type { ProviderConfig } from "@butler/api";
import { listProviders, putSettings, type RouteAnswer } from "@butler/contract";
import { Chip, CodeBlock, type Column, Dialog, EmptyState, Facts, Moment } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { routeQuery } from "../../../data/route-query.ts";
import { momentColumn, nameColumn, numberColumn, stateColumn } from "../../../parts/columns.tsx";
import { ListPage } from "../shared/list-page.tsx";
import type { SearchProps } from "../shared/list-search.ts";
import { useListSearch } from "../shared/use-list-search.ts";
import { Conditions } from "../shared/conditions.tsx";
import { NewProviderDialog } from "./new-provider-dialog.tsx";
import { providerKinds } from "./provider-manifest.ts";

type ProviderRow = Omit<RouteAnswer<typeof listProviders>["providers"][number], "status"> &
  Pick<ProviderConfig, "status">;

const route = getRouteApi("/signed-in/admin/providers");
const keyOf = ({ metadata }: ProviderRow): string => `${metadata.namespace}/${metadata.name}`;
const whose = ({ spec }: ProviderRow): string => (spec.scope?.type === "team" ? (spec.scope.teamRef?.name ?? "") : "");

function stateOf({ status }: ProviderRow) {
  if (status?.ready === true) return { tone: "ready", word: "Ready" } as const;
  return status?.ready === false
    ? ({ tone: "failed", word: "Not ready" } as const)
    : ({ tone: "unknown", word: "Unknown" } as const);
}

const columns: readonly Column<ProviderRow>[] = [
  nameColumn("minmax(140px, 1.4fr)", ({ metadata }) => metadata.name),
  {
    id: "type",
    header: "Infrastructure",
    sortBy: ({ spec }) => spec.provider,
    cell: ({ spec }) => providerKinds[spec.provider].label,
  },
  stateColumn("104px", stateOf),
  {
    id: "scope",
    header: "Scope",
    sortBy: whose,
    cell: (provider) => (whose(provider) === "" ? "All teams" : <Chip>{whose(provider)}</Chip>),
  },
  numberColumn(
    { id: "addresses", header: "Free addresses", width: "112px" },
    ({ status }) => status?.capacity?.availableIPs,
  ),
  {
    id: "room",
    header: "Capacity",
    width: "112px",
    align: "end",
    sortBy: ({ status }) => status?.capacity?.estimatedTenants ?? -1,
    cell: ({ status: { capacity } = {} }) =>
      capacity?.estimatedTenants === undefined ? "–" : `≈ ${capacity.estimatedTenants} clusters`,
  },
  momentColumn({ id: "asked", header: "Last probe", width: "84px" }, ({ status }) => status?.lastProbeTime),
];

const textsOf = (provider: ProviderRow) => [
  provider.metadata.name,
  provider.metadata.namespace,
  provider.spec.provider,
  whose(provider),
];

/** The infrastructure providers. */
export function ProvidersPage() {
  return <Providers {...useListSearch(route)} />;
}

/** The page without its route. */
export function Providers(props: SearchProps) {
  return (
    <ListPage
      {...props}
      title="Providers"
      query={useQuery(routeQuery(listProviders, { query: { limit: 500 } }))}
      rowsOf={({ providers }) => providers as readonly ProviderRow[]}
      columns={columns}
      rowKey={keyOf}
      textsOf={textsOf}
      empty={
        <EmptyState
          title="No providers yet"
          sentence="Clusters need a provider to run their machines on."
          command="kubectl explain providerconfig.spec"
        />
      }
      add={{
        label: "Add provider",
        // Adding infrastructure requires the permission to change platform settings.
        route: putSettings,
        dialog: (onClose) => <NewProviderDialog onClose={onClose} />,
      }}
      drawer={(provider, onClose) => <ProviderDrawer provider={provider} onClose={onClose} />}
    />
  );
}

function ProviderDrawer({ provider, onClose }: { readonly provider: ProviderRow; readonly onClose: () => void }) {
  const { metadata, status } = provider;
  return (
    <Dialog isOpen onClose={onClose} place="right" title={<span className="c-name">{metadata.name}</span>}>
      <ProviderFacts provider={provider} />
      <h3>Conditions</h3>
      <Conditions conditions={status?.conditions} />
      <CodeBlock
        text={`kubectl -n ${metadata.namespace} edit providerconfig ${metadata.name}`}
        language="plain"
        label="Edit with kubectl"
      />
      <CodeBlock
        text={`kubectl -n ${metadata.namespace} delete providerconfig ${metadata.name}`}
        language="plain"
        label="Delete with kubectl"
      />
    </Dialog>
  );
}

function ProviderFacts({ provider }: { readonly provider: ProviderRow }) {
  const { spec, status } = provider;
  const { network, limits } = spec;
  return (
    <Facts
      facts={[
        ["Infrastructure", providerKinds[spec.provider].label],
        ["Version", status?.providerVersion],
        ["Scope", whose(provider) === "" ? "All teams" : whose(provider)],
        ["Credentials", spec.credentialsRef && <code key="secret">{spec.credentialsRef.name}</code>],
        ["Addresses", network?.mode],
        ["Pools", network?.poolRefs?.map(({ name }) => name).join(", ")],
        ["Clusters per team", limits?.maxClustersPerTeam?.toString()],
        ["Nodes per team", limits?.maxNodesPerTeam?.toString()],
        ["Last validated", <Moment key="right" at={status?.lastValidationTime} />],
      ]}
    />
  );
}
