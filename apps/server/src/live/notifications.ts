import type { Team, TenantAddon, TenantCluster, TenantControlPlane } from "@butler/api";
import type { StoreEvent } from "@butler/kube";
import { findCondition, type KubeObject } from "@butler/resource";
import { isRecord } from "@butler/std";

/** A notification for users. */
export interface Notification {
  /** The same on every server, so that a client that reconnects to another one is notified once. */
  readonly id: string;
  readonly title: string;
  readonly message: string;
  readonly severity: "success" | "info" | "warning" | "error";
  readonly category: "cluster" | "addon" | "team" | "security";
  readonly timestamp: string;
  readonly resourceRef: {
    readonly kind: string;
    readonly name: string;
    readonly namespace?: string | undefined;
    readonly team?: string | undefined;
  };
}

type Words = Pick<Notification, "title" | "message" | "severity" | "category">;

/** The notification for a change of a cluster, if any. */
export function clusterNotification(event: StoreEvent<TenantCluster>, now: Date): Notification | undefined {
  const cluster = event.object;
  const { name } = cluster.metadata;
  const team = cluster.spec.teamRef?.name;
  if (event.type === "delete") {
    const words: Words = { title: `${name} was deleted`, message: "", severity: "info", category: "cluster" };
    return notificationOf(cluster, { state: "deleted", words, team, now });
  }
  const state = clusterState(cluster);
  if (event.type === "update" && clusterState(event.previous) === state) return undefined;
  const words = clusterWords(state, cluster);
  // Clusters that were already ready at startup are not news.
  if (words === undefined || (event.type === "add" && words.severity === "success")) return undefined;
  return notificationOf(cluster, { state, words, team, now });
}

function clusterState({ status }: TenantCluster): string {
  const { phase = "Pending", conditions } = status ?? {};
  const isDegraded = phase === "Ready" && findCondition(conditions, "Ready")?.status === "False";
  return isDegraded ? "Degraded" : phase;
}

function clusterWords(state: string, { metadata, status }: TenantCluster): Words | undefined {
  const { name } = metadata;
  const message = findCondition(status?.conditions, "Ready")?.message ?? "";
  switch (state) {
    case "Ready":
      return { title: `${name} is ready`, message, severity: "success", category: "cluster" };
    case "Degraded":
      return { title: `${name} is degraded`, message, severity: "warning", category: "cluster" };
    case "Failed":
      return { title: `${name} failed`, message, severity: "error", category: "cluster" };
    default:
      return undefined;
  }
}

/** The notification for a change of an add-on, if any. */
export function addonNotification(
  event: StoreEvent<TenantAddon>,
  { team, now }: { readonly team: string | undefined; readonly now: Date },
): Notification | undefined {
  const { object } = event;
  const state = object.status?.phase;
  const isNews = event.type === "add" || (event.type === "update" && event.previous.status?.phase !== state);
  if (!isNews || (state !== "Failed" && state !== "Degraded")) return undefined;
  const where = `${object.metadata.name} in ${object.spec.clusterRef.name}`;
  const title = state === "Failed" ? `${where} failed` : `${where} is degraded`;
  const severity = state === "Failed" ? ("error" as const) : ("warning" as const);
  const words = { title, message: object.status?.message ?? "", severity, category: "addon" as const };
  return notificationOf(object, { state, words, team, now });
}

/** The notification for a team that nears or exceeds its limits. */
export function teamNotification(event: StoreEvent<Team>, now: Date): Notification | undefined {
  const { object } = event;
  const state = object.status?.quotaStatus;
  const isNews = event.type === "add" || (event.type === "update" && event.previous.status?.quotaStatus !== state);
  if (!isNews || (state !== "Warning" && state !== "Exceeded")) return undefined;
  const { name } = object.metadata;
  const title = state === "Exceeded" ? `${name} has exceeded its limits` : `${name} is near its limits`;
  const severity = state === "Exceeded" ? ("error" as const) : ("warning" as const);
  const words = { title, message: object.status?.quotaMessage ?? "", severity, category: "team" as const };
  return notificationOf(object, { state, words, team: name, now });
}

/** How long before its expiration users are notified of a certificate. */
const nearEndMs = 7 * 86_400_000;

/**
 * The notification for a control plane certificate that expires soon, although it should have been rotated long before.
 */
export function certificateNotification(
  { status }: TenantControlPlane,
  cluster: TenantCluster,
  now: Date,
): Notification | undefined {
  const ends = Object.values(status?.certificates ?? {}).flatMap((each: unknown) => {
    const end = isRecord(each) && typeof each["notAfter"] === "string" ? Date.parse(each["notAfter"]) : Number.NaN;
    return Number.isNaN(end) ? [] : [end];
  });
  const first = Math.min(...ends);
  if (ends.length === 0 || first - now.getTime() > nearEndMs) return undefined;
  const isOver = first <= now.getTime();
  const end = new Date(first).toISOString();
  const { name, uid = "" } = cluster.metadata;
  const words: Words = {
    title: `A certificate for ${name} ${isOver ? "has expired" : "expires soon"}`,
    message: `Valid until ${end}.`,
    severity: isOver ? "error" : "warning",
    category: "security",
  };
  const notification = notificationOf(cluster, { state: "certificate", words, team: cluster.spec.teamRef?.name, now });
  return { ...notification, id: `${uid}.certificate.${isOver ? "over" : "near"}.${first}` };
}

function notificationOf(
  object: KubeObject,
  {
    state,
    words,
    team,
    now,
  }: { readonly state: string; readonly words: Words; readonly team: string | undefined; readonly now: Date },
): Notification {
  const { name, namespace, uid = "", resourceVersion = "" } = object.metadata;
  return {
    id: `${uid}.${state.toLowerCase()}.${resourceVersion}`,
    ...words,
    timestamp: now.toISOString(),
    resourceRef: { kind: object.kind, name, namespace, team },
  };
}
