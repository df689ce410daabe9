/** A side effect of a controller, as a name for logs, metrics and the crash harness. */
export interface SideEffect {
  readonly verb: "apply" | "remove" | "perform" | "status" | "finalizer" | "event";
  /** The object: `configmaps payments/blue`, or the type of an effect. */
  readonly target: string;
}

/** Intercepts every side effect of the runtime. Passes straight through in production. */
export type Interceptor = <T>(effect: SideEffect, run: () => Promise<T>) => Promise<T>;

/** Runs the effect unchanged. */
export const passThrough: Interceptor = (_effect, run) => run();
