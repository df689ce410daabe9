import { type CertificateRequestFacts, readCertificateRequest } from "@butler/pki";
import type { KubeObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";

/** The part of a CertificateSigningRequest that is decided on. */
export interface CertificateRequestObject extends KubeObject {
  readonly spec?: {
    readonly signerName?: string;
    /** Who sent the request, as the API server saw it. */
    readonly username?: string;
    readonly groups?: readonly string[];
    readonly usages?: readonly string[];
    /** PEM in base64. */
    readonly request?: string;
  };
  readonly status?: {
    readonly certificate?: string;
    readonly conditions?: readonly { readonly type: string }[];
  };
}

/** The part of a Node that says where it is. */
export interface NodeObject extends KubeObject {
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
}

/** The signer of the certificates with which kubelets serve. All other signers are other people's business. */
export const servingSigner = "kubernetes.io/kubelet-serving";

/** Before a node's name in the name of its user. */
const nodeUserPrefix = "system:node:";
const nodeName = /^[a-z\d]([-.a-z\d]*[a-z\d])?$/;

/** Whether somebody has decided about a request already. */
export function isDecided({ status }: CertificateRequestObject): boolean {
  const settled = ["Approved", "Denied", "Failed"];
  return status?.certificate !== undefined || (status?.conditions ?? []).some(({ type }) => settled.includes(type));
}

/** The name of the node that sent a request; undefined when the sender is none. */
export function requestingNode({ spec }: CertificateRequestObject): string | undefined {
  const username = spec?.username ?? "";
  const name = username.startsWith(nodeUserPrefix) ? username.slice(nodeUserPrefix.length) : "";
  return nodeName.test(name) ? name : undefined;
}

/** What the request asks for; the reason when it cannot be read, is not signed by its own key or has a weak one. */
export function factsOf({ spec }: CertificateRequestObject): CertificateRequestFacts | InvalidInput {
  try {
    return readCertificateRequest(Buffer.from(spec?.request ?? "", "base64").toString("latin1"));
  } catch (error) {
    if (error instanceof InvalidInput) return error;
    throw error;
  }
}
