import { IPAllocation } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import { rangeOf } from "../shared/claims.ts";

/** Times are whole seconds. */
const slackMs = 1_000;

/** The current or last holder of an address. */
interface Holder {
  readonly uid: string;
  readonly name: string;
  /** When it can be allocated again; undefined while it is in use. */
  readonly freeFrom: string | undefined;
}

/**
 * Every version of every IPAllocation, as reported by the API server, and every violation: an address with two holders,
 * reuse without quarantine, or a claim whose addresses change.
 */
export class AddressHistory {
  readonly faults: string[] = [];
  versions = 0;
  readonly #holders = new Map<bigint, Holder>();
  readonly #ranges = new Map<string, string>();
  readonly #stopping = new AbortController();
  #resourceVersion = "";
  #ended: Promise<void> = Promise.resolve();

  async start(client: KubeClient): Promise<void> {
    const { resourceVersion, items } = await client.list(IPAllocation);
    for (const claim of items) this.#note(claim);
    this.#resourceVersion = resourceVersion;
    this.#ended = this.#follow(client);
  }

  /** Resolves once all events so far have been processed. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  /** Number of addresses in use. */
  get inUse(): number {
    return [...this.#holders.values()].filter(({ freeFrom }) => freeFrom === undefined).length;
  }

  /** A watch that the server ends is resumed; a server that lost the history would be an error. */
  async #follow(client: KubeClient): Promise<void> {
    const { signal } = this.#stopping;
    try {
      while (!signal.aborted) await this.#watch(client, signal);
    } catch (error) {
      if (!signal.aborted) this.faults.push(`the watch failed: ${String(error)}`);
    }
  }

  async #watch(client: KubeClient, signal: AbortSignal): Promise<void> {
    const resourceVersion = this.#resourceVersion;
    const stream = await client.watch(IPAllocation, { resourceVersion, timeoutSeconds: 600, signal });
    for await (const event of stream) {
      if (event.type === "BOOKMARK") this.#resourceVersion = event.resourceVersion;
      else {
        this.#resourceVersion = event.object.metadata.resourceVersion ?? "";
        if (event.type === "DELETED") this.#end(event.object);
        else this.#note(event.object);
      }
    }
  }

  #note(claim: IPAllocation): void {
    this.versions += 1;
    const { uid = "", name } = claim.metadata;
    const text = textOf(claim);
    const before = this.#ranges.get(uid) ?? text;
    if (before !== text) this.faults.push(`${name} had ${before} and now has ${text}`);
    const range = rangeOf(claim);
    if (range === undefined) return;
    this.#ranges.set(uid, text);
    const next = holderOf(claim);
    for (let address = range.first; address <= range.last; address++) {
      const holder = this.#holders.get(address);
      if (holder !== undefined && holder.uid !== uid) this.#compare(holder, claim, address);
      this.#holders.set(address, next);
    }
  }

  #compare(holder: Holder, { metadata, status }: IPAllocation, address: bigint): void {
    const { name } = metadata;
    const { allocatedAt = "" } = status ?? {};
    if (holder.freeFrom === undefined) this.faults.push(`${address} has two holders: ${holder.name} and ${name}`);
    else if (Date.parse(allocatedAt) + slackMs < Date.parse(holder.freeFrom)) {
      this.faults.push(`${address} went to ${name} at ${allocatedAt}, and was to rest until ${holder.freeFrom}`);
    }
  }

  #end(claim: IPAllocation): void {
    const isInUse = rangeOf(claim) !== undefined && claim.status?.phase !== "Released";
    if (isInUse) this.faults.push(`${claim.metadata.name} went with addresses in use`);
  }
}

function textOf({ status }: IPAllocation): string {
  return `${status?.startAddress ?? ""}-${status?.endAddress ?? ""}`;
}

function holderOf({ metadata, status }: IPAllocation): Holder {
  const { uid = "", name } = metadata;
  return { uid, name, freeFrom: status?.phase === "Released" ? (status.quarantineUntil ?? "") : undefined };
}
