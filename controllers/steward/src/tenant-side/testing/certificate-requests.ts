import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { apiVersionOf } from "@butler/resource";
import type { CertificateRequestObject, NodeObject } from "../approval/serving-request.ts";
import { CertificateSigningRequest, Node } from "../kinds.ts";

const run = promisify(execFile);

/** What a request made by the `openssl` command asks for. */
export interface OpensslRequest {
  /** As openssl writes a subject. */
  readonly subject?: string;
  /** As openssl writes subjectAltName; an empty text leaves it out. */
  readonly names?: string;
  /** Further extensions, as openssl writes them. */
  readonly extensions?: readonly string[];
  /** By default an ECDSA key on the curve P-256. */
  readonly key?: readonly string[];
}

const goodKey = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"];

/** A signed request in PEM form. By default the good one of node `n1`. */
export async function opensslRequest(request: OpensslRequest = {}): Promise<string> {
  const { subject = "/O=system:nodes/CN=system:node:n1", names = "DNS:n1,IP:10.1.0.1" } = request;
  const extensions = [...(names === "" ? [] : [`subjectAltName=${names}`]), ...(request.extensions ?? [])];
  const key = ["-nodes", "-keyout", "/dev/null", "-newkey", ...(request.key ?? goodKey)];
  const wishes = ["-subj", subject, ...extensions.flatMap((extension) => ["-addext", extension])];
  const { stdout } = await run("openssl", ["req", "-new", ...key, ...wishes]);
  return stdout;
}

/** The object as the API server would give it when node `n1` has sent the request. */
export function requestObject(
  pem: string,
  spec: CertificateRequestObject["spec"] = {},
  rest: Partial<CertificateRequestObject> = {},
): CertificateRequestObject {
  return {
    apiVersion: apiVersionOf(CertificateSigningRequest),
    kind: CertificateSigningRequest.kind,
    metadata: { name: "csr-1", creationTimestamp: "2026-01-01T00:00:00Z", ...rest.metadata },
    spec: {
      signerName: "kubernetes.io/kubelet-serving",
      username: "system:node:n1",
      groups: ["system:nodes", "system:authenticated"],
      usages: ["digital signature", "server auth"],
      request: Buffer.from(pem).toString("base64"),
      ...spec,
    },
    ...(rest.status === undefined ? {} : { status: rest.status }),
  };
}

/** A Node with the given addresses: names become host names, all others internal IPs. */
export function aNode(name: string, ...addresses: readonly string[]): NodeObject {
  const typeOf = (address: string): string => (/[.:]/.test(address) ? "InternalIP" : "Hostname");
  return {
    apiVersion: apiVersionOf(Node),
    kind: Node.kind,
    metadata: { name },
    status: { addresses: addresses.map((address) => ({ type: typeOf(address), address })) },
  };
}
