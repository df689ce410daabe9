import type { TenantAddon } from "@butler/api";
import { builtinKinds, type Kind, keyText, type KubeObject, type ObjectKey } from "@butler/resource";
import type { Following, TenantClients } from "@butler/tenant-clients";
import type { ReleaseCluster } from "../release/effects.ts";

/** Dependencies of the hints. */
export interface TenantHintsOptions {
  readonly tenants: Pick<TenantClients, "follow" | "subscribe">;
  /** The add-ons of a cluster, by its key. */
  readonly addonsOf: (cluster: ObjectKey) => readonly TenantAddon[];
  /** Called with an add-on that may have changed. Must not block. */
  readonly onHint: (addon: ObjectKey) => void;
}

type TenantAccess = Extract<ReleaseCluster, { kind: "tenant" }>;

interface Attended {
  readonly kubeconfig: string;
  readonly followings: readonly Following<Kind>[];
}

const { Deployment, StatefulSet, DaemonSet } = builtinKinds;
/** Helm sets this label on everything that it creates. */
const labelSelector = "app.kubernetes.io/managed-by=Helm";
const nameAnnotation = "meta.helm.sh/release-name";
const namespaceAnnotation = "meta.helm.sh/release-namespace";

/** Reports changes to workloads of charts in tenants, so that add-ons need fewer inspections. */
export class TenantHints {
  readonly #options: TenantHintsOptions;
  readonly #attended = new Map<string, Attended>();
  readonly #stopListening: () => void;

  constructor(options: TenantHintsOptions) {
    this.#options = options;
    this.#stopListening = options.tenants.subscribe(({ type, key }) => {
      for (const [cluster, { kubeconfig }] of this.#attended) {
        if (kubeconfig !== keyText(key)) continue;
        // Watches of a deleted tenant end with it; the next inspection starts new ones.
        if (type === "gone") this.release(cluster);
        if (type !== "unreachable") this.#hintAll(cluster);
      }
    });
  }

  /** Watches a cluster, unless it is watched already. */
  attend({ cluster, kubeconfig }: TenantAccess): void {
    const name = keyText(cluster);
    const present = this.#attended.get(name);
    if (present?.kubeconfig === keyText(kubeconfig)) return;
    this.release(name);
    const followings = [Deployment, StatefulSet, DaemonSet].map((kind) => this.#follow(kind, cluster, kubeconfig));
    this.#attended.set(name, { kubeconfig: keyText(kubeconfig), followings });
  }

  /** Stops watching a cluster, by `namespace/name`. */
  release(cluster: string): void {
    const present = this.#attended.get(cluster);
    this.#attended.delete(cluster);
    for (const following of present?.followings ?? []) void following.stop();
  }

  /** How many clusters are watched. */
  get size(): number {
    return this.#attended.size;
  }

  async close(): Promise<void> {
    this.#stopListening();
    const followings = [...this.#attended.values()].flatMap((attended) => attended.followings);
    this.#attended.clear();
    await Promise.all(followings.map((following) => following.stop()));
  }

  #follow(kind: Kind, cluster: ObjectKey, kubeconfig: ObjectKey): Following<Kind> {
    let known: ReadonlyMap<string, string> = new Map();
    const onChange = (): void => {
      const current = versionsByRelease(following.list());
      const changed = changedReleases(known, current);
      known = current;
      if (changed.size > 0) this.#hint(cluster, changed);
    };
    const following: Following<Kind> = this.#options.tenants.follow(kubeconfig, {
      kind,
      labelSelector,
      metadataOnly: true,
      onChange,
    });
    return following;
  }

  #hint(cluster: ObjectKey, releases: ReadonlySet<string>): void {
    for (const { metadata, status } of this.#options.addonsOf(cluster)) {
      const { name, namespace } = status?.helmRelease ?? {};
      if (releases.has(`${namespace}/${name}`)) this.#options.onHint(metadata);
    }
  }

  #hintAll(cluster: string): void {
    const [namespace = "", name = ""] = cluster.split("/");
    for (const { metadata } of this.#options.addonsOf({ name, namespace })) this.#options.onHint(metadata);
  }
}

/** Resource versions of the objects of each release. */
function versionsByRelease(objects: readonly KubeObject[]): ReadonlyMap<string, string> {
  const versions = new Map<string, string>();
  for (const { metadata } of objects) {
    const { annotations = {}, resourceVersion } = metadata;
    const release = `${annotations[namespaceAnnotation]}/${annotations[nameAnnotation]}`;
    versions.set(release, `${versions.get(release) ?? ""} ${keyText(metadata)}@${resourceVersion}`);
  }
  return versions;
}

function changedReleases(before: ReadonlyMap<string, string>, now: ReadonlyMap<string, string>): ReadonlySet<string> {
  const names = new Set([...before.keys(), ...now.keys()]);
  return new Set([...names].filter((name) => before.get(name) !== now.get(name)));
}
