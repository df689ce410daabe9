import { parseCookie, stringifySetCookie } from "cookie";
import type { IncomingRequest } from "../../ports.ts";

/** Names of the cookies of a session. */
export const cookieNames = { access: "butler_session", refresh: "butler_refresh", csrf: "butler_csrf" } as const;

/** Attributes of a cookie. */
export interface CookieOptions {
  readonly path: string;
  readonly maxAgeSeconds: number;
  /** Whether it is sent over https only. */
  readonly isSecure: boolean;
  readonly sameSite: "lax" | "strict";
  /** Whether scripts can read it; never set for secrets. */
  readonly isReadable?: boolean;
}

/**
 * A cookie as a Set-Cookie header. Over TLS its name gets the prefix __Host-, with which browsers accept it from this
 * host alone and only with the path `/`: another host of the same domain cannot plant one.
 */
export function cookieText(name: string, value: string, options: CookieOptions): string {
  const { maxAgeSeconds, isSecure: secure, sameSite, isReadable = false } = options;
  const maxAge = Math.max(0, Math.floor(maxAgeSeconds));
  const path = secure ? "/" : options.path;
  return stringifySetCookie({
    name: nameOf(name, secure),
    value,
    path,
    maxAge,
    secure,
    sameSite,
    httpOnly: !isReadable,
  });
}

function nameOf(name: string, isSecure: boolean): string {
  return isSecure ? `__Host-${name}` : name;
}

/** Whether cookies of a request go over TLS only: it came by TLS, or the server is meant to be reached that way. */
export function isOverTls({ isSecure = false }: Pick<IncomingRequest, "isSecure">, publicUrl: string): boolean {
  return isSecure || publicUrl.startsWith("https:");
}

/** A cookie that this server has set; over TLS only one that no other host can have set. */
export function ownCookie(
  request: Pick<IncomingRequest, "headers" | "isSecure">,
  name: string,
  publicUrl: string,
): string | undefined {
  return cookiesOf(request).get(nameOf(name, isOverTls(request, publicUrl)));
}

/** The cookies of a request. Of several with one name the first counts, as the one with the longest path. */
export function cookiesOf({ headers }: Pick<IncomingRequest, "headers">): ReadonlyMap<string, string | undefined> {
  const header = headers["cookie"];
  const text = typeof header === "string" ? header : (header ?? []).join("; ");
  return new Map(Object.entries(parseCookie(text)));
}

/** The bearer token of a request; undefined if none. */
export function bearerOf({ headers }: Pick<IncomingRequest, "headers">): string | undefined {
  const header = headers["authorization"];
  return typeof header === "string" ? /^Bearer +([\w.~+/=-]+)$/i.exec(header)?.[1] : undefined;
}

/**
 * Whether a request comes from the server's own pages, by the headers that browsers send. Other clients send no such
 * headers, and have no cookies that another site could misuse.
 */
export function isSameOrigin({ headers }: Pick<IncomingRequest, "headers">, publicUrl: string): boolean {
  const site = headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin" && site !== "none") return false;
  const origin = headers["origin"];
  if (origin === undefined) return true;
  if (typeof origin !== "string" || !URL.canParse(origin)) return false;
  const given = new URL(origin);
  return publicUrl === "" ? given.host === headers["host"] : given.origin === new URL(publicUrl).origin;
}
