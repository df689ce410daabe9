import type { TenantCluster } from "@butler/api";
import { shellCommand } from "@butler/cli-kit";
import { readList, type Session } from "@butler/cli-session";
import { builtinKinds } from "@butler/resource";
import { Conflict, Forbidden } from "@butler/std";
import type { ControlPlaneCertificate, RotationType } from "@butler/diagnosis/certificates";
import { askServer } from "../ask-server.ts";
import { requireInside } from "./inside.ts";

/** The certificates of a control plane, and whether some are being replaced. */
export interface CertificateState {
  readonly certificates: readonly ControlPlaneCertificate[];
  readonly isRotating: boolean;
}

/** Where certificates are read, and replaced. */
export interface CertificateSource {
  readonly read: () => Promise<CertificateState>;
  /** Starts the rotation and returns the names of the Secrets. */
  readonly rotate: (type: RotationType) => Promise<readonly string[]>;
}

/**
 * Certificates are stored in Secrets with their keys, and no team role can read those. With a sign-in, the server is
 * asked: it returns the public part and checks the role. Any other kubeconfig needs access to the Secrets themselves.
 */
export function certificateSource(session: Session, cluster: TenantCluster, now: () => Date): CertificateSource {
  return session.login === undefined ? fromSecrets(session, cluster, now) : fromServer(session, cluster);
}

function fromServer(session: Session, { metadata }: TenantCluster): CertificateSource {
  const { name, namespace = "" } = metadata;
  const { signal } = session;
  const params = { namespace, name };
  return {
    read: () =>
      askServer(session, async (client) => {
        const { listCertificates } = await import("@butler/contract");
        const { certificates, rotationInProgress } = await client.call(listCertificates, { params }, { signal });
        return { certificates, isRotating: rotationInProgress };
      }),
    rotate: (type) =>
      askServer(session, async (client) => {
        const { rotateCertificates } = await import("@butler/contract");
        const body = { type, ...(type === "ca" ? { acknowledge: true } : {}) };
        return (await client.call(rotateCertificates, { params, body }, { signal })).affectedSecrets;
      }),
  };
}

function fromSecrets(session: Session, cluster: TenantCluster, now: () => Date): CertificateSource {
  const { client, signal } = session;
  const { name } = cluster.metadata;
  const namespace = requireInside(cluster);
  const readSecrets = async () => {
    const { certificateSelector } = await import("@butler/diagnosis/certificates");
    const options = { namespace, labelSelector: certificateSelector(name) };
    return readList(session, builtinKinds.Secret, options).catch((error: unknown) => {
      throw error instanceof Forbidden ? refused(name, error) : error;
    });
  };
  return {
    read: async () => {
      const { certificatesOf, isBeingRotated } = await import("@butler/diagnosis/certificates");
      const secrets = await readSecrets();
      return { certificates: certificatesOf(secrets, now()), isRotating: secrets.some(isBeingRotated) };
    },
    rotate: async (type) => {
      const { certificateMarks, certificatesOf, isBeingRotated, secretsToRotate } =
        await import("@butler/diagnosis/certificates");
      const secrets = await readSecrets();
      if (secrets.some(isBeingRotated)) throw new Conflict(`a certificate rotation for ${name} is already in progress`);
      const chosen = secretsToRotate(certificatesOf(secrets, now()), type);
      const patch = { metadata: { annotations: { [certificateMarks.rotate]: "" } } };
      for (const secret of chosen) {
        const write = { type: "merge", patch, fieldManager: "butlerctl", signal } as const;
        await client.patch(builtinKinds.Secret, { name: secret, namespace }, write);
      }
      return chosen;
    },
  };
}

function refused(name: string, cause: Forbidden): Forbidden {
  const login = shellCommand("butlerctl", "login", "--server", "https://...");
  return new Forbidden(`you don't have permission to read the certificate Secrets of ${name}`, {
    hint: `All team members can view certificates, without their keys, through the Butler server. Sign in with: ${login}`,
    details: cause.details,
  });
}
