import { type PlatformRole, platformRoleOf } from "@butler/access";
import { type IdentityProvider, User } from "@butler/api";
import type { KubeClient } from "@butler/kube";
import type { Clock } from "@butler/std";
import type { IncomingRequest, SignedIn } from "../../ports.ts";
import type { ServerState } from "../../state/state.ts";
import { AccessTokens } from "./access-token.ts";
import { bearerOf, cookieNames, isSameOrigin, ownCookie } from "./cookies.ts";
import { csrfTokenOf, isSameText, type SessionRecord } from "./session-record.ts";
import { isYoung, type SessionStore } from "./session-store.ts";
import type { KeyRing } from "./signing-keys.ts";

/** Dependencies of the authenticator. */
export interface AuthenticatorParts {
  readonly client: Pick<KubeClient, "find">;
  readonly keys: KeyRing;
  readonly sessions: SessionStore;
  readonly state: Pick<ServerState, "users" | "identityProviders">;
  readonly clock: Clock;
  /** URL of the console; empty when it is not known. */
  readonly publicUrl: string;
}

/**
 * The current user of a session: its account must exist, have the same uid, and have the same sign-in method as when
 * the session was opened. Undefined if the session is no longer valid.
 */
export function callerOf(
  session: SessionRecord,
  user: User | undefined,
  provider: IdentityProvider | undefined,
): SignedIn | undefined {
  if (user === undefined || user.metadata.uid !== session.userUid || user.spec.disabled) return undefined;
  const isSameWay = session.method === "oidc" ? isSameIdentity(session, user, provider) : isSamePassword(session, user);
  if (!isSameWay || user.metadata.deletionTimestamp !== undefined) return undefined;
  const isSso = user.spec.authType === "sso";
  return {
    person: {
      email: user.spec.email.trim().toLowerCase(),
      groups: isSso ? (user.status?.lastSeenGroups ?? []) : [],
      identityProvider: isSso ? user.spec.ssoProvider : undefined,
    },
    platformRole: platformRoleOf(user, provider),
    displayName: user.spec.displayName,
    picture: user.spec.avatar,
    sessionId: session.id,
  };
}

function isSameIdentity(session: SessionRecord, { spec }: User, provider: IdentityProvider | undefined): boolean {
  return (
    spec.authType === "sso" &&
    spec.ssoProvider === session.provider &&
    spec.ssoSubject === session.subject &&
    provider?.spec.oidc?.issuerURL === session.issuer &&
    session.issuer !== undefined
  );
}

function isSamePassword(session: SessionRecord, { spec, status }: User): boolean {
  return spec.authType === "internal" && status?.passwordSecretRef?.name === session.credential;
}

/** Authenticates each request. Of a token only its session is used, not its claims about the user. */
export class SessionAuthenticator {
  readonly #parts: AuthenticatorParts;
  readonly #tokens: AccessTokens;

  constructor(parts: AuthenticatorParts) {
    this.#parts = parts;
    this.#tokens = new AccessTokens(parts.keys, parts.clock);
  }

  readonly authenticate = async (request: IncomingRequest): Promise<SignedIn | undefined> => {
    const { clock, sessions } = this.#parts;
    const token = bearerOf(request) ?? ownCookie(request, cookieNames.access, this.#parts.publicUrl);
    if (token === undefined) return undefined;
    const claims = await this.#tokens.read(token);
    const session = claims && (await sessions.find(claims.sessionId, claims.issuedAtMs));
    if (session === undefined || session.user !== claims?.user) return undefined;
    return this.resolve(session) ?? (isYoung(claims.issuedAtMs, clock) ? this.#resolveAnew(session) : undefined);
  };

  /** A bearer token is sent deliberately, so it needs no CSRF check; browsers send cookies automatically. */
  readonly checkCsrf = async (request: IncomingRequest, caller: SignedIn): Promise<boolean> => {
    if (bearerOf(request) !== undefined) return true;
    const { sessions, clock } = this.#parts;
    const session = await sessions.find(caller.sessionId ?? "", clock.now().getTime());
    const header = request.headers["x-butler-csrf"];
    if (session === undefined || typeof header !== "string") return false;
    return isSameText(header, csrfTokenOf(session)) && isSameOrigin(request, this.#parts.publicUrl);
  };

  /** The current user of a session. */
  resolve(session: SessionRecord): SignedIn | undefined {
    return callerOf(session, this.#parts.state.users.get({ name: session.user }), this.#providerOf(session));
  }

  /** The current platform role of an account. */
  platformRoleOf(user: User): PlatformRole | undefined {
    const { authType, ssoProvider } = user.spec;
    const name = authType === "sso" ? ssoProvider : undefined;
    return platformRoleOf(user, name === undefined ? undefined : this.#parts.state.identityProviders.get({ name }));
  }

  /** A session just created by another replica may not be in the cache yet. */
  async #resolveAnew(session: SessionRecord): Promise<SignedIn | undefined> {
    const user = await this.#parts.client.find(User, { name: session.user });
    return callerOf(session, user, this.#providerOf(session));
  }

  #providerOf({ provider }: SessionRecord): IdentityProvider | undefined {
    return provider === undefined ? undefined : this.#parts.state.identityProviders.get({ name: provider });
  }

  /** The current user of a session by id; undefined if it has ended. */
  current(sessionId: string): SignedIn | undefined {
    const session = this.#parts.sessions.get(sessionId);
    return session && this.resolve(session);
  }
}
