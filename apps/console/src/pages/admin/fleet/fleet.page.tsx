import type { BriefCluster } from "@butler/contract";
import { EmptyState, Meter, Page, Panel, StatusBadge, useNow } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import { useMemo } from "react";
import { useLiveList } from "../../../data/live.tsx";
import { clusterTone, phaseOf, teamOf } from "../../../parts/cluster-facts.ts";
import { LiveView } from "../../../parts/live-view.tsx";
import { fleetNumbers, minorVersionOf, problemsOf, providerOf, type Share, sharesOf } from "./fleet-facts.ts";
import { PlatformProblems } from "./platform-problems.tsx";

/** Live overview of the platform. */
export function FleetPage() {
  const list = useLiveList<BriefCluster>("clusters", { isBrief: true });
  return (
    <Page title="Fleet">
      <LiveView list={list}>{(clusters) => <Fleet clusters={clusters} />}</LiveView>
    </Page>
  );
}

/** Totals of a fleet and the clusters that need attention. */
export function Fleet({ clusters }: { readonly clusters: readonly BriefCluster[] }) {
  const numbers = fleetNumbers(clusters);
  return (
    <div className="b-columns">
      <Attention clusters={clusters} />
      <PlatformProblems />
      <Panel title="Clusters" aside={<Link to="/admin/clusters">All</Link>}>
        <Meter
          label="Ready"
          used={numbers.ready}
          limit={undefined}
          words={`${numbers.ready} of ${numbers.clusters} in ${numbers.teams} ${numbers.teams === 1 ? "team" : "teams"}`}
        />
        <Meter
          label="Nodes ready"
          used={0}
          limit={undefined}
          words={`${numbers.nodesReady} of ${numbers.nodesWanted}`}
        />
        <Phases clusters={clusters} />
      </Panel>
      <SharePanel title="By Kubernetes version" shares={sharesOf(clusters, minorVersionOf)} unnamed="Unknown" />
      <SharePanel title="By provider" shares={sharesOf(clusters, providerOf)} unnamed="Default" />
      <SharePanel title="By team" shares={sharesOf(clusters, teamOf).slice(0, 12)} unnamed="None" />
    </div>
  );
}

function Phases({ clusters }: { readonly clusters: readonly BriefCluster[] }) {
  return (
    <ul className="b-list" data-density="tight">
      {[...Map.groupBy(clusters, phaseOf)].map(([phase, some]) => (
        <li key={phase} className="b-line">
          <Link to="/admin/clusters" search={{ phase }}>
            <StatusBadge tone={some[0] === undefined ? "unknown" : clusterTone(some[0])}>{phase}</StatusBadge>
          </Link>
          <span className="b-numbers">{some.length}</span>
        </li>
      ))}
    </ul>
  );
}

interface SharePanelProps {
  readonly title: string;
  readonly shares: readonly Share[];
  readonly unnamed: string;
}

function SharePanel({ title, shares, unnamed }: SharePanelProps) {
  return (
    <Panel title={title}>
      {shares.length === 0 && <p className="b-soft">No data.</p>}
      <ul className="b-list" data-density="tight">
        {shares.map(({ name, count }) => (
          <li key={name} className="b-line">
            {name === "" ? (
              <span className="b-soft">{unnamed}</span>
            ) : (
              <Link to="/admin/clusters" search={{ q: name }}>
                {name}
              </Link>
            )}
            <span className="b-numbers">{count}</span>
          </li>
        ))}
      </ul>
    </Panel>
  );
}

const mostShown = 12;

function Attention({ clusters }: { readonly clusters: readonly BriefCluster[] }) {
  const now = useNow();
  const problems = useMemo(() => problemsOf(clusters, now), [clusters, now]);
  return (
    <Panel title="Needs attention" aside={<span className="b-numbers b-soft">{problems.length}</span>}>
      {clusters.length === 0 && (
        <EmptyState title="No clusters yet" command="butlerctl cluster create my-cluster --team my-team" />
      )}
      {clusters.length > 0 && problems.length === 0 && <p className="b-soft">All clusters are healthy.</p>}
      <ul className="b-list">
        {problems.slice(0, mostShown).map(({ cluster, tone, why }) => {
          const { name, namespace = "" } = cluster.metadata;
          return (
            <li key={`${namespace}/${name}`}>
              <div className="b-line">
                <StatusBadge tone={tone}>
                  <Link to="/t/$team/clusters/$namespace/$name" params={{ team: teamOf(cluster), namespace, name }}>
                    {name}
                  </Link>
                </StatusBadge>
                <span>{teamOf(cluster)}</span>
              </div>
              <p className="b-brief" dir="auto" title={why}>
                {why}
              </p>
            </li>
          );
        })}
      </ul>
      {problems.length > mostShown && <p className="b-soft">and {problems.length - mostShown} more</p>}
    </Panel>
  );
}
