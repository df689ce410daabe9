/** How an object does: well, on its way, or broken so that waiting does not help. */
export interface Readiness {
  readonly state: "ready" | "progressing" | "failed";
  /** What it waits for or what is wrong, as part of a sentence; for a ready one, why it counts as ready. */
  readonly message: string;
}

/** A verdict that the object is well. */
export const ready = (message: string): Readiness => ({ state: "ready", message });

/** A verdict that more time may help. */
export const progressing = (message: string): Readiness => ({ state: "progressing", message });

/** A verdict that more time will not help. */
export const failed = (message: string): Readiness => ({ state: "failed", message });
