import {
  type CertificatePair,
  type CertificateRequest,
  faultOf,
  readCertificate,
  renewalTime,
  signingKeyFrom,
} from "@butler/pki";
import { describeError } from "@butler/std";
import { lastAnswers } from "../last-answers.ts";
import { type PairFiles, type SecretContent, storeClientFiles } from "./secret-blueprint.ts";
import { clientOfKubeconfig, kubeconfigText, pairIn, type SecretData, textIn } from "./secret-data.ts";

/** The verdict on the content of a Secret. */
export interface SecretVerdict {
  /** Why the content is invalid; undefined when it is valid. */
  readonly fault?: string | undefined;
  /** When its first certificate expires; undefined without certificates. */
  readonly notAfter?: Date | undefined;
  /** When the content has to be renewed. */
  readonly renewAt?: Date | undefined;
}

export interface JudgeContext {
  /** The certificate of the expected signer; undefined when it is not known. */
  readonly authority?: string | undefined;
  readonly now: Date;
}

/** A CA is replaced only shortly before it expires, because every node has to rejoin then. */
const authorityReserveMs = 24 * 3_600_000;

/** Verifying signatures costs more than the rest of a plan. */
const remembered = lastAnswers<SecretVerdict>();

/** Judges the content of a Secret. */
export function judgeSecret(content: SecretContent, data: SecretData, context: JudgeContext): SecretVerdict {
  const { authority, now } = context;
  const verdict = remembered(data, JSON.stringify([content, authority]), () => judge(content, data, context));
  const { fault, renewAt, notAfter } = verdict;
  // A valid verdict may have aged since. Faulty content is replaced, and its data is then another object.
  if (fault !== undefined || renewAt === undefined || now < renewAt) return verdict;
  return { ...verdict, fault: `the certificate expires on ${notAfter?.toISOString() ?? ""} and is due for renewal` };
}

function judge(content: SecretContent, data: SecretData, context: JudgeContext): SecretVerdict {
  switch (content.kind) {
    case "authority":
      return judgeAuthorities(content.files, data, context);
    case "signingKey":
      return { fault: signingKeyFault(data) };
    case "certificate":
      return judgePair(pairIn(data, content.files), { ...context, request: content.request });
    case "storeClient": {
      const own = textIn(data, "ca.crt") ?? "";
      if (context.authority !== undefined && own !== context.authority) {
        return { fault: "the DataStore's CA has changed" };
      }
      const expected = { ...context, authority: own, request: content.request };
      return judgePair(pairIn(data, storeClientFiles), expected);
    }
    case "kubeconfigs":
      return judgeKubeconfigs(content, data, context);
  }
}

/** The first valid CA pair, whichever keys of the Secret it is under. */
export function usableAuthority(files: readonly PairFiles[], data: SecretData, now: Date): CertificatePair | undefined {
  return files.map((names) => pairIn(data, names)).find((pair) => judgeAuthority(pair, now).fault === undefined);
}

function judgeAuthorities(files: readonly PairFiles[], data: SecretData, { now }: JudgeContext): SecretVerdict {
  const [first, ...copies] = files.map((names) => pairIn(data, names));
  if (first === undefined) return {};
  const verdict = judgeAuthority(first, now);
  const isCopied = copies.every(({ cert, key }) => cert === first.cert && key === first.key);
  return isCopied ? verdict : { ...verdict, fault: verdict.fault ?? "the copies of the CA differ" };
}

function judgeAuthority(pair: CertificatePair, now: Date): SecretVerdict {
  try {
    const { isAuthority, notBefore, notAfter } = readCertificate(pair.cert);
    const lifeMs = notAfter.getTime() - notBefore.getTime();
    const renewAt = new Date(notAfter.getTime() - Math.min(authorityReserveMs, lifeMs / 10));
    // Its age is judged here and not by the general rule: a CA is not renewed in the last third of its lifetime.
    const fault = isAuthority ? faultOf(pair, { now: notBefore }) : "the certificate is not a CA certificate";
    const ageFault = now >= renewAt ? `the CA certificate expires on ${notAfter.toISOString()}` : undefined;
    return { fault: fault ?? ageFault, notAfter, renewAt };
  } catch (error) {
    return { fault: describeError(error) };
  }
}

function signingKeyFault(data: SecretData): string | undefined {
  try {
    const { publicKey } = signingKeyFrom(textIn(data, "sa.key") ?? "");
    return publicKey.trim() === textIn(data, "sa.pub")?.trim()
      ? undefined
      : "the public key does not match the private key";
  } catch (error) {
    return describeError(error);
  }
}

interface PairExpectation extends JudgeContext {
  readonly request: CertificateRequest;
}

function judgePair(pair: CertificatePair, { request, authority, now }: PairExpectation): SecretVerdict {
  const expected = { now, request, ...(authority === undefined ? {} : { authority }) };
  try {
    const fault = faultOf(pair, expected);
    return { fault, notAfter: readCertificate(pair.cert).notAfter, renewAt: renewalTime(pair.cert) };
  } catch (error) {
    return { fault: describeError(error) };
  }
}

function judgeKubeconfigs(
  { users, clusterName }: Extract<SecretContent, { kind: "kubeconfigs" }>,
  data: SecretData,
  context: JudgeContext,
): SecretVerdict {
  const verdicts = users.map(({ request, files }): SecretVerdict => {
    const texts = files.map(({ file }) => textIn(data, file) ?? "");
    const client = clientOfKubeconfig(texts[0] ?? "");
    const verdict = judgePair(client, { ...context, request });
    const { authority = "" } = context;
    const expected = files.map(({ server }) =>
      kubeconfigText({ clusterName, user: request.commonName, server, authority, client }),
    );
    const edited = files.find((_file, at) => texts[at] !== expected[at]);
    const fault = edited === undefined ? undefined : `${edited.file} differs from the expected kubeconfig`;
    return { ...verdict, fault: verdict.fault ?? fault };
  });
  return {
    fault: verdicts.find(({ fault }) => fault !== undefined)?.fault,
    notAfter: earliest(verdicts.map(({ notAfter }) => notAfter)),
    renewAt: earliest(verdicts.map(({ renewAt }) => renewAt)),
  };
}

/** The earliest of several times; undefined when there are none. */
export function earliest(moments: readonly (Date | undefined)[]): Date | undefined {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : new Date(Math.min(...known.map((moment) => moment.getTime())));
}
