/** One part of a cluster: whether it is ready, and what it is waiting for. */
export interface Part {
  readonly isReady: boolean;
  readonly reason: string;
  readonly message: string;
}

/** A part that is ready. */
export function done(reason: string, message: string): Part {
  return { isReady: true, reason, message };
}

/** A part that is not ready yet. */
export function open(reason: string, message: string): Part {
  return { isReady: false, reason, message };
}
