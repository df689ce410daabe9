import { type Kind, kindId } from "@butler/resource";
import { InvalidInput, Timeout } from "@butler/std";
import { AnswerTooLarge, Gone } from "./api-errors.ts";
import type { KubeClient, ListOptions, Page } from "./client.ts";
import type { ObjectFor } from "./object-for.ts";
import type { WatchEvent, WatchStream } from "./watch.ts";

/** How much of a kind is read at most. */
export interface ReadLimits {
  /** Number of objects. */
  readonly maximumObjects?: number | undefined;
  /** Size of all answers together, in bytes. */
  readonly maximumBytes?: number | undefined;
  /** Time for all pages together. */
  readonly maximumMs?: number | undefined;
}

/** The largest answer that is read from a tenant cluster: each of its objects may have 1.5 MiB. */
export const tenantAnswerBytes = 16 * 1024 * 1024;

/** What is read of a kind in a tenant cluster, whose admins may create anything in any number. */
export const tenantReadLimits = {
  maximumObjects: 5_000,
  maximumBytes: 32 * 1024 * 1024,
  maximumMs: 60_000,
} as const satisfies ReadLimits;

const usualPage = 500;

/** Every object of a kind, page by page, so that no list has to fit into one answer. */
export async function* listAll<K extends Kind>(
  client: Pick<KubeClient, "list">,
  kind: K,
  { maximumObjects, maximumBytes, maximumMs, ...options }: ListOptions & ReadLimits = {},
): AsyncGenerator<ObjectFor<K>> {
  const amount = new ReadAmount(kind, { maximumObjects, maximumBytes, maximumMs });
  let limit = options.limit ?? usualPage;
  let continueToken: string | undefined;
  do {
    const page = await listPage(client, kind, { ...options, limit, continueToken });
    amount.add(page);
    yield* page.items;
    // Further pages are probably as large.
    ({ limit } = page);
    ({ continueToken } = page);
  } while (continueToken !== undefined);
}

/** Reads one page; a smaller one when the objects are too large for a page of that length. */
export async function listPage<K extends Kind>(
  client: Pick<KubeClient, "list">,
  kind: K,
  options: ListOptions & { readonly limit: number },
): Promise<Page<ObjectFor<K>> & { readonly limit: number }> {
  for (let { limit } = options; ; limit = Math.ceil(limit / 4)) {
    try {
      return { ...(await client.list(kind, { ...options, limit })), limit };
    } catch (error) {
      if (!(error instanceof AnswerTooLarge) || limit <= 1) throw error;
    }
  }
}

/** What was read of a kind so far. Throws when it becomes too much. */
export class ReadAmount {
  readonly #kind: Kind;
  readonly #limits: ReadLimits;
  readonly #beganMs = performance.now();
  #objects = 0;
  #bytes = 0;

  constructor(kind: Kind, limits: ReadLimits) {
    this.#kind = kind;
    this.#limits = limits;
  }

  /** Adds a page. */
  add({ items, bytes = 0 }: Pick<Page<unknown>, "items" | "bytes">): void {
    const { maximumMs } = this.#limits;
    this.#objects += items.length;
    this.#bytes += bytes;
    requireWithin(this.#kind, this.#limits, { objects: this.#objects, bytes: this.#bytes });
    if (maximumMs !== undefined && performance.now() - this.#beganMs > maximumMs) {
      throw new Timeout(`listing ${kindId(this.#kind)} took longer than ${maximumMs / 1_000} s`);
    }
  }

  get bytes(): number {
    return this.#bytes;
  }
}

/** Throws when a number of objects, or their size, is above the limits. */
export function requireWithin(
  kind: Kind,
  { maximumObjects = Number.POSITIVE_INFINITY, maximumBytes = Number.POSITIVE_INFINITY }: ReadLimits,
  { objects, bytes }: { readonly objects: number; readonly bytes: number },
): void {
  if (objects > maximumObjects) throw new TooMuch(kind, `more than ${maximumObjects} ${kindId(kind)}`);
  if (bytes <= maximumBytes) return;
  throw new TooMuch(kind, `more than ${Math.round(maximumBytes / 1024 / 1024)} MiB of ${kindId(kind)}`);
}

/** There is more of a kind than is read. */
export class TooMuch extends InvalidInput {
  constructor(kind: Kind, what: string) {
    super(`the tenant has ${what}`, {
      hint: `Delete some ${kindId(kind)} in the tenant; Butler does not read that many.`,
    });
  }
}

/** Callbacks of a bounded client. */
export interface BoundedClientOptions {
  readonly limits: ReadLimits;
  /** The number of objects that its user holds now. */
  readonly held: () => number;
  /** Called when a request begins, with false, and when it has failed; not for a tenant that has too much. */
  readonly onFailing?: ((hasFailed: boolean) => void) | undefined;
  /** Called when there is too much. */
  readonly onTooMuch?: ((problem: TooMuch) => void) | undefined;
  /** Called when a whole list was read within the limits. */
  readonly onComplete?: (() => void) | undefined;
}

/**
 * The part of a client that an informer uses, for a kind whose number and size a tenant chooses: a list that is too
 * large fails, and a watch that has added too much ends, so that everything is listed, and counted, again.
 */
export function boundedClient(client: Pick<KubeClient, "list" | "watch">, options: BoundedClientOptions): KubeClient {
  const { limits, held, onFailing, onTooMuch, onComplete } = options;
  let amount: ReadAmount | undefined;
  const noting = async <T>(answer: Promise<T>): Promise<T> => {
    onFailing?.(false);
    try {
      return await answer;
    } catch (error) {
      onFailing?.(true);
      throw error;
    }
  };
  const telling = (work: () => void): void => {
    try {
      work();
    } catch (error) {
      if (error instanceof TooMuch) onTooMuch?.(error);
      throw error;
    }
  };
  const list: KubeClient["list"] = async (kind, request = {}) => {
    if (request.continueToken === undefined) amount = new ReadAmount(kind, limits);
    const page = await noting(listPage(client, kind, { ...request, limit: request.limit ?? usualPage }));
    telling(() => amount?.add(page));
    if (page.continueToken === undefined) onComplete?.();
    return page;
  };
  const watch: KubeClient["watch"] = async (kind, request) => {
    telling(() => requireWithin(kind, limits, { objects: held(), bytes: amount?.bytes ?? 0 }));
    const stream = await noting(client.watch(kind, request));
    return watchWithin(stream, kind, { maximumBytes: (limits.maximumBytes ?? Infinity) - (amount?.bytes ?? 0) });
  };
  return { list, watch } as KubeClient;
}

/** Ends a watch that has brought as much as may be held besides the list. */
function watchWithin<T>(
  stream: WatchStream<T>,
  kind: Kind,
  { maximumBytes }: { readonly maximumBytes: number },
): WatchStream<T> {
  async function* events(): AsyncGenerator<WatchEvent<T>> {
    for await (const event of stream) {
      yield event;
      if (stream.bytesReceived > maximumBytes)
        throw new Gone(`watch ${kindId(kind)}: it has changed too much; list again`);
    }
  }
  return {
    [Symbol.asyncIterator]: events,
    close: (reason) => stream.close(reason),
    get bytesReceived() {
      return stream.bytesReceived;
    },
  };
}
