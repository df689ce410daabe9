import { InvalidInput } from "@butler/std";
import type { Transport } from "./transport.ts";

/**
 * The impersonated user: Kubernetes authorizes the request by that user's permissions and records them in its audit
 * log.
 */
export interface Impersonation {
  readonly user: string;
  readonly groups: readonly string[];
}

/** The part of a transport that a client needs. */
export type Requests = Pick<Transport, "json" | "stream">;

/** Requests that all impersonate a user, over the same connections. */
export function impersonating(transport: Requests, impersonate: Impersonation): Requests {
  return {
    json: <T>(call: Parameters<Transport["json"]>[0]) => transport.json<T>({ ...call, impersonate }),
    stream: (call) => transport.stream({ ...call, impersonate }),
  };
}

/** The impersonation headers of a request (Kubernetes, "User impersonation"). */
export function impersonationHeaders(impersonation: Impersonation | undefined): Record<string, string | string[]> {
  if (impersonation === undefined) return {};
  const { user, groups } = impersonation;
  for (const name of [user, ...groups]) requireHeaderText(name);
  return { "Impersonate-User": user, ...(groups.length === 0 ? {} : { "Impersonate-Group": [...groups] }) };
}

/** A name that a header cannot encode exactly would reach the API server as another name. */
function requireHeaderText(name: string): void {
  if (/^[\x21-\x7e]+$/.test(name)) return;
  throw new InvalidInput("cannot impersonate a name with spaces or non-ASCII characters", {
    hint: "Use an email address with only ASCII characters for the account.",
  });
}
