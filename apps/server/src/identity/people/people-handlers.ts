import { hashInvitationToken } from "@butler/administration";
import { User } from "@butler/api";
import { changePassword, setPassword, setUpPlatform, showInvitation, signInWithPassword } from "@butler/contract";
import { sleep } from "@butler/std";
import { type Handler, handle } from "../../http/handler.ts";
import { RouteProblem } from "../../http/problem.ts";
import type { IncomingRequest } from "../../ports.ts";
import { cookiesForSession } from "../sessions/session-cookies.ts";
import { audited, type Trail } from "../sign-in/audited.ts";
import type { SignInParts } from "../sign-in/parts.ts";
import { requireGoodPassword, storePassword, tryPassword } from "./accounts.ts";
import { makeFirstAdministrator } from "./setup.ts";

/** Handlers for signing in with a password, and for setting and changing passwords. */
export function peopleHandlers(parts: SignInParts): Handler[] {
  return [passwordHandler(parts), ...invitationHandlers(parts), changeHandler(parts), setupHandler(parts)];
}

function passwordHandler(parts: SignInParts): Handler {
  const { addresses, clock, devices } = parts;
  return audited(parts, signInWithPassword, async ({ body, request, signal }, trail) => {
    trail.isAttempt = true;
    const { sourceAddress } = request;
    const beganMs = clock.monotonicMs();
    const known = accountNamed(parts, body);
    // A device on which the account is known has its own count: others at its address do not throttle it.
    const isKnownDevice = known !== undefined && (await devices.idOf(known, request)) !== undefined;
    if (!isKnownDevice) addresses.requireOpen(sourceAddress);
    if (known !== undefined) trail.account = known.metadata.name;
    const user = await tryPassword(parts, { user: known, password: body.password, request, signal });
    if (user === undefined) {
      addresses.noteFailure(sourceAddress);
      await sleep(clock, Math.max(0, beganMs + parts.failureMs - clock.monotonicMs()), signal);
      throw wrong();
    }
    return { user: await openSession(parts, user, { request, signal, trail }) };
  });
}

/** The account of an email address or a name; undefined if there is none, or if it is ambiguous. */
function accountNamed(
  { state }: SignInParts,
  { email, username }: { email?: string | undefined; username?: string | undefined },
) {
  const name = (email ?? username ?? "").trim().toLowerCase();
  const [found, ...others] = name.includes("@") ? state.accountsOf(name) : [state.users.get({ name })];
  return others.length === 0 ? found : undefined;
}

/** The same error for all failures. */
function wrong(): RouteProblem {
  return new RouteProblem("UNAUTHENTICATED", "incorrect account or password", {
    hint:
      "After several failed sign-ins, the account is locked for your IP address for up to 15 minutes. " +
      "A platform administrator can send a new invitation.",
  });
}

interface Opening {
  readonly request: IncomingRequest;
  readonly signal: AbortSignal;
  readonly trail: Trail;
}

/** Opens a session for a user with a verified password, and returns the user. */
async function openSession(parts: SignInParts, user: User, { request, signal, trail }: Opening) {
  const { name, uid = "" } = user.metadata;
  trail.account = name;
  trail.email = user.spec.email;
  const credential = user.status?.passwordSecretRef?.name;
  const opened = await parts.sessions.open(
    { user: name, userUid: uid, method: "password", credential, request },
    signal,
  );
  const cookies = await cookiesForSession(parts, opened, request);
  trail.headers.push(["set-cookie", [...cookies, await parts.devices.cookieFor(user, request)]]);
  return meOf(parts, user);
}

function meOf({ state, authenticator }: SignInParts, user: User) {
  const person = { email: user.spec.email.toLowerCase(), groups: [] };
  const platformRole = authenticator.platformRoleOf(user);
  return {
    email: person.email,
    name: user.spec.displayName || person.email,
    teams: state.membershipsOf({ person }).map(({ name, role }) => ({ name, role })),
    isPlatformAdmin: platformRole === "admin",
    ...(platformRole === undefined ? {} : { platformRole }),
  };
}

function invitationHandlers(parts: SignInParts): Handler[] {
  return [
    handle(showInvitation, ({ params }) => {
      const user = invitedBy(parts, params.token);
      if (user === undefined) return { valid: false };
      return { valid: true, email: user.spec.email, displayName: user.spec.displayName || user.spec.email };
    }),
    audited(parts, setPassword, async ({ body, request, signal }, trail) => {
      trail.isAttempt = true;
      const known = invitedBy(parts, body.token);
      if (known === undefined) throw over();
      trail.account = known.metadata.name;
      requireGoodPassword(body.password, known.spec.email, "password");
      const user = await takeUp(parts, { token: body.token, password: body.password, signal });
      await parts.sessions.revokeAll(user.metadata.uid ?? "", { signal });
      return { status: "success" as const, user: await openSession(parts, user, { request, signal, trail }) };
    }),
  ];
}

/** Consumes an invitation; retries if the account was modified concurrently. */
async function takeUp(
  parts: SignInParts,
  { token, password, signal }: { readonly token: string; readonly password: string; readonly signal: AbortSignal },
): Promise<User> {
  for (let attempt = 0; attempt < 4; attempt++) {
    const known = invitedBy(parts, token);
    const user = known && (await freshUser(parts, known, signal));
    if (user === undefined || !isInvitedBy(parts, user, token)) throw over();
    const changed = await storePassword(parts, user, { password, signal });
    if (changed !== undefined) return changed;
  }
  throw new RouteProblem("CONFLICT", "another request is changing the account", { hint: "Retry." });
}

function invitedBy(parts: SignInParts, token: string): User | undefined {
  return parts.state.users.list().find((user) => isInvitedBy(parts, user, token));
}

function isInvitedBy({ clock }: Pick<SignInParts, "clock">, { spec, status }: User, token: string): boolean {
  const expiresAt = Date.parse(status?.inviteExpiresAt ?? "");
  const isOpen = !spec.disabled && spec.authType === "internal" && expiresAt > clock.now().getTime();
  // Comparing hashes reveals nothing about the token through timing.
  return isOpen && status?.inviteTokenHash === hashInvitationToken(token);
}

function over(): RouteProblem {
  return new RouteProblem("GONE", "this invitation has expired or was already used", {
    hint: "Ask a platform administrator for a new one.",
  });
}

function changeHandler(parts: SignInParts): Handler {
  const { sessions, state } = parts;
  return handle(changePassword, async ({ body, caller, request, signal, note, setHeader }) => {
    const session = await sessions.find(caller.sessionId ?? "", parts.clock.now().getTime());
    const known = session && state.users.get({ name: session.user });
    if (known === undefined || known.spec.authType !== "internal") {
      throw new RouteProblem("CONFLICT", "this account has no password", {
        hint: "Change your password at your identity provider.",
      });
    }
    note({ name: known.metadata.name });
    parts.addresses.requireOpen(request.sourceAddress);
    requireGoodPassword(body.newPassword, known.spec.email, "newPassword");
    const user = await tryPassword(parts, { user: known, password: body.currentPassword, request, signal });
    if (user === undefined) {
      parts.addresses.noteFailure(request.sourceAddress);
      throw new RouteProblem("FORBIDDEN", "the current password is incorrect");
    }
    const changed = await storePassword(parts, user, { password: body.newPassword, signal });
    if (changed === undefined) throw new RouteProblem("CONFLICT", "another request is changing the account");
    const ended = await sessions.revokeAll(user.metadata.uid ?? "", { signal });
    const trail: Trail = { headers: [] };
    await openSession(parts, changed, { request, signal, trail });
    for (const [name, value] of trail.headers) setHeader(name, value);
    return { ended: Math.max(0, ended - 1) };
  });
}

function setupHandler(parts: SignInParts): Handler {
  return audited(parts, setUpPlatform, async ({ body, request, signal }, trail) => {
    trail.isAttempt = true;
    parts.addresses.requireOpen(request.sourceAddress);
    try {
      const user = await makeFirstAdministrator(parts, { ...body, signal });
      return { user: await openSession(parts, user, { request, signal, trail }) };
    } catch (error) {
      if (error instanceof RouteProblem && error.code === "GONE") parts.addresses.noteFailure(request.sourceAddress);
      throw error;
    }
  });
}

/** The current account, read from the API server. */
async function freshUser({ client }: SignInParts, known: User, signal: AbortSignal): Promise<User | undefined> {
  return client.find(User, { name: known.metadata.name }, signal);
}
