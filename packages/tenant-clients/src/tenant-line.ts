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
  /** Identifies the cluster: credentials are rotated, the CA of the server stays. */
  readonly authority: string;
  /** Whether it ever received a response. */
  isProven: boolean;
  readonly close: ConnectedClient["close"];
}

/** Identifies a kubeconfig without storing its secrets. */
export function digestOfKubeconfig(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

/** Builds a connection; throws InvalidInput when the kubeconfig has fields that a tenant kubeconfig may not have. */
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
