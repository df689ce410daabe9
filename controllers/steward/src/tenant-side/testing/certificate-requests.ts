import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { apiVersionOf } from "@butler/resource";
import type { CertificateRequestObject, NodeObject } from "../approval/serving-request.ts";
import { CertificateSigningRequest, Node } from "../kinds.ts";

const run = promisify(execFile);

/** Content of a request created by the `openssl` command. */
export interface OpensslRequest {
  /** Subject in openssl syntax. */
  readonly subject?: string;
  /** subjectAltName in openssl syntax; an empty text omits it. */
  readonly names?: string;
  /** Additional extensions in openssl syntax. */
  readonly extensions?: readonly string[];
  /** By default an ECDSA key on the curve P-256. */
  readonly key?: readonly string[];
}

const goodKey = ["ec", "-pkeyopt", "ec_paramgen_curve:P-256"];

/** A signed request in PEM format. Defaults to a valid one of node `n1`. */
export async function opensslRequest(request: OpensslRequest = {}): Promise<string> {
  const { subject = "/O=system:nodes/CN=system:node:n1", names = "DNS:n1,IP:10.1.0.1" } = request;
  const extensions = [...(names === "" ? [] : [`subjectAltName=${names}`]), ...(request.extensions ?? [])];
  const key = ["-nodes", "-keyout", "/dev/null", "-newkey", ...(request.key ?? goodKey)];
  const wishes = ["-subj", subject, ...extensions.flatMap((extension) => ["-addext", extension])];
  const { stdout } = await run("openssl", ["req", "-new", ...key, ...wishes]);
  return stdout;
}

/** The object as the API server would return it for a request of node `n1`. */
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
