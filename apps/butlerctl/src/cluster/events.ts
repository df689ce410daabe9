import { TenantAddon, TenantCluster } from "@butler/api";
import { ageOf, type ObjectView, type Terminal } from "@butler/cli-kit";
import { readList, type Session } from "@butler/cli-session";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { Forbidden, NotFound } from "@butler/std";
import { type EventView, isAbout, showEvent } from "@butler/diagnosis";
import { type Command, Option } from "commander";
import { readAddons } from "../addon/facts.ts";
import { withRowsOptions } from "../rows-command.ts";
import { changesOf, type RowsOptions, showRows } from "../show-rows.ts";
import { clusterCommand, type ClusterOptions } from "./arguments.ts";
import { onCluster } from "./on-cluster.ts";

interface EventsOptions extends ClusterOptions, RowsOptions {
  readonly type?: "Normal" | "Warning";
}

/** An event with its name and namespace. */
export interface EventRow extends EventView {
  readonly name: string;
  readonly namespace: string;
}

/** `butlerctl cluster events`. */
export function eventsCommand(terminal: Terminal): Command {
  const command = clusterCommand("events", "List events for a cluster, newest last", [
    "butlerctl cluster events blue",
    "butlerctl cluster events blue --type Warning --watch",
    "butlerctl cluster events blue -o json",
  ]);
  return withRowsOptions(command)
    .addOption(new Option("--type <type>", "list only events of this type").choices(["Normal", "Warning"]))
    .action(
      onCluster<EventsOptions>(terminal, async (session, cluster, options) => {
        const namespaces = placesOf(cluster);
        await showRows(terminal, options, {
          view: eventsView(() => terminal.clock.now()),
          read: async () => {
            const rows = await readEvents(session, cluster);
            return rows.filter(({ type }) => options.type === undefined || type === options.type);
          },
          idOf: ({ namespace, name: event }) => `${namespace}/${event}`,
          changes: (signal) =>
            changesOf(
              session.client,
              namespaces.map((namespace) => ({ kind: builtinKinds.Event, scope: { namespace } })),
              signal,
            ),
          nothing: `No events found for ${cluster.metadata.name}. Kubernetes keeps events for one hour.`,
        });
      }),
    );
}

/** The namespaces in which events about a cluster are written. */
function placesOf({ metadata, status }: TenantCluster): string[] {
  const { namespace = "" } = metadata;
  return [...new Set([namespace, status?.tenantNamespace ?? namespace])];
}

async function readEvents(session: Session, cluster: TenantCluster): Promise<EventRow[]> {
  const { namespace: outside = "" } = cluster.metadata;
  const [addons, ...lists] = await Promise.all([
    readOwnAddons(session, cluster),
    ...placesOf(cluster).map((namespace) => readList(session, builtinKinds.Event, { namespace })),
  ]);
  const events = lists.flat().filter((event) => isOfCluster(event, { cluster, addons, outside }));
  return eventRows(events);
}

/** Events of its add-ons belong to the cluster; without permission to list add-ons, they are left out. */
async function readOwnAddons(session: Session, cluster: TenantCluster): Promise<readonly string[]> {
  try {
    return (await readAddons(session, cluster)).map(({ metadata }) => metadata.name);
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound) return [];
    throw error;
  }
}

interface Whose {
  readonly cluster: TenantCluster;
  readonly addons: readonly string[];
  /** The namespace of the cluster's own object. */
  readonly outside: string;
}

/** Every event in the tenant namespace belongs to the cluster; the team's namespace has events of other clusters too. */
export function isOfCluster(event: DynamicObject, { cluster, addons, outside }: Whose): boolean {
  if (event.metadata.namespace !== outside) return true;
  return (
    isAbout(event, TenantCluster.kind, cluster.metadata.name) ||
    addons.some((addon) => isAbout(event, TenantAddon.kind, addon))
  );
}

/** Events as rows, newest last. */
export function eventRows(events: readonly DynamicObject[]): EventRow[] {
  return events
    .map((event) => ({
      ...showEvent(event),
      name: event.metadata.name,
      namespace: event.metadata.namespace ?? "",
    }))
    .sort((left, right) => ((left.lastTimestamp ?? "") < (right.lastTimestamp ?? "") ? -1 : 1));
}

function eventsView(now: () => Date): ObjectView<EventRow> {
  return {
    nameOf: ({ name }) => `event/${name}`,
    columns: [
      { title: "LAST SEEN", value: ({ lastTimestamp }) => ageOf(lastTimestamp, now()) },
      {
        title: "TYPE",
        value: ({ type }) => type,
        style: ({ type }) => (type === "Warning" ? "bad" : undefined),
      },
      { title: "COUNT", value: ({ count }) => String(count), isWide: true },
      { title: "REASON", value: ({ reason }) => reason },
      { title: "OBJECT", value: ({ object }) => object.replace(" ", "/") },
      { title: "SOURCE", value: ({ source }) => source, isWide: true },
      { title: "MESSAGE", value: ({ message }) => message },
    ],
  };
}
