import type { Claim, Refusal } from "@butler/access";
import { labels, managedByButler, type TenantCluster } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import { builtinKinds, type DynamicObject } from "@butler/resource";
import { backoffDelayMs, type Clock, Conflict, NotFound, sleep } from "@butler/std";
import { readLedger, type Reservations, type StoredClaim, writeLedger } from "./entries.ts";
import { settleBatch, type Verdict } from "./settle-batch.ts";

/** Dependencies of a ledger. */
export interface QuotaLedgerOptions {
  readonly client: Pick<KubeClient, "find" | "create" | "replace">;
  readonly clock: Clock;
  /** Namespace of the ledgers; users without permissions there can neither read nor change them. */
  readonly namespace: string;
}

/** A request for quota. */
export interface LedgerRequest {
  /** The owner of the quota. All clusters that share limits share an account. */
  readonly account: string;
  readonly key: string;
  readonly after: Claim;
  readonly uid: string;
  readonly resourceVersion: string | undefined;
  /** When true, nothing is reserved. */
  readonly dryRun: boolean;
  /** Reads every cluster of the account from the API server, not from a cache. */
  readonly readClusters: () => Promise<readonly TenantCluster[]>;
  readonly storedIn: (clusters: readonly TenantCluster[]) => ReadonlyMap<string, StoredClaim>;
  /** Decides from the usage and reservations of every other cluster. */
  readonly judge: (others: readonly Claim[]) => readonly Refusal[];
  readonly signal: AbortSignal;
}

interface Waiting {
  readonly request: LedgerRequest;
  readonly resolve: (refusals: readonly Refusal[]) => void;
  readonly reject: (reason: unknown) => void;
}

const retries = { initialMs: 20, maximumMs: 500, factor: 2, jitter: 0.5 };

/**
 * Reserves quota before it is used. The API server calls admission before it stores, so two concurrent requests
 * would both find the last place free; each claim is therefore written into one object first, and of two
 * processes that do so at once the API server accepts one. Within a process, all requests that wait for the same
 * account are validated in order and written together, so a burst costs little more than one request.
 */
export class QuotaLedger {
  readonly #options: QuotaLedgerOptions;
  readonly #waiting = new Map<string, Waiting[]>();

  constructor(options: QuotaLedgerOptions) {
    this.#options = options;
  }

  /** Validates a claim and reserves the quota when it is granted. A denial reserves nothing. */
  claim(request: LedgerRequest): Promise<readonly Refusal[]> {
    return new Promise((resolve, reject) => {
      const waiting = this.#waiting.get(request.account);
      waiting?.push({ request, resolve, reject });
      if (waiting === undefined) void this.#work(request.account, { request, resolve, reject });
    });
  }

  /** Releases the reservation for the creation of a cluster that is known to be stored. */
  async forget({ account, key, uid }: Pick<LedgerRequest, "account" | "key" | "uid">): Promise<void> {
    const object = await this.#find(account);
    const reservations = readLedger(object?.["data"]);
    const found = reservations.get(key);
    if (object === undefined || found?.uid !== uid || found.resourceVersion !== undefined) return;
    reservations.delete(key);
    // On a conflict the write is skipped; the reservation expires on its own.
    await this.#write(account, object, reservations);
  }

  /** Settles the first request and all that arrive in the meantime. */
  async #work(account: string, first: Waiting): Promise<void> {
    const waiting = [first];
    this.#waiting.set(account, waiting);
    while (waiting.length > 0) await this.#settle(account, waiting.splice(0));
    this.#waiting.delete(account);
  }

  /** Answers every request, also on failure. */
  async #settle(account: string, batch: readonly Waiting[]): Promise<void> {
    try {
      for (let failures = 1; ; failures += 1) {
        const open = batch.filter(({ request }) => !request.signal.aborted);
        const requests = open.map(({ request }) => request);
        const verdicts = await this.#attempt(account, requests);
        if (verdicts !== undefined) {
          answer(open, verdicts);
          break;
        }
        await sleep(this.#options.clock, backoffDelayMs(retries, failures));
      }
    } catch (error) {
      for (const { reject } of batch) reject(error);
    }
    // Rejects aborted requests with their reason; for all others the promise is already settled.
    for (const { request, reject } of batch) reject(request.signal.reason);
  }

  /** One attempt; undefined when another writer changed the ledger in between. */
  async #attempt(account: string, requests: readonly LedgerRequest[]): Promise<readonly Verdict[] | undefined> {
    const [first] = requests;
    if (first === undefined) return [];
    // The ledger first: what is removed from it later was stored earlier, and so is among the clusters.
    const object = await this.#find(account);
    const clusters = await first.readClusters();
    const now = this.#options.clock.now();
    const settled = settleBatch(requests, { clusters, reservations: readLedger(object?.["data"]), now });
    if (!settled.isChanged) return settled.verdicts;
    return (await this.#write(account, object, settled.reservations)) ? settled.verdicts : undefined;
  }

  #find(account: string): Promise<DynamicObject | undefined> {
    const { client, namespace } = this.#options;
    return client.find(builtinKinds.ConfigMap, { name: ledgerName(account), namespace });
  }

  /** Writes unless another writer has changed the ledger since; returns whether it did. */
  async #write(account: string, object: DynamicObject | undefined, reservations: Reservations): Promise<boolean> {
    const { client, namespace } = this.#options;
    const next: DynamicObject = {
      apiVersion: "v1",
      kind: "ConfigMap",
      metadata: {
        name: ledgerName(account),
        namespace,
        labels: { [labels.managedBy]: managedByButler },
        resourceVersion: object?.metadata.resourceVersion,
      },
      data: writeLedger(reservations),
    };
    try {
      if (object === undefined) await client.create(builtinKinds.ConfigMap, next);
      else await client.replace(builtinKinds.ConfigMap, next);
      return true;
    } catch (error) {
      const isGone = error instanceof NotFound && object !== undefined;
      if (error instanceof Conflict || isGone) return false;
      throw error;
    }
  }
}

function answer(waiting: readonly Waiting[], verdicts: readonly Verdict[]): void {
  for (const [at, { resolve, reject }] of waiting.entries()) {
    const verdict = verdicts[at];
    if (verdict !== undefined && "refusals" in verdict) resolve(verdict.refusals);
    else reject(verdict?.error);
  }
}

/** The name of a ledger's ConfigMap. */
function ledgerName(account: string): string {
  return `quota-${account}`;
}
