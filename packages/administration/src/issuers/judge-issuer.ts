import { isRecord } from "@butler/std";

/** What a look at an issuer has shown. */
export interface IssuerTest {
  readonly valid: boolean;
  /** As a sentence. */
  readonly message: string;
  readonly authorizationEndpoint?: string | undefined;
  readonly tokenEndpoint?: string | undefined;
}

/** The same with the addresses that only programs need. */
export interface IssuerFacts extends IssuerTest {
  readonly userInfoEndpoint?: string | undefined;
  readonly jwksURI?: string | undefined;
}

const largestDocument = 256 * 1024;
const longestAddress = 2_048;

/** Where an issuer has its discovery document (OpenID Connect Discovery 1.0, section 4). */
export function discoveryAddress(issuerURL: string): string {
  return `${issuerURL.replace(/\/$/, "")}/.well-known/openid-configuration`;
}

/** Judges what an issuer answers when it is asked for its discovery document. */
export function judgeDiscovery(
  issuerURL: string,
  { status, text }: { readonly status: number; readonly text: string },
): IssuerFacts {
  const isFine = status >= 200 && status < 300;
  if (!isFine || text.length > largestDocument) return invalidIssuer(`the issuer answers ${status}`);
  const found = readJson(text);
  if (!isRecord(found)) return invalidIssuer("the issuer does not answer with a discovery document");
  if (found["issuer"] !== issuerURL) return invalidIssuer("the issuer calls itself something else");
  const address = (name: string): string | undefined =>
    typeof found[name] === "string" && found[name].length <= longestAddress ? found[name] : undefined;
  const [authorizationEndpoint, tokenEndpoint] = [address("authorization_endpoint"), address("token_endpoint")];
  if (authorizationEndpoint === undefined || tokenEndpoint === undefined) {
    return invalidIssuer("the issuer names no endpoints");
  }
  const [userInfoEndpoint, jwksURI] = [address("userinfo_endpoint"), address("jwks_uri")];
  return {
    valid: true,
    message: "the issuer answers",
    authorizationEndpoint,
    tokenEndpoint,
    userInfoEndpoint,
    jwksURI,
  };
}

/** What is shown of a look. */
export function issuerTest({ valid, message, authorizationEndpoint, tokenEndpoint }: IssuerFacts): IssuerTest {
  return { valid, message, authorizationEndpoint, tokenEndpoint };
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
