import type { BriefCluster } from "@butler/contract";
import { Chip, type Column } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import { recencyColumn, stateColumn } from "../../parts/columns.tsx";
import {
  clusterTone,
  clusterWord,
  environmentOf,
  ownerOf,
  teamOf,
  versionOf,
  workersOf,
} from "../../parts/cluster-facts.ts";

const name: Column<BriefCluster> = {
  id: "name",
  header: "Name",
  width: "minmax(150px, 2.2fr)",
  isNarrow: true,
  sortBy: ({ metadata }) => metadata.name,
  cell: (cluster) => (
    <Link
      to="/t/$team/clusters/$namespace/$name"
      params={{ team: teamOf(cluster), namespace: cluster.metadata.namespace ?? "", name: cluster.metadata.name }}
      className="b-mono"
      title={cluster.metadata.name}
    >
      {cluster.metadata.name}
    </Link>
  ),
};

const team: Column<BriefCluster> = {
  id: "team",
  header: "Team",
  width: "minmax(90px, 1fr)",
  sortBy: teamOf,
  cell: teamOf,
};

const rest: readonly Column<BriefCluster>[] = [
  {
    id: "environment",
    header: "Environment",
    sortBy: environmentOf,
    cell: (cluster) => environmentOf(cluster) !== "" && <Chip>{environmentOf(cluster)}</Chip>,
  },
  {
    id: "version",
    header: "Version",
    width: "minmax(110px, 0.9fr)",
    sortBy: versionOf,
    cell: (cluster) => <VersionCell cluster={cluster} />,
  },
  {
    id: "nodes",
    header: "Nodes",
    width: "72px",
    align: "end",
    isNarrow: true,
    sortBy: (cluster) => workersOf(cluster).ready,
    cell: (cluster) => {
      const { ready, wanted } = workersOf(cluster);
      return `${ready}/${wanted}`;
    },
  },
  { id: "owner", header: "Owner", width: "minmax(110px, 1.2fr)", sortBy: ownerOf, cell: ownerOf },
  // Ascending order puts the youngest first: age grows as the timestamp recedes.
  recencyColumn({ id: "age", header: "Age", width: "92px" }, ({ metadata }) => metadata.creationTimestamp),
];

const state = stateColumn<BriefCluster>("112px", (cluster) => ({
  tone: clusterTone(cluster),
  word: clusterWord(cluster),
}));

function VersionCell({ cluster }: { readonly cluster: BriefCluster }) {
  const running = versionOf(cluster);
  const wanted = cluster.spec.kubernetesVersion;
  return (
    <span className="b-mono">
      {running}
      {wanted !== undefined && wanted !== running && <span title={`Upgrading to ${wanted}`}> → {wanted}</span>}
    </span>
  );
}

/** Columns of the clusters of one team. */
export const teamColumns: readonly Column<BriefCluster>[] = [state, name, ...rest];

/** Columns of the clusters of all teams. */
export const fleetColumns: readonly Column<BriefCluster>[] = [state, name, team, ...rest];
