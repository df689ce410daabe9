import { isRecord } from "@butler/std";

/** What a look at an issuer has shown. */
export interface IssuerTest {
  readonly valid: boolean;
  /** As a sentence. */
  readonly message: string;
  readonly authorizationEndpoint?: string | undefined;
  readonly tokenEndpoint?: string | undefined;
}

const largestDocument = 256 * 1024;

/** Where an issuer has its discovery document (OpenID Connect Discovery 1.0, section 4). */
export function discoveryAddress(issuerURL: string): string {
  return `${issuerURL.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

/** Judges what an issuer answers when it is asked for its discovery document. */
export function judgeDiscovery(
  issuerURL: string,
  { status, text }: { readonly status: number; readonly text: string },
): IssuerTest {
  const isFine = status >= 200 && status < 300;
  if (!isFine || text.length > largestDocument) return invalidIssuer(`the issuer answers ${status}`);
  const found = readJson(text);
  if (!isRecord(found)) return invalidIssuer("the issuer does not answer with a discovery document");
  if (found["issuer"] !== issuerURL) return invalidIssuer("the issuer calls itself something else");
  const { authorization_endpoint: authorization, token_endpoint: token } = found;
  if (typeof authorization !== "string" || typeof token !== "string") {
    return invalidIssuer("the issuer names no endpoints");
  }
  return { valid: true, message: "the issuer answers", authorizationEndpoint: authorization, tokenEndpoint: token };
}

/** The result of a look that found something wrong. */
export function invalidIssuer(message: string): IssuerTest {
  return { valid: false, message };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
