import type { AccessSubject } from "@butler/access";
import type { TenantCluster } from "@butler/api";
import type { Route, RouteAnswer, RouteInput } from "@butler/contract";
import type { ApiClient } from "@butler/kube";
import type { IncomingRequest, SignedIn } from "../ports.ts";
import type { JsonText } from "./answer.ts";

/** What the audit log is to say about the object of a request, where the path does not say it. */
export interface AuditNote {
  readonly name?: string | undefined;
  readonly namespace?: string | undefined;
  readonly team?: string | undefined;
}

/** What every handler is given. Whoever asks has been found to be allowed to. */
export interface Call<R extends Route> extends RouteInput<R> {
  /** Throws for routes that need nobody to be signed in. */
  readonly caller: SignedIn;
  readonly request: IncomingRequest;
  readonly requestId: string;
  /** The team, and the environment, that the request is about; undefined for routes that are about none. */
  readonly subject: AccessSubject | undefined;
  /** The cluster that the path names; throws for routes whose permission is not about one. */
  readonly cluster: TenantCluster;
  /** The Kubernetes API as the person who asks, with exactly the groups that their roles amount to. */
  readonly asPerson: ApiClient;
  /** Aborts when the request has taken too long. */
  readonly signal: AbortSignal;
  /** Completes the record in the audit log. */
  readonly note: (note: AuditNote) => void;
  /** Sets a header of the answer, such as a cookie. */
  readonly setHeader: (name: string, value: string | readonly string[]) => void;
}

/** A route and what it does. */
export interface Handler {
  readonly route: Route;
  readonly run: (call: Call<Route>) => Promise<unknown>;
}

/** Ties a route to what it does; the types of what it is given and gives come from the contract. */
export function handle<R extends Route>(
  route: R,
  run: (call: Call<R>) => Promise<RouteAnswer<R> | JsonText> | RouteAnswer<R> | JsonText,
): Handler {
  return { route, run: async (call) => run(call) };
}
