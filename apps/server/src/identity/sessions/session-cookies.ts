import type { Clock } from "@butler/std";
import { signAccessToken } from "./access-token.ts";
import type { IncomingRequest } from "../../ports.ts";
import { cookieNames, cookieText, isOverTls } from "./cookies.ts";
import { csrfTokenOf } from "./session-record.ts";
import type { OpenedSession, SessionStore } from "./session-store.ts";
import type { KeyRing } from "./signing-keys.ts";

/** The only path that the refresh token is sent to without TLS; with TLS its prefix requires the path `/`. */
const refreshPath = "/api/auth";

/** Dependencies of session cookies. */
export interface SessionCookieParts {
  readonly keys: KeyRing;
  readonly sessions: SessionStore;
  readonly clock: Clock;
  readonly publicUrl: string;
}

/** The cookies that a browser gets with a session or a refresh of it. */
export async function cookiesForSession(
  { keys, sessions, clock, publicUrl }: SessionCookieParts,
  { record, refreshToken }: OpenedSession,
  request: Pick<IncomingRequest, "isSecure">,
): Promise<string[]> {
  const { accessMs } = sessions.times;
  const nowMs = clock.now().getTime();
  const leftMs = record.expiresAt - nowMs;
  const lifetimeMs = Math.min(accessMs, leftMs);
  const token = await signAccessToken(keys, { sessionId: record.id, user: record.user }, { clock, lifetimeMs });
  const isSecure = isOverTls(request, publicUrl);
  const maxAgeSeconds = leftMs / 1_000;
  const common = { isSecure, sameSite: "lax", path: "/" } as const;
  return [
    cookieText(cookieNames.access, token, { ...common, maxAgeSeconds: lifetimeMs / 1_000 }),
    cookieText(cookieNames.csrf, csrfTokenOf(record), { ...common, maxAgeSeconds, isReadable: true }),
    cookieText(cookieNames.refresh, refreshToken, { isSecure, maxAgeSeconds, path: refreshPath, sameSite: "strict" }),
  ];
}

/** The cookies that clear those of a session. */
export function cookiesForNobody(publicUrl: string, request: Pick<IncomingRequest, "isSecure">): string[] {
  const isSecure = isOverTls(request, publicUrl);
  const common = { isSecure, sameSite: "lax", path: "/", maxAgeSeconds: 0 } as const;
  return [
    cookieText(cookieNames.access, "", common),
    cookieText(cookieNames.csrf, "", { ...common, isReadable: true }),
    cookieText(cookieNames.refresh, "", { ...common, path: refreshPath, sameSite: "strict" }),
  ];
}
