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

/** What is found about the content of a Secret. */
export interface SecretVerdict {
  /** Why the content does not serve; undefined when it does. */
  readonly fault?: string | undefined;
  /** When the first of its certificates ends; undefined when none does. */
  readonly notAfter?: Date | undefined;
  /** When the content should be replaced. */
  readonly renewAt?: Date | undefined;
}

export interface JudgeContext {
  /** The certificate of the one who should have signed; undefined when that is not known. */
  readonly authority?: string | undefined;
  readonly now: Date;
}

/** An authority is replaced only when it is all but over, because every node has to be joined anew then. */
const authorityReserveMs = 24 * 3_600_000;

/** Checking signatures costs more than all the rest of a plan. */
const remembered = lastAnswers<SecretVerdict>();

/** Judges the content of a Secret. */
export function judgeSecret(content: SecretContent, data: SecretData, context: JudgeContext): SecretVerdict {
  const { authority, now } = context;
  const verdict = remembered(data, JSON.stringify([content, authority]), () => judge(content, data, context));
  const { fault, renewAt, notAfter } = verdict;
  // What was well then may have aged since. What had a fault is replaced, and its data is another object then.
  if (fault !== undefined || renewAt === undefined || now < renewAt) return verdict;
  return { ...verdict, fault: `the certificate ends on ${notAfter?.toISOString() ?? ""} and is due for renewal` };
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
        return { fault: "the store has another authority now" };
      }
      const expected = { ...context, authority: own, request: content.request };
      return judgePair(pairIn(data, storeClientFiles), expected);
    }
    case "kubeconfigs":
      return judgeKubeconfigs(content, data, context);
  }
}

/** The first pair of an authority that serves, whichever keys of the Secret it is under. */
export function usableAuthority(files: readonly PairFiles[], data: SecretData, now: Date): CertificatePair | undefined {
  return files.map((names) => pairIn(data, names)).find((pair) => judgeAuthority(pair, now).fault === undefined);
}

function judgeAuthorities(files: readonly PairFiles[], data: SecretData, { now }: JudgeContext): SecretVerdict {
  const [first, ...copies] = files.map((names) => pairIn(data, names));
  if (first === undefined) return {};
  const verdict = judgeAuthority(first, now);
  const isCopied = copies.every(({ cert, key }) => cert === first.cert && key === first.key);
  return isCopied ? verdict : { ...verdict, fault: verdict.fault ?? "its copies of the authority differ" };
}

function judgeAuthority(pair: CertificatePair, now: Date): SecretVerdict {
  try {
    const { isAuthority, notBefore, notAfter } = readCertificate(pair.cert);
    const lifeMs = notAfter.getTime() - notBefore.getTime();
    const renewAt = new Date(notAfter.getTime() - Math.min(authorityReserveMs, lifeMs / 10));
    // Its age is judged here and not by the rule for others: it is not to be replaced in the last third of its life.
    const fault = isAuthority ? faultOf(pair, { now: notBefore }) : "the certificate is not one of an authority";
    const ageFault = now >= renewAt ? `the authority ends on ${notAfter.toISOString()}` : undefined;
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
      : "the public key is not that of the private";
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
    const fault = edited === undefined ? undefined : `${edited.file} is not what it should be`;
    return { ...verdict, fault: verdict.fault ?? fault };
  });
  return {
    fault: verdicts.find(({ fault }) => fault !== undefined)?.fault,
    notAfter: earliest(verdicts.map(({ notAfter }) => notAfter)),
    renewAt: earliest(verdicts.map(({ renewAt }) => renewAt)),
  };
}

/** The earliest of several moments; undefined when there is none. */
export function earliest(moments: readonly (Date | undefined)[]): Date | undefined {
  const known = moments.filter((moment) => moment !== undefined);
  return known.length === 0 ? undefined : new Date(Math.min(...known.map((moment) => moment.getTime())));
}
