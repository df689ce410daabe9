import { acceptedGroups, type ClaimedPerson, readClaims, type SignInRefusal } from "@butler/access";
import type { IdentityProvider } from "@butler/api";
import type { signInErrors } from "@butler/contract";
import { ButlerError, type Clock, describeError } from "@butler/std";
import type { Logger } from "@butler/telemetry";
import { errors, jwtVerify } from "jose";
import * as oidc from "openid-client";
import { newSessionId } from "../sessions/session-store.ts";
import { type GoogleParts, googleGroupsOf } from "./google-groups.ts";
import type { ProviderDirectory, ReadyProvider } from "./providers.ts";
import type { SignInState } from "./sealed-state.ts";

/** Dependencies of a sign-in at a provider. */
export interface FlowParts {
  readonly providers: ProviderDirectory;
  readonly google: Omit<GoogleParts, "fetch">;
  readonly clock: Clock;
  readonly logger: Logger;
}

/** Why a sign-in did not succeed. */
export type SignInError = keyof typeof signInErrors;

/** A user authenticated by an identity provider. */
export interface ProvenPerson {
  readonly subject: string;
  readonly person: ClaimedPerson;
  readonly providerSession: string | undefined;
}

const usualScopes = ["openid", "email", "profile"];
const clockSkewSeconds = 30;
/** Asymmetric signature algorithms only; HMAC and `none` are not allowed. */
const algorithms = [
  "RS256",
  "RS384",
  "RS512",
  "PS256",
  "PS384",
  "PS512",
  "ES256",
  "ES384",
  "ES512",
  "EdDSA",
  "Ed25519",
];

/** The redirect URL, and the state to keep until the callback. */
export async function beginFlow(
  { providers }: FlowParts,
  provider: IdentityProvider,
  { returnTo, signal }: { readonly returnTo: string; readonly signal: AbortSignal },
): Promise<{ readonly location: string; readonly state: SignInState }> {
  const { configuration } = await providers.ready(provider, signal);
  const settings = provider.spec.oidc;
  const state: SignInState = {
    provider: provider.metadata.name,
    issuer: settings?.issuerURL ?? "",
    state: oidc.randomState(),
    nonce: oidc.randomNonce(),
    verifier: oidc.randomPKCECodeVerifier(),
    returnTo,
    sessionId: newSessionId(),
  };
  const scopes = settings?.scopes?.length ? settings.scopes : usualScopes;
  const location = oidc.buildAuthorizationUrl(configuration, {
    redirect_uri: settings?.redirectURL ?? "",
    scope: [...new Set(["openid", ...scopes])].join(" "),
    state: state.state,
    nonce: state.nonce,
    code_challenge: await oidc.calculatePKCECodeChallenge(state.verifier),
    code_challenge_method: "S256",
    ...(settings?.hostedDomain ? { hd: settings.hostedDomain } : {}),
  });
  return { location: location.href, state };
}

/** The callback request. */
export interface FlowReturn {
  readonly state: SignInState;
  /** The query as it came, with whatever the provider has put into it. */
  readonly query: string;
  readonly signal: AbortSignal;
}

/** Exchanges the authorization code for the user's identity, or returns why not. */
export async function completeFlow(
  parts: FlowParts,
  provider: IdentityProvider,
  { state, query, signal }: FlowReturn,
): Promise<ProvenPerson | { readonly refusal: SignInError }> {
  try {
    const ready = await parts.providers.ready(provider, signal);
    const claims = await exchange(ready, provider, { state, query, clock: parts.clock });
    return await personOf(parts, { provider, claims, fetch: ready.fetch });
  } catch (error) {
    parts.logger.warn("a sign-in failed", { provider: provider.metadata.name, error: describeError(error) });
    return { refusal: refusalOf(error) };
  }
}

type Claims = Readonly<Record<string, unknown>> & { readonly sub: string };

async function exchange(
  { configuration, keys }: ReadyProvider,
  { spec }: IdentityProvider,
  { state, query, clock }: Pick<FlowReturn, "state" | "query"> & { readonly clock: Clock },
): Promise<Claims> {
  const url = new URL(spec.oidc?.redirectURL ?? "");
  url.search = query;
  const tokens = await oidc.authorizationCodeGrant(configuration, url, {
    expectedState: state.state,
    expectedNonce: state.nonce,
    pkceCodeVerifier: state.verifier,
    idTokenExpected: true,
  });
  // Received over TLS from the provider; the signature is verified anyway, since TLS may be terminated elsewhere.
  const { payload } = await jwtVerify(tokens.id_token ?? "", keys, {
    issuer: configuration.serverMetadata().issuer,
    audience: spec.oidc?.clientID ?? "",
    algorithms,
    clockTolerance: clockSkewSeconds,
    requiredClaims: ["sub", "exp", "iat", "nonce"],
    currentDate: clock.now(),
  });
  const subject = payload.sub ?? "";
  // An account without a subject could be taken over by anyone with its email address.
  if (subject === "") throw new errors.JWTClaimValidationFailed("the subject is empty", payload, "sub");
  const hasMore = configuration.serverMetadata().userinfo_endpoint !== undefined;
  // Many providers return email addresses and groups only from userinfo. Claims of the signed token take precedence.
  const further = hasMore ? await oidc.fetchUserInfo(configuration, tokens.access_token, subject) : {};
  return { ...further, ...payload, sub: subject };
}

interface VerifiedClaims {
  readonly provider: IdentityProvider;
  readonly claims: Claims;
  readonly fetch: ReadyProvider["fetch"];
}

async function personOf(
  { google }: FlowParts,
  { provider, claims, fetch }: VerifiedClaims,
): Promise<ProvenPerson | { readonly refusal: SignInError }> {
  const settings = provider.spec.oidc;
  const read = readClaims(claims, settings ?? {});
  if ("refusal" in read) return { refusal: read.refusal satisfies SignInRefusal };
  const providerSession = typeof claims["sid"] === "string" ? claims["sid"] : undefined;
  const workspace = settings?.googleWorkspace;
  if (workspace === undefined) return { subject: claims.sub, person: read, providerSession };
  try {
    const found = await googleGroupsOf({ ...google, fetch }, workspace, read.email);
    const groups = acceptedGroups(found, settings?.domains);
    return { subject: claims.sub, person: { ...read, groups }, providerSession };
  } catch {
    // Without its groups the user would lose their teams; they are asked to retry instead.
    return { refusal: "groups_unavailable" };
  }
}

function refusalOf(error: unknown): SignInError {
  if (error instanceof oidc.AuthorizationResponseError) return "provider_refused";
  if (error instanceof oidc.ResponseBodyError) return error.status >= 500 ? "provider_unavailable" : "answer_invalid";
  if (error instanceof ButlerError) return "provider_unavailable";
  if (error instanceof errors.JWKSTimeout) return "provider_unavailable";
  return "answer_invalid";
}
