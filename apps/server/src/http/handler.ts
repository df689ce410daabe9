import type { AccessSubject } from "@butler/access";
import type { TenantCluster } from "@butler/api";
import type { Route, RouteAnswer, RouteInput } from "@butler/contract";
import type { ApiClient } from "@butler/kube";
import type { IncomingRequest, SignedIn } from "../ports.ts";
import type { JsonText } from "./answer.ts";

/** The target for the audit record, if the path does not contain it. */
export interface AuditNote {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly team?: string | undefined;
}

/** Input of every handler. The caller's permission was already checked. */
export interface Call<R extends Route> extends RouteInput<R> {
  /** Throws for public routes. */
  readonly caller: SignedIn;
  readonly request: IncomingRequest;
  readonly requestId: string;
  /** The team, and the environment, that the request is about; undefined for routes that are about none. */
  readonly subject: AccessSubject | undefined;
  /** The cluster that the path names; throws for routes whose permission is not about one. */
  readonly cluster: TenantCluster;
  /** The Kubernetes API as the calling user, with exactly the groups of their roles. */
  readonly asPerson: ApiClient;
  /** Aborts when the request times out. */
  readonly signal: AbortSignal;
  /** Completes the record in the audit log. */
  readonly note: (note: AuditNote) => void;
  /** Sets a header of the response, such as a cookie. */
  readonly setHeader: (name: string, value: string | readonly string[]) => void;
}

/** A route and its implementation. */
export interface Handler {
  readonly route: Route;
  /** Whether it works without the Kubernetes API; otherwise it is rejected while the API does not respond. */
  readonly isIndependent?: boolean;
  readonly run: (call: Call<Route>) => Promise<unknown>;
}

/** Binds a route to its implementation; the types of input and result come from the contract. */
export function handle<R extends Route>(
  route: R,
  run: (call: Call<R>) => Promise<RouteAnswer<R> | JsonText> | RouteAnswer<R> | JsonText,
): Handler {
  return { route, run: async (call) => run(call) };
}
