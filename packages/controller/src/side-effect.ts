/** Something a controller does to the world, as a name: for logs, metrics and the crash harness. */
export interface SideEffect {
  readonly verb: "apply" | "remove" | "perform" | "status" | "finalizer" | "event";
  /** What it is done to: `configmaps payments/blue`, or the type of an effect. */
  readonly target: string;
}

/** Stands between the runtime and everything it does. Production passes straight through. */
export type Interceptor = <T>(effect: SideEffect, run: () => Promise<T>) => Promise<T>;

/** Does what it is asked. */
export const passThrough: Interceptor = (_effect, run) => run();
