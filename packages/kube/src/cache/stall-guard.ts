import { type Kind, kindId } from "@butler/resource";
import { type Clock, Timeout } from "@butler/std";
import type { WatchStream } from "../client/watch.ts";

export interface StallGuardOptions {
  readonly clock: Clock;
  /** Bookmarks come about once a minute: a stream that is silent for much longer is dead. */
  readonly stallTimeoutMs: number;
  readonly kind: Kind;
}

/** Closes a stream without data for too long; returns a function that stops the guard. */
export function guardAgainstStall(
  stream: WatchStream<unknown>,
  { clock, stallTimeoutMs, kind }: StallGuardOptions,
): () => void {
  let seenBytes = stream.bytesReceived;
  const check = (): void => {
    if (stream.bytesReceived === seenBytes) {
      stream.close(new Timeout(`watch ${kindId(kind)}: no data received for ${stallTimeoutMs} ms`));
      return;
    }
    seenBytes = stream.bytesReceived;
    timer = clock.after(stallTimeoutMs, check);
  };
  let timer = clock.after(stallTimeoutMs, check);
  return () => timer.cancel();
}
