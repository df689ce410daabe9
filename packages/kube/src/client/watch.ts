import { type Kind, kindId, type KubeObject } from "@butler/resource";
import { isRecord, Unavailable } from "@butler/std";
import { errorFromResponse } from "./api-errors.ts";
import { type ObjectFor, withType } from "./object-for.ts";
import { acceptMetadata, queryText, resourcePath } from "./paths.ts";
import type { Requests } from "./impersonation.ts";
import type { ApiStream } from "./transport.ts";

/** One line of a watch. A bookmark has only a resource version. */
export type WatchEvent<T> =
  | { readonly type: "ADDED" | "MODIFIED" | "DELETED"; readonly object: T }
  | { readonly type: "BOOKMARK"; readonly resourceVersion: string };

export interface WatchOptions {
  readonly resourceVersion: string;
  readonly namespace?: string | undefined;
  readonly labelSelector?: string | undefined;
  readonly fieldSelector?: string | undefined;
  readonly metadataOnly?: boolean | undefined;
  /** After this long the server closes the watch, so that no dead connection is trusted indefinitely. */
  readonly timeoutSeconds?: number;
  readonly signal?: AbortSignal | undefined;
}

/** An open watch. */
export interface WatchStream<T> extends AsyncIterable<WatchEvent<T>> {
  /** Ends the watch; the iteration then fails with `reason`. */
  close(reason: Error): void;
  /** The number of bytes received so far: a watch whose count does not change may be dead. */
  readonly bytesReceived: number;
}

/**
 * The stream was interrupted, or carried something that is not a watch event. The next watch resumes after the last
 * good one.
 */
export class BrokenStream extends Unavailable {
  override readonly code = "BROKEN_STREAM";
}

/** An object has at most 1.5 MiB; a longer line would only fill the memory. */
const longestLineBytes = 8 * 1024 * 1024;

/** `fatal` matters: a damaged byte inside a text would otherwise become a valid replacement character. */
const strictUtf8 = new TextDecoder("utf-8", { fatal: true });

/** Opens a watch and decodes it line by line. */
export async function openWatch<K extends Kind>(
  transport: Pick<Requests, "stream">,
  kind: K,
  options: WatchOptions,
): Promise<WatchStream<ObjectFor<K>>> {
  const { resourceVersion, labelSelector, fieldSelector, timeoutSeconds } = options;
  const query = queryText({
    watch: true,
    allowWatchBookmarks: true,
    resourceVersion,
    labelSelector,
    fieldSelector,
    timeoutSeconds,
  });
  const stream = await transport.stream({
    method: "GET",
    path: resourcePath(kind, { namespace: options.namespace }) + query,
    accept: options.metadataOnly ? acceptMetadata("PartialObjectMetadata") : "application/json",
    signal: options.signal,
    action: `watch ${kindId(kind)}`,
  });
  return new DecodedWatch<ObjectFor<K>>(stream, kind);
}

class DecodedWatch<T extends KubeObject> implements WatchStream<T> {
  readonly #stream: ApiStream;
  readonly #kind: Kind;
  #reason: Error | undefined;
  bytesReceived = 0;

  constructor(stream: ApiStream, kind: Kind) {
    this.#stream = stream;
    this.#kind = kind;
  }

  close(reason: Error): void {
    this.#reason ??= reason;
    this.#stream.close();
  }

  async *[Symbol.asyncIterator](): AsyncIterator<WatchEvent<T>> {
    try {
      for await (const line of this.#lines()) {
        if (this.#reason !== undefined) throw this.#reason;
        yield this.#decode(line);
      }
    } catch (error) {
      if (this.#reason !== undefined) throw this.#reason;
      if (error instanceof Error && !("httpStatus" in error)) {
        throw new BrokenStream(`watch ${kindId(this.#kind)}: the stream was interrupted`, { cause: error });
      }
      throw error;
    } finally {
      this.#stream.close();
    }
  }

  async *#lines(): AsyncGenerator<Buffer> {
    let rest: Buffer[] = [];
    let restBytes = 0;
    for await (const chunk of this.#stream.body as AsyncIterable<Buffer>) {
      this.bytesReceived += chunk.length;
      let from = 0;
      for (let at = chunk.indexOf(10); at >= 0; at = chunk.indexOf(10, from)) {
        const tail = chunk.subarray(from, at);
        yield rest.length === 0 ? tail : Buffer.concat([...rest, tail]);
        rest = [];
        restBytes = 0;
        from = at + 1;
      }
      if (from < chunk.length) rest.push(chunk.subarray(from));
      restBytes += chunk.length - from;
      if (restBytes > longestLineBytes) throw new BrokenStream(`watch ${kindId(this.#kind)}: an event is too large`);
    }
    if (rest.length > 0)
      throw new BrokenStream(`watch ${kindId(this.#kind)}: the stream ended in the middle of an event`);
  }

  #decode(line: Buffer): WatchEvent<T> {
    const event = this.#parse(line);
    const { type, object } = event;
    if (type === "ERROR") {
      const status = isRecord(object) && typeof object["code"] === "number" ? object["code"] : 500;
      throw errorFromResponse({
        status,
        retryAfter: undefined,
        body: JSON.stringify(object),
        action: `watch ${kindId(this.#kind)}`,
      });
    }
    const metadata = isRecord(object) ? object["metadata"] : undefined;
    const version = isRecord(metadata) ? metadata["resourceVersion"] : undefined;
    if (typeof version !== "string" || version === "") throw this.#malformed("an event without a resource version");
    if (type === "BOOKMARK") return { type, resourceVersion: version };
    if (type !== "ADDED" && type !== "MODIFIED" && type !== "DELETED") {
      throw this.#malformed(`an event of unknown type ${JSON.stringify(type)}`);
    }
    return { type, object: withType(this.#kind, object as T) };
  }

  #parse(line: Buffer): Record<string, unknown> {
    try {
      const parsed: unknown = JSON.parse(strictUtf8.decode(line));
      if (isRecord(parsed)) return parsed;
    } catch (error) {
      throw new BrokenStream(`watch ${kindId(this.#kind)}: received invalid JSON`, { cause: error });
    }
    throw this.#malformed("a line that is not an object");
  }

  #malformed(what: string): BrokenStream {
    return new BrokenStream(`watch ${kindId(this.#kind)}: received ${what}`);
  }
}
