import { type TenantAddon, type TenantCluster, TenantControlPlane } from "@butler/api";
import type { LiveChannel } from "@butler/contract";
import type { Informer, StoreEvent } from "@butler/kube";
import { type DynamicObject, keyOf, keyText, type KubeObject } from "@butler/resource";
import { type Clock, isRecord, type Timer } from "@butler/std";
import type { ServerState } from "../state/state.ts";
import { showAddon } from "../views/addon-view.ts";
import { briefCluster } from "../views/brief-cluster.ts";
import { objectView } from "../views/object-view.ts";
import { showEvent } from "@butler/diagnosis";
import type { ChannelLog } from "./channel-log.ts";
import { LiveItem } from "./live-item.ts";
import {
  addonNotification,
  certificateNotification,
  clusterNotification,
  type Notification,
  teamNotification,
} from "./notifications.ts";

type Logs = Readonly<Record<LiveChannel, ChannelLog>>;

const tenantNamespace = "tenantNamespace";

/** Interval for checking the expiration of certificates, which happens without any object changing. */
const certificatesEveryMs = 3_600_000;

/** Maximum number of kept notifications. */
const mostNotifications = 500;

/** Fills the channels from the caches, and keeps them up to date. Returns a function that stops it. */
export function followState(state: ServerState, logs: Logs, clock: Clock): () => void {
  const channels = new Channels(state, logs, clock);
  const life: { stop: (() => void) | undefined; isOver: boolean } = { stop: undefined, isOver: false };
  const { clusters, addons, events, definitions } = state;
  const begin = async (): Promise<void> => {
    await Promise.all([clusters, addons, events, definitions, channels.controlPlanes].map(({ synced }) => synced));
    if (!life.isOver) life.stop = channels.follow();
  };
  void begin();
  return () => {
    life.isOver = true;
    life.stop?.();
  };
}

class Channels {
  readonly #state: ServerState;
  readonly #logs: Logs;
  readonly #clock: Clock;
  readonly controlPlanes: Informer<typeof TenantControlPlane>;
  #isFilling = true;

  constructor(state: ServerState, logs: Logs, clock: Clock) {
    this.#state = state;
    this.controlPlanes = state.caches.of(TenantControlPlane);
    this.#logs = logs;
    this.#clock = clock;
    state.clusters.addIndex(tenantNamespace, ({ status }) =>
      status?.tenantNamespace === undefined ? [] : [status.tenantNamespace],
    );
  }

  follow(): () => void {
    const { clusters, addons, events, teams } = this.#state;
    const stops = [
      clusters.addHandler((event) => this.#onCluster(event)),
      addons.addHandler((event) => this.#onAddon(event)),
      events.addHandler(({ type, object }) => {
        if (type === "delete") this.#logs.events.remove(keyText(keyOf(object)));
        else this.#putEvent(object);
      }),
      teams.addHandler((event) => this.#notify(teamNotification(event, this.#clock.now()))),
      this.controlPlanes.addHandler(({ type, object }) => type !== "delete" && this.#checkCertificates(object)),
    ];
    this.#isFilling = false;
    let timer = this.#clock.after(certificatesEveryMs, () => this.#checkAll((next) => (timer = next)));
    return () => {
      timer.cancel();
      stops.forEach((stop) => stop());
    };
  }

  #checkAll(keep: (timer: Timer) => void): void {
    for (const each of this.controlPlanes.list()) this.#checkCertificates(each);
    keep(this.#clock.after(certificatesEveryMs, () => this.#checkAll(keep)));
  }

  #checkCertificates(controlPlane: TenantControlPlane): void {
    const cluster = this.#state.clusters.byIndex(tenantNamespace, controlPlane.metadata.namespace ?? "")[0];
    if (cluster !== undefined) this.#notify(certificateNotification(controlPlane, cluster, this.#clock.now()));
  }

  #onCluster(event: StoreEvent<TenantCluster>): void {
    const { type, object } = event;
    const key = keyText(keyOf(object));
    if (type === "delete") this.#logs.clusters.remove(key);
    else {
      const facts = { key, ...placeOf(object, object) };
      const brief = (): unknown => briefCluster(object);
      this.#logs.clusters.put(new LiveItem(facts, () => objectView(object), brief));
    }
    const isElsewhere =
      type !== "update" ||
      event.previous.spec.teamRef?.name !== object.spec.teamRef?.name ||
      event.previous.status?.tenantNamespace !== object.status?.tenantNamespace;
    // While the channels are being filled, the parts arrive on their own after the clusters.
    if (isElsewhere && !this.#isFilling) this.#refreshParts(object);
    this.#notify(clusterNotification(event, this.#clock.now()));
  }

  /** Visibility of a cluster's objects follows from the cluster. */
  #refreshParts(cluster: TenantCluster): void {
    for (const addon of this.#state.addonsOf(cluster)) this.#putAddon(addon);
    const { namespace = "" } = cluster.metadata;
    const namespaces = new Set([namespace, cluster.status?.tenantNamespace ?? namespace]);
    for (const each of namespaces) for (const event of this.#state.eventsIn(each)) this.#putEvent(event);
  }

  #onAddon(event: StoreEvent<TenantAddon>): void {
    const { type, object } = event;
    if (type === "delete") return this.#logs.addons.remove(keyText(keyOf(object)));
    this.#putAddon(object);
    const team = this.#clusterOfAddon(object)?.spec.teamRef?.name;
    this.#notify(addonNotification(event, { team, now: this.#clock.now() }));
  }

  #putAddon(addon: TenantAddon): void {
    const definition = this.#state.definitions.get({ name: addon.spec.addon ?? "" });
    const { namespace } = addon.metadata;
    const facts = { key: keyText(keyOf(addon)), ...placeOf(this.#clusterOfAddon(addon), addon) };
    // Values can contain secrets, and all clients share one text: users who may change values read them through the
    // API.
    const show = (): unknown => ({
      namespace,
      cluster: addon.spec.clusterRef.name,
      ...showAddon(addon, { definition, showsValues: false }),
    });
    this.#logs.addons.put(new LiveItem({ ...facts, cluster: addon.spec.clusterRef.name }, show));
  }

  #clusterOfAddon({ metadata, spec }: TenantAddon): TenantCluster | undefined {
    return this.#state.clusters.get({ namespace: metadata.namespace, name: spec.clusterRef.name });
  }

  #putEvent(event: DynamicObject): void {
    const cluster = this.#clusterOfEvent(event);
    const facts = { key: keyText(keyOf(event)), ...placeOf(cluster, event) };
    this.#logs.events.put(new LiveItem(facts, () => showEvent(event)));
  }

  #clusterOfEvent({ metadata, ...event }: DynamicObject): TenantCluster | undefined {
    const involved = isRecord(event["involvedObject"]) ? event["involvedObject"] : {};
    const text = (name: string): string => (typeof involved[name] === "string" ? involved[name] : "");
    const namespace = text("namespace") || (metadata.namespace ?? "");
    const key = { namespace, name: text("name") };
    if (text("kind") === "TenantCluster") return this.#state.clusters.get(key);
    const addon = text("kind") === "TenantAddon" ? this.#state.addons.get(key) : undefined;
    if (addon !== undefined) return this.#clusterOfAddon(addon);
    return this.#state.clusters.byIndex(tenantNamespace, namespace)[0];
  }

  #notify(notification: Notification | undefined): void {
    if (notification === undefined) return;
    const log = this.#logs.notifications;
    const { id: key, resourceRef } = notification;
    const { team, namespace, name, kind } = resourceRef;
    if (log.get(key) !== undefined) return;
    const cluster = kind === "TenantCluster" ? name : undefined;
    log.put(new LiveItem({ key, team, namespace, cluster }, () => notification));
    const [oldest] = log.values();
    if (oldest !== undefined && log.size > mostNotifications) log.remove(oldest.key);
  }
}

/** The cluster and team of an object. */
function placeOf(
  cluster: TenantCluster | undefined,
  { metadata }: KubeObject,
): {
  readonly team?: string | undefined;
  readonly namespace?: string | undefined;
  readonly cluster?: string | undefined;
} {
  return {
    team: cluster?.spec.teamRef?.name,
    namespace: cluster?.metadata.namespace ?? metadata.namespace,
    cluster: cluster?.metadata.name,
  };
}
