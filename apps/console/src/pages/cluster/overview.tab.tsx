import { Facts, Moment, Panel, StatusBadge, Timeline, useNow } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect, useRef } from "react";
import { QueryView } from "../../parts/query-view.tsx";
import { type ClusterView, ownerOf, versionOf, workersOf } from "../../parts/cluster-facts.ts";
import { makingOf } from "./making-of.ts";
import { whyQuery } from "./queries.ts";
import { useCluster } from "./use-cluster.ts";

/** Progress, diagnosis and details of a cluster. */
export function OverviewTab() {
  const { cluster } = useCluster();
  return (
    <div className="b-columns">
      <Panel title="Progress">
        <Timeline label="Creation steps" steps={makingOf(cluster, useNow())} />
      </Panel>
      <WhyPanel cluster={cluster} />
      <Panel title="Details">
        <Facts facts={factsOf(cluster)} />
      </Panel>
      <PoolsPanel cluster={cluster} />
    </div>
  );
}

const whyTones = { well: "ready", busy: "working", stuck: "failed" } as const;
const whyWords = { well: "Healthy", busy: "In progress", stuck: "Action required" } as const;

function WhyPanel({ cluster }: { readonly cluster: ClusterView }) {
  const { namespace = "", name, resourceVersion } = cluster.metadata;
  const query = useQuery(whyQuery({ namespace, name }));
  const seen = useRef(resourceVersion);
  useEffect(() => {
    // Refetched when the cluster changes, not on a timer.
    if (seen.current !== resourceVersion) void query.refetch();
    seen.current = resourceVersion;
  }, [resourceVersion, query]);
  return (
    <Panel title="Diagnosis">
      <QueryView query={query}>
        {({ state, sentence, nextStep, chain }) => (
          <>
            <StatusBadge tone={whyTones[state]}>{whyWords[state]}</StatusBadge>
            <p dir="auto">{sentence}</p>
            {nextStep !== "" && <p className="b-soft">{nextStep}</p>}
            <ol className="c-chain" aria-label="Chain of causes">
              {chain.map((link) => (
                <li key={link} className="b-mono">
                  {link}
                </li>
              ))}
            </ol>
          </>
        )}
      </QueryView>
    </Panel>
  );
}

function PoolsPanel({ cluster }: { readonly cluster: ClusterView }) {
  const pools = cluster.status?.pools ?? [];
  if (pools.length === 0) return undefined;
  return (
    <Panel title="Pools">
      <Facts
        facts={pools.map(({ name, ready, desired, upToDate }) => [
          name,
          `${ready} of ${desired} ready${upToDate < desired ? `, ${upToDate} up to date` : ""}`,
        ])}
      />
    </Panel>
  );
}

function factsOf(cluster: ClusterView): readonly (readonly [string, ReactNode])[] {
  const { metadata, spec, status } = cluster;
  const { ready, wanted } = workersOf(cluster);
  return [
    [
      "Kubernetes",
      <span key="version" className="b-mono">
        {versionOf(cluster)}
      </span>,
    ],
    ["Nodes", `${ready} of ${wanted} ready`],
    ["Control plane", `${spec.controlPlane.replicas} ${spec.controlPlane.replicas === 1 ? "replica" : "replicas"}`],
    ["API server", status?.controlPlaneEndpoint && <span className="b-mono">{status.controlPlaneEndpoint}</span>],
    ["Provider", spec.providerConfigRef?.name],
    ["Pod network", spec.networking.podCIDR && <span className="b-mono">{spec.networking.podCIDR}</span>],
    ["Service network", spec.networking.serviceCIDR && <span className="b-mono">{spec.networking.serviceCIDR}</span>],
    ["Owner", ownerOf(cluster)],
    [
      "Namespace",
      <span key="namespace" className="b-mono">
        {metadata.namespace}
      </span>,
    ],
    [
      "Created",
      <span key="made">
        <Moment at={metadata.creationTimestamp} /> ago
      </span>,
    ],
  ];
}
