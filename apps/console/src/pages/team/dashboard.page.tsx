import { EmptyState, Meter, Page, Panel, StatusBadge } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import { newestFirst, type Notification } from "../../app/shell/news.ts";
import { NewsItem } from "../../app/shell/news-item.tsx";
import { type LiveListView, useLiveList } from "../../data/live.tsx";
import { type ClusterView, clusterTone, phaseOf } from "../../parts/cluster-facts.ts";
import { LiveView } from "../../parts/live-view.tsx";
import { usageByEnvironment } from "./usage.ts";
import { UsageMeters } from "./usage-meters.tsx";
import { useTeam, useTeamClusters } from "./use-team.ts";
import { useTeamUsage } from "./use-team-usage.ts";

/** Maximum number of notifications on the page; the bell lists all. */
const mostNews = 8;

/** Team overview: clusters by phase, usage, environments and notifications. */
export function DashboardPage() {
  const { team, view } = useTeam();
  const clusters = useTeamClusters(team);
  const usage = useTeamUsage(team, clusters.items);
  return (
    <Page title={view.displayName === "" ? team : view.displayName}>
      {view.description !== "" && (
        <p className="b-soft" dir="auto">
          {view.description}
        </p>
      )}
      <div className="b-columns">
        <ClustersPanel team={team} list={clusters} />
        <Panel
          title="Usage"
          aside={
            <Link to="/t/$team/usage" params={{ team }}>
              By environment and member
            </Link>
          }
        >
          <UsageMeters usage={usage} view={view} />
        </Panel>
        <EnvironmentsPanel list={clusters} />
        <NewsPanel team={team} />
      </div>
    </Page>
  );
}

function ClustersPanel({ team, list }: { readonly team: string; readonly list: LiveListView<ClusterView> }) {
  return (
    <Panel
      title="Clusters"
      aside={
        <Link to="/t/$team/clusters" params={{ team }}>
          All
        </Link>
      }
    >
      <LiveView list={list}>
        {(clusters) =>
          clusters.length === 0 ? (
            <EmptyState
              title="No clusters yet"
              sentence="Creating a cluster takes a few minutes."
              command={`butlerctl cluster create my-cluster --team ${team}`}
            />
          ) : (
            <ul className="b-list" data-density="tight">
              {[...Map.groupBy(clusters, phaseOf)].map(([phase, some]) => (
                <li key={phase} className="b-line">
                  <Link to="/t/$team/clusters" params={{ team }} search={{ phase }}>
                    <StatusBadge tone={some[0] === undefined ? "unknown" : clusterTone(some[0])}>{phase}</StatusBadge>
                  </Link>
                  <span className="b-numbers">{some.length}</span>
                </li>
              ))}
            </ul>
          )
        }
      </LiveView>
    </Panel>
  );
}

function EnvironmentsPanel({ list }: { readonly list: LiveListView<ClusterView> }) {
  const { team, view } = useTeam();
  if (view.environments.length === 0) return undefined;
  return (
    <Panel
      title="Environments"
      aside={
        <Link to="/t/$team/environments" params={{ team }}>
          All
        </Link>
      }
    >
      <LiveView list={list}>
        {(clusters) =>
          usageByEnvironment(clusters, view.environments).map(({ name, usage, maxClusters }) => (
            <Meter
              key={name}
              label={name === "" ? "No environment" : name}
              used={usage.clusters}
              limit={maxClusters}
              words={`${usage.clusters} ${maxClusters === undefined ? "clusters, no limit" : `of ${maxClusters} clusters`}`}
            />
          ))
        }
      </LiveView>
    </Panel>
  );
}

function NewsPanel({ team }: { readonly team: string }) {
  const list = useLiveList<Notification>("notifications", { team });
  return (
    <Panel title="Notifications">
      <LiveView list={list}>
        {(items) => (
          <ul className="b-list">
            {items.length === 0 && (
              <li className="b-soft">
                No notifications. Failures, limit warnings and expiring certificates appear here.
              </li>
            )}
            {newestFirst(items)
              .slice(0, mostNews)
              .map((news) => (
                <NewsItem key={news.id} {...news} />
              ))}
          </ul>
        )}
      </LiveView>
    </Panel>
  );
}
