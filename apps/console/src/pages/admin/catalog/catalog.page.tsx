import { listCatalog, type RouteAnswer } from "@butler/contract";
import { Chip, CodeBlock, type Column, Dialog, EmptyState, Facts } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { routeQuery } from "../../../data/route-query.ts";
import { nameColumn } from "../../../parts/columns.tsx";
import { ListPage } from "../shared/list-page.tsx";
import type { SearchProps } from "../shared/list-search.ts";
import { useListSearch } from "../shared/use-list-search.ts";
import { safeLinks } from "./safe-links.ts";

type Entry = RouteAnswer<typeof listCatalog>["addons"][number];

const route = getRouteApi("/signed-in/admin/catalog");

const columns: readonly Column<Entry>[] = [
  nameColumn("minmax(130px, 1.2fr)", ({ name }) => name),
  { id: "title", header: "Display name", sortBy: ({ displayName }) => displayName },
  { id: "category", header: "Category", sortBy: ({ category }) => category, cell: ({ category }) => category },
  { id: "version", header: "Version", width: "104px", isNarrow: true, sortBy: ({ defaultVersion }) => defaultVersion },
  {
    id: "chart",
    header: "Chart",
    width: "minmax(160px, 1.6fr)",
    sortBy: ({ chartName }) => chartName,
    cell: ({ chartName, chartRepository }) => <span title={chartRepository}>{chartName}</span>,
  },
  {
    id: "source",
    header: "Source",
    width: "112px",
    sortBy: ({ source }) => source,
    cell: ({ source, platform }) => (
      <>
        <Chip>{source === "builtin" ? "Butler" : "Custom"}</Chip> {platform && <Chip>platform</Chip>}
      </>
    ),
  },
];

const textsOf = ({ name, displayName, description, category, chartName }: Entry) => [
  name,
  displayName,
  description,
  category,
  chartName,
];

/** The add-ons that teams can choose from. */
export function CatalogPage() {
  return <Catalog {...useListSearch(route)} />;
}

/** The page without its route. */
export function Catalog(props: SearchProps) {
  return (
    <ListPage
      {...props}
      title="Catalog"
      label="Add-ons"
      query={useQuery(routeQuery(listCatalog, { query: { limit: 500 } }))}
      rowsOf={({ addons }) => addons}
      columns={columns}
      rowKey={({ name }) => name}
      textsOf={textsOf}
      empty={<EmptyState title="The catalog is empty" command="kubectl apply -f addon-definition.yaml" />}
      drawer={(entry, onClose) => <EntryDrawer entry={entry} onClose={onClose} />}
    />
  );
}

function EntryDrawer({ entry, onClose }: { readonly entry: Entry; readonly onClose: () => void }) {
  return (
    <Dialog isOpen onClose={onClose} place="right" title={entry.displayName}>
      <p dir="auto">{entry.description}</p>
      <Facts
        facts={[
          ["Name", <code key="name">{entry.name}</code>],
          ["Category", entry.category],
          ["Repository", entry.chartRepository],
          ["Chart", entry.chartName],
          ["Version", entry.defaultVersion],
          ["Other versions", entry.availableVersions.join(", ")],
          ["Namespace", entry.defaultNamespace],
          ["Depends on", entry.dependsOn.join(", ")],
          ["Conflicts with", entry.conflictsWith.join(", ")],
          ["Kubernetes", entry.kubernetesVersions],
          ["Values schema", entry.valuesSchema === undefined ? "None" : "Defined"],
          [
            "Links",
            safeLinks(entry.links).map(([name, address]) => (
              <a key={name} href={address} rel="noreferrer noopener" target="_blank">
                {name}{" "}
              </a>
            )),
          ],
        ]}
      />
      <CodeBlock text={`kubectl edit addondefinition ${entry.name}`} language="plain" label="Edit with kubectl" />
    </Dialog>
  );
}
