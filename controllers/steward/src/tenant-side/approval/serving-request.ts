import { type CertificateRequestFacts, readCertificateRequest } from "@butler/pki";
import type { KubeObject } from "@butler/resource";
import { InvalidInput } from "@butler/std";

/** The relevant part of a CertificateSigningRequest. */
export interface CertificateRequestObject extends KubeObject {
  readonly spec?: {
    readonly signerName?: string;
    /** The requester, as authenticated by the API server. */
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

/** The addresses of a Node. */
export interface NodeObject extends KubeObject {
  readonly status?: { readonly addresses?: readonly { readonly type: string; readonly address: string }[] };
}

/** The signer of kubelet serving certificates. Requests for other signers are ignored. */
export const servingSigner = "kubernetes.io/kubelet-serving";

/** The prefix of node user names. */
const nodeUserPrefix = "system:node:";
const nodeName = /^[a-z\d]([-.a-z\d]*[a-z\d])?$/;

/** Whether a request is already decided. */
export function isDecided({ status }: CertificateRequestObject): boolean {
  const settled = ["Approved", "Denied", "Failed"];
  return status?.certificate !== undefined || (status?.conditions ?? []).some(({ type }) => settled.includes(type));
}

/** The name of the requesting node; undefined when the requester is not a node. */
export function requestingNode({ spec }: CertificateRequestObject): string | undefined {
  const username = spec?.username ?? "";
  const name = username.startsWith(nodeUserPrefix) ? username.slice(nodeUserPrefix.length) : "";
  return nodeName.test(name) ? name : undefined;
}

/** The parsed request; an InvalidInput when it is malformed, is not signed by its own key or has a weak key. */
export function factsOf({ spec }: CertificateRequestObject): CertificateRequestFacts | InvalidInput {
  try {
    return readCertificateRequest(Buffer.from(spec?.request ?? "", "base64").toString("latin1"));
  } catch (error) {
    if (error instanceof InvalidInput) return error;
    throw error;
  }
}
