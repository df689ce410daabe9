import type { CertificatePair, Kubeconfig } from "@butler/pki";
import type { ComponentName } from "./component-arguments.ts";

/** Credentials of a user, and the kubeconfig that uses them. */
export interface ClientCertificate extends CertificatePair {
  readonly kubeconfig: Kubeconfig;
}

/** Graceful and forced termination of an API server. */
export interface StopApiServer {
  readonly signal?: "SIGTERM" | "SIGKILL";
}

/** Access to the etcd of an API server, with all permissions. */
export interface StoreAccess extends CertificatePair {
  /** The Unix socket on which it serves gRPC and HTTP, both over TLS. */
  readonly socketPath: string;
  readonly caPem: string;
}

/** A running etcd and API server for exclusive use. Like any server it keeps the process alive until it is stopped. */
export interface ControlPlane {
  readonly name: string;
  /** The directory of data, keys, logs and kubeconfig. */
  readonly directory: string;
  /** The API server's URL; it does not change across restarts. */
  readonly server: string;
  readonly caPem: string;
  /** The certificate and key of an administrator (group `system:masters`). */
  readonly adminCert: string;
  readonly adminKey: string;
  readonly kubeconfig: Kubeconfig;
  readonly kubeconfigPath: string;
  readonly store: StoreAccess;
  /** Everything that a component has printed, including before restarts. */
  logs(component: ComponentName): Promise<string>;
  stopApiServer(options?: StopApiServer): Promise<void>;
  /** Restarts the API server on its port and data and waits until it is ready. */
  startApiServer(): Promise<void>;
  restartApiServer(options?: StopApiServer): Promise<void>;
  issueClientCertificate(client: { user: string; groups?: readonly string[] }): Promise<ClientCertificate>;
  /**
   * Stops all processes and removes the directory unless it is to be kept; further calls wait for the same shutdown.
   */
  stop(): Promise<void>;
}
