import { createHash } from "node:crypto";
import {
  connect,
  type ConnectedClient,
  readTenantKubeconfig,
  type Transport,
  type TransportOptions,
} from "@butler/kube";

/** A connection made from one kubeconfig. */
export interface TenantLine {
  readonly transport: Transport;
  /** Stands for the cluster itself: credentials come and go, the authority that vouches for the server stays. */
  readonly authority: string;
  /** Whether anything was ever answered over it. */
  isProven: boolean;
  readonly close: ConnectedClient["close"];
}

/** Tells one kubeconfig from another without keeping the secrets in it. */
export function digestOfKubeconfig(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Builds a connection; throws InvalidInput when the kubeconfig asks for more than a kubeconfig of a tenant may. */
export function openLine(text: string, options: TransportOptions): TenantLine {
  const config = readTenantKubeconfig(text);
  const { transport, close } = connect(config, options);
  return {
    transport,
    authority: config.getCurrentCluster()?.caData ?? "",
    isProven: false,
    close,
  };
}
