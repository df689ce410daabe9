import { setTimeout as wait } from "node:timers/promises";
import { TenantAddon, TenantCluster } from "@butler/api";
import { type ApiClient, listAll } from "@butler/kube";
import { builtinKinds, keyOf, keyText } from "@butler/resource";
import { clusterName, type FleetSize, makeCluster, object, teamName, writtenAnnotation } from "./server-fleet.ts";
import type { FinalObject, FinalState } from "./server-live-protocol.ts";

/** Rate and duration of changes. */
export interface WritePace {
  readonly perSecond: number;
  readonly seconds: number;
}

/** Result of the writes. */
export interface WriteResult {
  readonly writes: number;
  readonly perSecond: number;
  readonly failures: readonly string[];
  /** Response times of the API server, in milliseconds. */
  readonly tookMs: readonly number[];
}

/** Maximum number of concurrent writes; a write that cannot start in time is delayed, and the rate shows it. */
const mostAtOnce = 32;

/**
 * Changes clusters of all teams, moves some between teams, creates and deletes some, and changes add-ons and events.
 */
export class FleetWriter {
  readonly #client: ApiClient;
  readonly #size: FleetSize;
  readonly #failures: string[] = [];
  readonly #tookMs: number[] = [];
  /** Current team of the clusters that move: the first ones of each team. */
  readonly #movedTo = new Map<number, number>();
  readonly #extras: { readonly name: string; readonly namespace: string }[] = [];
  #count = 0;

  constructor(client: ApiClient, size: FleetSize) {
    this.#client = client;
    this.#size = size;
  }

  /** Writes at a steady rate; a slow write does not delay the others. */
  async run({ perSecond, seconds }: WritePace): Promise<WriteResult> {
    const beganAt = performance.now();
    const before = this.#count;
    const under = new Set<Promise<void>>();
    while (performance.now() - beganAt < seconds * 1_000) {
      const due = ((performance.now() - beganAt) / 1_000) * perSecond;
      while (this.#count - before < due && under.size < mostAtOnce) {
        const write: Promise<void> = this.#write(this.#count++).finally(() => under.delete(write));
        under.add(write);
      }
      await wait(5);
    }
    await Promise.all(under);
    const writes = this.#count - before;
    const [tookMs, failures] = [this.#tookMs.splice(0), this.#failures.splice(0)];
    const tookSeconds = (performance.now() - beganAt) / 1_000;
    return { writes, perSecond: writes / tookSeconds, failures, tookMs };
  }

  /** The current state according to the API server. */
  async final(): Promise<FinalState> {
    const clusters: FinalObject[] = [];
    for await (const each of listAll(this.#client, TenantCluster)) {
      clusters.push({
        key: keyText(keyOf(each)),
        version: each.metadata.resourceVersion ?? "",
        team: each.spec.teamRef?.name ?? "",
      });
    }
    const addons: FinalObject[] = [];
    for await (const { metadata } of listAll(this.#client, TenantAddon)) {
      const { namespace = "", resourceVersion: version = "" } = metadata;
      addons.push({ key: keyText(metadata), version, team: namespace });
    }
    const events: FinalObject[] = [];
    for await (const { metadata } of listAll(this.#client, builtinKinds.Event)) {
      const { namespace = "" } = metadata;
      if (namespace.startsWith("team-")) events.push({ key: keyText(metadata), version: "", team: namespace });
    }
    return { clusters, addons, events };
  }

  async #write(number: number): Promise<void> {
    const beganAt = performance.now();
    try {
      await this.#change(number);
      this.#tookMs.push(performance.now() - beganAt);
    } catch (error) {
      this.#failures.push(error instanceof Error ? error.message : String(error));
    }
  }

  #change(number: number): Promise<unknown> {
    const { teams } = this.#size;
    // Distributed over all teams and their clusters, in an order that repeats only after all of them.
    const team = (number * 37) % teams;
    const kind = number % 20;
    if (kind === 0) return this.#make(team, number);
    if (kind === 10) return this.#delete();
    if (kind === 5 || kind === 15) return this.#move(team);
    if (kind === 3) return this.#touchAddon(team, number);
    if (kind === 13) return this.#tell(team, number);
    const name = clusterName(2 + (Math.floor(number / teams) % (this.#size.clustersPerTeam - 2)));
    return this.#patch(name, teamName(team), { spec: { workers: { replicas: 1 + (number % 9) } } });
  }

  #patch(name: string, namespace: string, rest: object): Promise<unknown> {
    const annotations = { [writtenAnnotation]: String(Date.now()) };
    const patch = { metadata: { annotations }, ...rest };
    return this.#client.patch(TenantCluster, { name, namespace }, { type: "merge", patch });
  }

  async #make(team: number, number: number): Promise<void> {
    const name = `extra-${Date.now()}-${number}`;
    await makeCluster(this.#client, { team, at: number }, name);
    this.#extras.push({ name, namespace: teamName(team) });
  }

  async #delete(): Promise<void> {
    const oldest = this.#extras.shift();
    if (oldest !== undefined) await this.#client.delete(TenantCluster, oldest);
  }

  #move(team: number): Promise<unknown> {
    const to = ((this.#movedTo.get(team) ?? team) + 1) % this.#size.teams;
    this.#movedTo.set(team, to);
    return this.#patch(clusterName(0), teamName(team), { spec: { teamRef: { name: teamName(to) } } });
  }

  #touchAddon(team: number, number: number): Promise<unknown> {
    const patch = { spec: { version: `1.18.${number % 50}` } };
    return this.#client.patch(TenantAddon, { name: "cilium", namespace: teamName(team) }, { type: "merge", patch });
  }

  #tell(team: number, number: number): Promise<unknown> {
    const { Event } = builtinKinds;
    const namespace = teamName(team);
    const involvedObject = { kind: "TenantCluster", name: clusterName(1), namespace };
    const body = { involvedObject, reason: "Measured", message: `change ${number}`, type: "Normal" };
    return this.#client.create(Event, object(Event, { name: `event-${Date.now()}-${number}`, namespace }, body));
  }
}
