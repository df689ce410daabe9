import {
  endOtherSessions,
  endOwnSession,
  endSessionOfUser,
  endSessionsOfUser,
  listOwnSessions,
  listSessionsOfUser,
  refreshSession,
  signOut,
} from "@butler/contract";
import { type Handler, handle } from "../../http/handler.ts";
import { RouteProblem } from "../../http/problem.ts";
import type { SignedIn } from "../../ports.ts";
import { audited } from "../sign-in/audited.ts";
import type { SignInParts } from "../sign-in/parts.ts";
import { cookieNames, ownCookie } from "./cookies.ts";
import { cookiesForNobody, cookiesForSession } from "./session-cookies.ts";
import type { SessionRecord } from "./session-record.ts";

/** Refreshing, listing and ending sessions. */
export function sessionHandlers(parts: SignInParts): Handler[] {
  return [...lifeHandlers(parts), ...ownHandlers(parts), ...adminHandlers(parts)];
}

function lifeHandlers(parts: SignInParts): Handler[] {
  const { sessions, state, authenticator, publicUrl } = parts;
  return [
    audited(parts, refreshSession, async ({ request, signal }, trail) => {
      const token = ownCookie(request, cookieNames.refresh, publicUrl) ?? "";
      const opened = await sessions.refresh(token, signal, ({ user }) => {
        trail.account = user;
        // The session ends because of it: a record of its user.
        const email = state.users.get({ name: user })?.spec.email;
        if (email !== undefined) trail.email = email;
      });
      trail.account = opened.record.user;
      const caller = authenticator.resolve(opened.record);
      if (caller === undefined) {
        await sessions.revoke(opened.record.id, signal);
        throw new RouteProblem("UNAUTHENTICATED", "this session has ended", { hint: "Sign in again." });
      }
      trail.email = caller.person.email;
      trail.isRoutine = true;
      trail.headers.push(["set-cookie", await cookiesForSession(parts, opened, request)]);
      return { status: "refreshed" as const, expiresAt: new Date(opened.record.expiresAt).toISOString() };
    }),
    audited(parts, signOut, async ({ request, signal }, trail) => {
      const caller = await authenticator.authenticate(request);
      const refresh = ownCookie(request, cookieNames.refresh, publicUrl);
      const byToken = refresh === undefined ? undefined : await sessions.ofRefreshToken(refresh, signal);
      const own = caller && (await sessionOf(parts, caller));
      for (const session of [own, byToken]) {
        if (session === undefined) continue;
        trail.account = session.user;
        const email = caller?.person.email ?? state.users.get({ name: session.user })?.spec.email;
        if (email !== undefined) trail.email = email;
        await sessions.revoke(session.id, signal);
      }
      trail.headers.push(["set-cookie", cookiesForNobody(publicUrl, request)]);
      return { status: "logged_out" as const };
    }),
  ];
}

function ownHandlers(parts: SignInParts): Handler[] {
  const { sessions } = parts;
  return [
    handle(listOwnSessions, async ({ caller }) => {
      const { userUid } = await sessionOf(parts, caller);
      return listOf(sessions.list(userUid), caller.sessionId);
    }),
    handle(endOwnSession, async ({ caller, params, signal, note }) => {
      note({ name: params.session });
      const { userUid } = await sessionOf(parts, caller);
      return endOne(parts, { userUid, session: params.session, signal });
    }),
    handle(endOtherSessions, async ({ caller, signal }) => {
      const { userUid } = await sessionOf(parts, caller);
      return { ended: await sessions.revokeAll(userUid, { except: caller.sessionId, signal }) };
    }),
  ];
}

/** Ends a session, if it is one of the account's. */
async function endOne(
  { sessions }: SignInParts,
  { userUid, session, signal }: { readonly userUid: string; readonly session: string; readonly signal: AbortSignal },
) {
  const isTheirs = sessions.list(userUid).some(({ id }) => id === session);
  if (!isTheirs) throw new RouteProblem("NOT_FOUND", "session not found");
  await sessions.revoke(session, signal);
  return { ended: 1 };
}

function adminHandlers(parts: SignInParts): Handler[] {
  const { sessions, state } = parts;
  const uidOf = (name: string): string => {
    const uid = state.users.get({ name })?.metadata.uid;
    if (uid === undefined) throw new RouteProblem("NOT_FOUND", `account ${name} not found`);
    return uid;
  };
  return [
    handle(listSessionsOfUser, ({ params, caller }) => listOf(sessions.list(uidOf(params.user)), caller.sessionId)),
    handle(endSessionsOfUser, async ({ params, signal }) => ({
      ended: await sessions.revokeAll(uidOf(params.user), { signal }),
    })),
    handle(endSessionOfUser, ({ params: { user, session }, signal, note }) => {
      note({ name: session });
      return endOne(parts, { userUid: uidOf(user), session, signal });
    }),
  ];
}

/** The session of a request, which existed when the request was authenticated. */
async function sessionOf({ sessions, clock }: SignInParts, { sessionId = "" }: SignedIn): Promise<SessionRecord> {
  const session = await sessions.find(sessionId, clock.now().getTime());
  if (session === undefined) throw new RouteProblem("CONFLICT", "the request has no browser session");
  return session;
}

function listOf(records: readonly SessionRecord[], current: string | undefined) {
  const moment = (ms: number): string => new Date(ms).toISOString();
  const sessions = [...records]
    .sort((left, right) => right.createdAt - left.createdAt)
    .map(({ id, method, provider, sourceAddress, userAgent, createdAt, usedAt, expiresAt }) => ({
      id,
      isCurrent: id === current,
      method,
      ...(provider === undefined ? {} : { provider }),
      sourceAddress,
      userAgent,
      createdAt: moment(createdAt),
      usedAt: moment(usedAt),
      expiresAt: moment(expiresAt),
    }));
  return { sessions, total: sessions.length };
}
