import type { CertificatePair, Kubeconfig } from "@butler/pki";
import type { ComponentName } from "./component-arguments.ts";

/** Proof of being a user, and the kubeconfig that uses it. */
export interface ClientCertificate extends CertificatePair {
  readonly kubeconfig: Kubeconfig;
}

/** The polite and the impolite way to end an API server. */
export interface StopApiServer {
  readonly signal?: "SIGTERM" | "SIGKILL";
}

/** A running etcd and API server of one's own. Like any server it keeps the process alive until it is stopped. */
export interface ControlPlane {
  readonly name: string;
  /** Where everything is: data, keys, logs, kubeconfig. */
  readonly directory: string;
  /** The API server's URL; it stays the same over restarts. */
  readonly server: string;
  readonly caPem: string;
  /** The certificate and key of an administrator (group `system:masters`). */
  readonly adminCert: string;
  readonly adminKey: string;
  readonly kubeconfig: Kubeconfig;
  readonly kubeconfigPath: string;
  /** All that a component has printed, over restarts too. */
  logs(component: ComponentName): Promise<string>;
  stopApiServer(options?: StopApiServer): Promise<void>;
  /** Starts the API server again on its port and data and waits until it is ready. */
  startApiServer(): Promise<void>;
  restartApiServer(options?: StopApiServer): Promise<void>;
  issueClientCertificate(client: { user: string; groups?: readonly string[] }): Promise<ClientCertificate>;
  /** Ends all processes and removes the directory unless it is to be kept; any further call waits for the same end. */
  stop(): Promise<void>;
}
