import type { IncomingRequest } from "../../ports.ts";

/** Names of the cookies of a session. */
export const cookieNames = { access: "butler_session", refresh: "butler_refresh", csrf: "butler_csrf" } as const;

/** Attributes of a cookie. */
export interface CookieOptions {
  readonly path: string;
  readonly maxAgeSeconds: number;
  /** Whether it is sent over https only. */
  readonly isSecure: boolean;
  readonly sameSite: "Lax" | "Strict";
  /** Whether scripts can read it; never set for secrets. */
  readonly isReadable?: boolean;
}

/** A cookie as a Set-Cookie header. */
export function cookieText(name: string, value: string, options: CookieOptions): string {
  return [
    `${name}=${value}`,
    `Path=${options.path}`,
    `Max-Age=${Math.max(0, Math.floor(options.maxAgeSeconds))}`,
    `SameSite=${options.sameSite}`,
    ...(options.isReadable === true ? [] : ["HttpOnly"]),
    ...(options.isSecure ? ["Secure"] : []),
  ].join("; ");
}

/** The cookies of a request. Of several with one name the first counts, as the one with the longest path. */
export function cookiesOf({ headers }: Pick<IncomingRequest, "headers">): ReadonlyMap<string, string> {
  const header = headers["cookie"];
  const text = typeof header === "string" ? header : (header ?? []).join("; ");
  const found = new Map<string, string>();
  for (const part of text.split(";")) {
    const at = part.indexOf("=");
    const name = part.slice(0, Math.max(0, at)).trim();
    if (name !== "" && !found.has(name)) found.set(name, part.slice(at + 1).trim());
  }
  return found;
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
