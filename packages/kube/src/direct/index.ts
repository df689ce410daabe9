/**
 * The part of this package that a short command needs: the client over connections that take next to no time to load, for
 * kubeconfigs that say everything themselves. `@butler/kube` knows every other form.
 */
export { listAll } from "../client/bounded-reads.ts";
export { ApiClient, type ListOptions } from "../client/client.ts";
export type { Requests } from "../client/impersonation.ts";
export type { ObjectFor } from "../client/object-for.ts";
export { Transport, type TransportOptions } from "../client/transport.ts";
export { DirectConnections } from "./direct-connections.ts";
export { directTarget } from "./direct-target.ts";
export { readKubeconfigFiles } from "./kubeconfig-files.ts";
