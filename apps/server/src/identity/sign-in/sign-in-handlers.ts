import { isPlatformAdminHere } from "../people/setup.ts";
import { beginSignIn, beginSingleSignIn, completeSignIn, listSignInProviders } from "@butler/contract";
import type { IdentityProvider } from "@butler/api";
import { ButlerError } from "@butler/std";
import { type Call, type Handler, handle } from "../../http/handler.ts";
import { RouteProblem } from "../../http/problem.ts";
import type { IncomingRequest } from "../../ports.ts";
import { cookieText, isOverTls, ownCookie } from "../sessions/cookies.ts";
import { cookiesForSession } from "../sessions/session-cookies.ts";
import { isSameText } from "../sessions/session-record.ts";
import { audited, type Trail } from "./audited.ts";
import { beginFlow, completeFlow, type SignInError } from "./oidc-flow.ts";
import { buttonLabelOf } from "./providers.ts";
import {
  openState,
  safeReturnTo,
  sealState,
  signInLifetimeMs,
  type SignInState,
  stateCookieName,
} from "./sealed-state.ts";
import { admitIdentity } from "./sign-in-accounts.ts";
import type { SignInParts } from "./parts.ts";

const cookiePath = "/api/auth";

/** Handlers for signing in through identity providers. */
export function signInHandlers(parts: SignInParts): Handler[] {
  const { state } = parts;
  return [
    handle(listSignInProviders, () => ({
      providers: state.identityProviders
        .list()
        .filter(({ spec }) => spec.oidc !== undefined)
        .map((provider) => ({
          name: provider.metadata.name,
          type: "oidc" as const,
          loginUrl: `/api/auth/login/${provider.metadata.name}`,
          buttonLabel: buttonLabelOf(provider),
        }))
        .sort((left, right) => (left.name < right.name ? -1 : 1)),
      internalUsers: true,
      legacyAuth: false as const,
      passwordLoginUrl: "/api/auth/login",
      setupNeeded: !isPlatformAdminHere(state),
    })),
    handle(beginSignIn, (call) => begin(parts, call, providerNamed(parts, call.params.provider))),
    handle(beginSingleSignIn, (call) => begin(parts, call, onlyProvider(parts))),
    audited(parts, completeSignIn, async (call, trail) => {
      const ended = await complete(parts, call, trail);
      const isIn = !("refusal" in ended);
      if (!isIn) trail.refusal = ended.refusal;
      trail.headers.push(["location", isIn ? ended.location : `/?error=${ended.refusal}`]);
      return undefined;
    }),
  ];
}

function providerNamed({ state }: SignInParts, name: string): IdentityProvider {
  const provider = state.identityProviders.get({ name });
  if (provider?.spec.oidc === undefined) throw new RouteProblem("NOT_FOUND", `identity provider ${name} not found`);
  return provider;
}

function onlyProvider({ state }: SignInParts): IdentityProvider {
  const [provider, ...others] = state.identityProviders.list();
  if (provider === undefined) throw new RouteProblem("NOT_FOUND", "no identity provider is configured");
  if (others.length === 0) return provider;
  throw new RouteProblem("CONFLICT", "several identity providers are configured", {
    hint: "Choose one from /api/auth/providers.",
  });
}

type Beginning = Pick<Call<typeof beginSingleSignIn>, "query" | "request" | "signal" | "setHeader">;

async function begin(parts: SignInParts, call: Beginning, provider: IdentityProvider): Promise<undefined> {
  const returnTo = safeReturnTo(call.query.return_to);
  try {
    const { location, state } = await beginFlow(parts.flow, provider, { returnTo, signal: call.signal });
    const sealed = await sealState(parts.keys, state, parts.clock);
    call.setHeader("set-cookie", [stateCookie(parts, call.request, { state: state.state, sealed })]);
    call.setHeader("location", location);
  } catch (error) {
    if (!(error instanceof ButlerError)) throw error;
    parts.logger.warn("failed to start a sign-in", { provider: provider.metadata.name, error: error.message });
    call.setHeader("location", `/?error=${"provider_unavailable" satisfies SignInError}`);
  }
  return undefined;
}

/** Lax, because the callback is a cross-site navigation. */
function stateCookie(
  { publicUrl }: SignInParts,
  request: Pick<IncomingRequest, "isSecure">,
  { state, sealed }: { readonly state: string; readonly sealed: string },
): string {
  const maxAgeSeconds = sealed === "" ? 0 : signInLifetimeMs / 1_000;
  const isSecure = isOverTls(request, publicUrl);
  return cookieText(stateCookieName(state), sealed, { path: cookiePath, maxAgeSeconds, isSecure, sameSite: "lax" });
}

type Return = Call<typeof completeSignIn>;
type Ended = { readonly location: string } | { readonly refusal: SignInError };

async function complete(parts: SignInParts, call: Return, trail: Trail): Promise<Ended> {
  const state = await stateOf(parts, call);
  if (state === undefined) return { refusal: "state_invalid" };
  // Consumed, whatever the outcome.
  const used = stateCookie(parts, call.request, { state: state.state, sealed: "" });
  trail.headers.push(["set-cookie", [used]]);
  const provider = parts.state.identityProviders.get({ name: state.provider });
  // The provider must not have changed in the meantime.
  if (provider?.spec.oidc?.issuerURL !== state.issuer) return { refusal: "state_invalid" };
  const at = call.request.url.indexOf("?");
  const query = at < 0 ? "" : call.request.url.slice(at);
  const proven = await completeFlow(parts.flow, provider, { state, query, signal: call.signal });
  if ("refusal" in proven) return proven;
  const { subject, person, providerSession } = proven;
  const identity = { provider: state.provider, issuer: state.issuer, subject, email: person.email };
  trail.email = person.email;
  const admitted = await admitIdentity(parts, { identity, person, signal: call.signal });
  if ("refusal" in admitted) return admitted;
  const { name: user, uid: userUid = "" } = admitted.user.metadata;
  trail.account = user;
  const { provider: providerName, issuer, sessionId: id } = state;
  const proof = { user, userUid, method: "oidc", provider: providerName, issuer, subject, providerSession } as const;
  try {
    const opened = await parts.sessions.open({ id, ...proof, request: call.request }, call.signal);
    const cookies = await cookiesForSession(parts, opened, call.request);
    trail.headers.splice(0, trail.headers.length, ["set-cookie", [used, ...cookies]]);
    return { location: state.returnTo };
  } catch (error) {
    if (error instanceof RouteProblem && error.code === "GONE") return { refusal: "state_invalid" };
    throw error;
  }
}

/** The pending sign-in of this browser; undefined if there is none. */
async function stateOf(
  { keys, clock, publicUrl }: SignInParts,
  { query, request }: Return,
): Promise<SignInState | undefined> {
  if (query.state === undefined) return undefined;
  const sealed = ownCookie(request, stateCookieName(query.state), publicUrl);
  const state = sealed === undefined ? undefined : await openState(keys, sealed, clock);
  return state !== undefined && isSameText(state.state, query.state) ? state : undefined;
}
