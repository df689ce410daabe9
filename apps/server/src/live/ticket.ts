import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { isRecord } from "@butler/std";

/** A ticket: valid for one socket, one session and one origin, until it expires. */
export interface Ticket {
  readonly id: string;
  readonly sessionId: string;
  /** The Origin of the page; empty for programs that are none. */
  readonly origin: string;
  readonly expiresAtMs: number;
}

/** Lifetime of a ticket. */
export const ticketLifeMs = 30_000;

/** Creates a ticket. */
export function issueTicket(
  { sessionId, origin, now }: { readonly sessionId: string; readonly origin: string; readonly now: Date },
  key: Uint8Array,
): { readonly ticket: Ticket; readonly text: string } {
  const expiresAtMs = now.getTime() + ticketLifeMs;
  const ticket: Ticket = { id: randomBytes(16).toString("hex"), sessionId, origin, expiresAtMs };
  const body = Buffer.from(JSON.stringify(ticket)).toString("base64url");
  return { ticket, text: `${body}.${sign(body, key)}` };
}

/** Verifies a ticket; undefined if it is not ours, for another origin, or expired. */
export function readTicket(
  text: string,
  { keys, origin, now }: { readonly keys: readonly Uint8Array[]; readonly origin: string; readonly now: Date },
): Ticket | undefined {
  const [body = "", signature = "", ...more] = text.split(".");
  if (more.length > 0 || !keys.some((key) => isEqual(sign(body, key), signature))) return undefined;
  const ticket = parse(body);
  return ticket !== undefined && ticket.origin === origin && now.getTime() < ticket.expiresAtMs ? ticket : undefined;
}

/** Whether a page of that origin may open a socket: the console's, or that of the server itself. */
export function isOwnOrigin(
  origin: string,
  { host, publicUrl }: { readonly host: string | undefined; readonly publicUrl: string },
): boolean {
  if (!URL.canParse(origin)) return false;
  const { host: originHost, origin: normal, protocol } = new URL(origin);
  if (protocol !== "https:" && protocol !== "http:") return false;
  // With a configured public URL only that one is accepted: the Host header comes from the client.
  return URL.canParse(publicUrl) ? normal === new URL(publicUrl).origin : originHost === host;
}

function parse(body: string): Ticket | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(body, "base64url").toString());
    return isRecord(value) ? (value as unknown as Ticket) : undefined;
  } catch {
    return undefined;
  }
}

function sign(body: string, key: Uint8Array): string {
  return createHmac("sha256", key).update(`butler-live:${body}`).digest("base64url");
}

function isEqual(left: string, right: string): boolean {
  const [a, b] = [Buffer.from(left), Buffer.from(right)];
  return a.length === b.length && timingSafeEqual(a, b);
}
