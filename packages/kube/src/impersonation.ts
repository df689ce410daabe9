import { InvalidInput } from "@butler/std";
import type { Transport } from "./transport.ts";

/** Whom a request is made as: Kubernetes judges it by that person's rights and names them in its audit log. */
export interface Impersonation {
  readonly user: string;
  readonly groups: readonly string[];
}

/** What a client needs of a transport. */
export type Requests = Pick<Transport, "json" | "stream">;

/** Requests that are all made as somebody else, over the same connections. */
export function impersonating(transport: Requests, impersonate: Impersonation): Requests {
  return {
    json: <T>(call: Parameters<Transport["json"]>[0]) => transport.json<T>({ ...call, impersonate }),
    stream: (call) => transport.stream({ ...call, impersonate }),
  };
}

/** The headers by which the API server is told whom a request is made as (Kubernetes, "User impersonation"). */
export function impersonationHeaders(impersonation: Impersonation | undefined): Record<string, string | string[]> {
  if (impersonation === undefined) return {};
  const { user, groups } = impersonation;
  for (const name of [user, ...groups]) requireHeaderText(name);
  return { "Impersonate-User": user, ...(groups.length === 0 ? {} : { "Impersonate-Group": [...groups] }) };
}

/** A name that a header cannot carry letter by letter would reach the API server as another one. */
function requireHeaderText(name: string): void {
  if (/^[\x21-\x7e]+$/.test(name)) return;
  throw new InvalidInput("a name with other than printable ASCII characters cannot be impersonated", {
    hint: "Give the account an e-mail address in plain letters.",
  });
}
