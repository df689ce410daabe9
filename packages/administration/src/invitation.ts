import { createHash, randomBytes } from "node:crypto";

/** Lifetime of an invitation. */
const lifetimeMs = 72 * 3_600_000;

/** An invitation: the token for the user, and the stored hash. */
export interface Invitation {
  /** Shown once, never stored. */
  readonly token: string;
  readonly tokenHash: string;
  readonly expiresAt: string;
}

/** Makes an invitation. */
export function createInvitation(now: Date): Invitation {
  const token = randomBytes(32).toString("base64url");
  const expiresAt = new Date(now.getTime() + lifetimeMs).toISOString().replace(/\.\d+Z$/, "Z");
  return { token, tokenHash: hashInvitationToken(token), expiresAt };
}

/** The hash that is stored of an invitation's token, used to verify a presented token. */
export function hashInvitationToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** The status fields of an invitation, which replace those of a previous one. */
export function invitedStatus({ tokenHash, expiresAt }: Invitation, now: Date) {
  const sentAt = now.toISOString().replace(/\.\d+Z$/, "Z");
  return { inviteTokenHash: tokenHash, inviteExpiresAt: expiresAt, inviteSentAt: sentAt };
}

/** The URL where an invitation is accepted, in the console with this base URL. */
export function invitationUrl(publicUrl: string, { token }: Invitation): string {
  return `${publicUrl.replace(/\/+$/, "")}/invite/${token}`;
}
