import {
  type CertificatePair,
  createAuthority,
  createSigningKey,
  issueCertificate,
  type IssueOptions,
  signingKeyFrom,
} from "@butler/pki";
import { Bug } from "@butler/std";
import { usableAuthority } from "./judge-secret.ts";
import { type IssueSettings, type SecretContent, storeClientFiles } from "./secret-blueprint.ts";
import { encodeData, kubeconfigText, type SecretData, textIn } from "./secret-data.ts";

export interface MakeContext {
  readonly issue: IssueSettings;
  readonly now: Date;
  /** The signer; required for everything except CAs and signing keys. */
  readonly signer?: CertificatePair | undefined;
  /** The current data of the Secret. A key that nodes or tokens depend on is kept when it is intact. */
  readonly present?: SecretData | undefined;
}

/** Creates the content of a Secret, with new keys unless the old ones are to be kept. */
export async function makeSecretData(content: SecretContent, context: MakeContext): Promise<SecretData> {
  const { issue, now, present } = context;
  const leaf: IssueOptions = { algorithm: issue.algorithm, lifetimeMs: issue.lifetimeMs, now };
  switch (content.kind) {
    case "authority": {
      const kept = present && usableAuthority(content.files, present, now);
      const options = { algorithm: issue.algorithm, lifetimeMs: issue.authorityLifetimeMs, now };
      const { cert, key } = kept ?? (await createAuthority(content.commonName, options));
      return encodeData(
        Object.fromEntries(
          content.files.flatMap((files) => [
            [files.cert, cert],
            [files.key, key],
          ]),
        ),
      );
    }
    case "signingKey": {
      const { privateKey, publicKey } = keptSigningKey(present) ?? (await createSigningKey(issue.algorithm));
      return encodeData({ "sa.key": privateKey, "sa.pub": publicKey });
    }
    case "certificate": {
      const { cert, key } = await issueCertificate(signerOf(context), content.request, leaf);
      return encodeData({ [content.files.cert]: cert, [content.files.key]: key });
    }
    case "storeClient": {
      const signer = signerOf(context);
      const { cert, key } = await issueCertificate(signer, content.request, leaf);
      return encodeData({ "ca.crt": signer.cert, [storeClientFiles.cert]: cert, [storeClientFiles.key]: key });
    }
    case "kubeconfigs":
      return makeKubeconfigs(content, signerOf(context), leaf);
  }
}

async function makeKubeconfigs(
  { users, clusterName }: Extract<SecretContent, { kind: "kubeconfigs" }>,
  signer: CertificatePair,
  options: IssueOptions,
): Promise<SecretData> {
  const entries = await Promise.all(
    users.map(async ({ request, files }) => {
      const client = await issueCertificate(signer, request, options);
      const parts = { clusterName, user: request.commonName, authority: signer.cert, client };
      return files.map(({ file, server }) => [file, kubeconfigText({ ...parts, server })] as const);
    }),
  );
  return encodeData(Object.fromEntries(entries.flat()));
}

function keptSigningKey(present: SecretData | undefined) {
  const privateKey = present && textIn(present, "sa.key");
  if (privateKey === undefined) return undefined;
  try {
    return signingKeyFrom(privateKey);
  } catch {
    // An unreadable key cannot sign, so nothing is lost by replacing it.
    return undefined;
  }
}

function signerOf({ signer }: MakeContext): CertificatePair {
  if (signer === undefined) throw new Bug("a certificate was requested without a CA to sign it");
  return signer;
}
