import { isRecord } from "@butler/std";

/** Result of a test of an issuer. */
export interface IssuerTest {
  readonly valid: boolean;
  /** As a sentence. */
  readonly message: string;
  readonly authorizationEndpoint?: string | undefined;
  readonly tokenEndpoint?: string | undefined;
}

/** The result with the URLs that only programs need. */
export interface IssuerFacts extends IssuerTest {
  readonly userInfoEndpoint?: string | undefined;
  readonly jwksURI?: string | undefined;
}

const largestDocument = 256 * 1024;
const longestAddress = 2_048;

/** URL of an issuer's discovery document (OpenID Connect Discovery 1.0, section 4). */
export function discoveryAddress(issuerURL: string): string {
  return `${issuerURL.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

/** Judges the response of an issuer to a request for its discovery document. */
export function judgeDiscovery(
  issuerURL: string,
  { status, text }: { readonly status: number; readonly text: string },
): IssuerFacts {
  const isFine = status >= 200 && status < 300;
  if (!isFine) return invalidIssuer(`the issuer returned HTTP ${status}`);
  if (text.length > largestDocument) return invalidIssuer("the discovery document is larger than 256 KiB");
  const found = readJson(text);
  if (!isRecord(found)) return invalidIssuer("the issuer did not return a discovery document");
  if (found["issuer"] !== issuerURL) return invalidIssuer("the issuer URL in the discovery document does not match");
  const address = (name: string): string | undefined =>
    typeof found[name] === "string" && found[name].length <= longestAddress ? found[name] : undefined;
  const [authorizationEndpoint, tokenEndpoint] = [address("authorization_endpoint"), address("token_endpoint")];
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) {
    return invalidIssuer("the discovery document has no authorization or token endpoint");
  }
  const [userInfoEndpoint, jwksURI] = [address("userinfo_endpoint"), address("jwks_uri")];
  return {
    valid: true,
    message: "the issuer is reachable and valid",
    authorizationEndpoint,
    tokenEndpoint,
    userInfoEndpoint,
    jwksURI,
  };
}

/** The part of the result that is shown to users. */
export function issuerTest({ valid, message, authorizationEndpoint, tokenEndpoint }: IssuerFacts): IssuerTest {
  return { valid, message, authorizationEndpoint, tokenEndpoint };
}

/** The result of a failed test. */
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
