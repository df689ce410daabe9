import { Chip, Notice, Page, StaleNotice, StatusBadge, TabLinks } from "@butler/ui";
import { getRouteApi, Link, Outlet } from "@tanstack/react-router";
import { clusterTone, clusterWord, descriptionOf, environmentOf } from "../../parts/cluster-facts.ts";
import { KubeconfigButton } from "./kubeconfig-button.tsx";
import { useCluster } from "./use-cluster.ts";

const route = getRouteApi("/signed-in/t/$team/clusters/$namespace/$name");

const tabs = [
  ["Overview", "/t/$team/clusters/$namespace/$name"],
  ["Nodes", "/t/$team/clusters/$namespace/$name/nodes"],
  ["Add-ons", "/t/$team/clusters/$namespace/$name/addons"],
  ["Addresses", "/t/$team/clusters/$namespace/$name/addresses"],
  ["Certificates", "/t/$team/clusters/$namespace/$name/certificates"],
  ["Events", "/t/$team/clusters/$namespace/$name/events"],
  ["Terminal", "/t/$team/clusters/$namespace/$name/terminal"],
  ["Settings", "/t/$team/clusters/$namespace/$name/settings"],
] as const;

/** A cluster: name, state, and tabs with their own URLs. */
export function ClusterPage() {
  const params = route.useParams();
  const { cluster, isStale, isGone } = useCluster();
  const environment = environmentOf(cluster);
  const description = descriptionOf(cluster);
  return (
    <Page
      title={<span className="c-name">{cluster.metadata.name}</span>}
      status={
        <>
          <StatusBadge tone={isGone ? "asleep" : clusterTone(cluster)}>
            {isGone ? "Deleted" : clusterWord(cluster)}
          </StatusBadge>
          {environment !== "" && <Chip>{environment}</Chip>}
        </>
      }
      actions={isGone ? undefined : <KubeconfigButton cluster={cluster} />}
    >
      {description !== "" && (
        <p className="b-brief" dir="auto" title={description}>
          {description}
        </p>
      )}
      {isGone && <Notice tone="attention">This cluster was deleted. The page shows its last known state.</Notice>}
      {isStale && <StaleNotice />}
      <TabLinks label="Cluster sections">
        {tabs.map(([label, to]) => (
          <Link
            key={to}
            to={to}
            params={params}
            className="b-tab"
            activeOptions={{ exact: true, includeSearch: false }}
          >
            {label}
          </Link>
        ))}
      </TabLinks>
      <Outlet />
    </Page>
  );
}
