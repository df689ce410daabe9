import { randomBytes } from "node:crypto";
import type { AuditSegment } from "@butler/api";
import { AlreadyExists, type KubeClient } from "@butler/kube";
import { apiVersionOf, builtinKinds, type DynamicObject, type ObjectKey } from "@butler/resource";
import { type Clock, Conflict, describeError, isRecord, sleep, Unavailable } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import {
  type AnchoredChains,
  anchorsOfSegments,
  openAnchors,
  sealAnchors,
  withHead,
  withoutSegments,
} from "./anchors.ts";
import type { ChainHead } from "./chain.ts";

const { Secret } = builtinKinds;
const fieldManager = "butler-server";
const flushEveryMs = 2_000;

/** Options of the anchor. */
export interface AuditAnchorOptions {
  readonly client: Pick<KubeClient, "find" | "create" | "replace">;
  /** The Secret of the anchors and their key. */
  readonly key: ObjectKey;
  /** All stored segments: the anchors of a log that was not anchored before. */
  readonly segments: () => Promise<readonly AuditSegment[]>;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** The anchors as read: `pending` if nothing is anchored yet, `missing` if they were deleted, `changed` if forged. */
export type AnchorReading =
  { readonly state: "valid"; readonly chains: AnchoredChains } | { readonly state: "pending" | "missing" | "changed" };

interface Opened {
  readonly secret: DynamicObject;
  readonly macKey: Uint8Array;
  readonly chains: AnchoredChains | undefined;
}

/**
 * Beginnings and heads of all chains, outside of their segments, in a Secret with a keyed hash: deleted segments are
 * found by comparison. Shared by all replicas; written within a few seconds of each record.
 */
export class AuditAnchor {
  readonly #options: AuditAnchorOptions;
  readonly #over = new AbortController();
  /** Chains of this process: their heads, and where they begin unless they are anchored already. */
  readonly #own = new Map<string, { readonly first: number; readonly head: ChainHead }>();
  readonly #anchored = new Set<string>();
  #known: { readonly macKey: Uint8Array; readonly chains: AnchoredChains } | undefined;
  #isDirty = false;
  #running: Promise<void> | undefined;

  constructor(options: AuditAnchorOptions) {
    this.#options = options;
  }

  /** Notes the head of this process's chain and the first record of its open segment, to be written soon. */
  note(head: ChainHead, first: number): void {
    // A chain that is no longer anchored has expired: it goes on with its open segment.
    const known = this.#anchored.has(head.chain) ? undefined : this.#own.get(head.chain)?.first;
    this.#own.set(head.chain, { first: known ?? first, head });
    this.#isDirty = true;
    this.#running ??= this.#run().finally(() => (this.#running = undefined));
  }

  /** Writes what was noted, now. */
  async flush(): Promise<void> {
    this.#isDirty = false;
    const noted = [...this.#own.values()];
    await this.#change((chains) => noted.reduce((all, { head, first }) => withHead(all, head, first), chains));
    for (const { head } of noted) {
      this.#anchored.add(head.chain);
      // Only what comes later has to be written.
      if (this.#own.get(head.chain)?.head === head) this.#own.delete(head.chain);
    }
  }

  /** Accounts for segments that are about to be deleted because they expired. */
  expire(segments: { readonly gone: readonly AuditSegment[]; readonly kept: readonly AuditSegment[] }): Promise<void> {
    return this.#change((chains) => withoutSegments(chains, segments));
  }

  /** Reads the anchors, from the API server. */
  async read(): Promise<AnchorReading> {
    const opened = await this.#find();
    if (opened === undefined) return { state: this.#known === undefined ? "pending" : "missing" };
    // Another key verifies nothing.
    const isOwnKey = this.#known === undefined || Buffer.from(this.#known.macKey).equals(opened.macKey);
    if (opened.chains === undefined || !isOwnKey) return { state: "changed" };
    this.#known = { macKey: opened.macKey, chains: opened.chains };
    return { state: "valid", chains: opened.chains };
  }

  /** Writes what is left, and stops. */
  async close(): Promise<void> {
    this.#over.abort();
    await this.#running;
    if (this.#isDirty) await this.flush().catch((error: unknown) => this.#warn(error));
  }

  async #run(): Promise<void> {
    const { clock } = this.#options;
    while (this.#isDirty && !this.#over.signal.aborted) {
      await this.flush().catch((error: unknown) => {
        this.#isDirty = true;
        this.#warn(error);
      });
      await sleep(clock, flushEveryMs, this.#over.signal).catch(() => undefined);
    }
  }

  #warn(error: unknown): void {
    this.#options.logger.warn("failed to anchor the audit log", { error: describeError(error) });
  }

  async #change(change: (chains: AnchoredChains) => AnchoredChains): Promise<void> {
    for (let attempt = 0; attempt < 8; attempt++) {
      try {
        const opened = (await this.#find()) ?? (await this.#create());
        if (opened.chains === undefined) throw new Unavailable("the audit log anchors were modified by another client");
        const changed = change(opened.chains);
        if (changed !== opened.chains) await this.#replace(opened, changed);
        this.#known = { macKey: opened.macKey, chains: changed };
        return;
      } catch (error) {
        // Another replica was faster.
        if (!(error instanceof Conflict) && !(error instanceof AlreadyExists)) throw error;
      }
    }
    throw new Unavailable("too many concurrent changes to the audit log anchors");
  }

  async #find(): Promise<Opened | undefined> {
    const secret = await this.#options.client.find(Secret, this.#options.key, AbortSignal.timeout(5_000));
    if (secret === undefined) return undefined;
    const data = isRecord(secret["data"]) ? secret["data"] : {};
    const bytes = (name: string): Buffer => {
      const text = data[name];
      return Buffer.from(typeof text === "string" ? text : "", "base64");
    };
    const macKey = bytes("key");
    const sealed = { chains: bytes("chains").toString(), mac: bytes("mac").toString() };
    const chains = macKey.length < 32 ? undefined : openAnchors(sealed, macKey);
    return { secret, macKey, chains };
  }

  /** With what this process knows if the Secret was deleted, otherwise with what is stored. */
  async #create(): Promise<Opened> {
    const { client, key, segments, logger } = this.#options;
    if (this.#known !== undefined) logger.error("the audit log anchors were deleted; recreating them");
    const macKey = this.#known?.macKey ?? randomBytes(32);
    const chains = this.#known?.chains ?? anchorsOfSegments(await segments());
    const object = objectOf(key, { macKey, chains });
    return { secret: await client.create(Secret, object, { fieldManager }), macKey, chains };
  }

  async #replace({ secret, macKey }: Opened, chains: AnchoredChains): Promise<void> {
    const { name, namespace } = this.#options.key;
    const { resourceVersion } = secret.metadata;
    const object = objectOf({ name, namespace, resourceVersion }, { macKey, chains });
    await this.#options.client.replace(Secret, object, { fieldManager });
  }
}

function objectOf(
  metadata: ObjectKey & { readonly resourceVersion?: string | undefined },
  { macKey, chains }: { readonly macKey: Uint8Array; readonly chains: AnchoredChains },
): DynamicObject {
  const sealed = sealAnchors(chains, macKey);
  const encode = (value: Uint8Array | string): string => Buffer.from(value).toString("base64");
  const data = { key: encode(macKey), chains: encode(sealed.chains), mac: encode(sealed.mac) };
  return { apiVersion: apiVersionOf(Secret), kind: Secret.kind, metadata: { ...metadata }, type: "Opaque", data };
}
