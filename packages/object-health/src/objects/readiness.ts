/** The readiness of an object: ready, progressing, or failed so that waiting does not help. */
export interface Readiness {
  readonly state: "ready" | "progressing" | "failed";
  /** What it is waiting for or what is wrong, as part of a sentence; for a ready one, why it counts as ready. */
  readonly message: string;
}

/** The object is ready. */
export const ready = (message: string): Readiness => ({ state: "ready", message });

/** The object may become ready with time. */
export const progressing = (message: string): Readiness => ({ state: "progressing", message });

/** The object will not become ready with time. */
export const failed = (message: string): Readiness => ({ state: "failed", message });
