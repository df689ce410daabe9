import { createHash, randomBytes } from "node:crypto";

/** An invitation stays open this long. */
const lifetimeMs = 72 * 3_600_000;

/** An invitation: what the person gets, and what is kept of it. */
export interface Invitation {
  /** Shown once, and kept nowhere. */
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

/** What is kept of an invitation's token, and what a token that somebody brings is compared by. */
export function hashInvitationToken(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** What an account keeps of an invitation, in the place of one before it. */
export function invitedStatus({ tokenHash, expiresAt }: Invitation, now: Date) {
  const sentAt = now.toISOString().replace(/\.\d+Z$/, "Z");
  return { inviteTokenHash: tokenHash, inviteExpiresAt: expiresAt, inviteSentAt: sentAt };
}

/** The address at which an invitation is taken up, in the console that has this address. */
export function invitationUrl(publicUrl: string, { token }: Invitation): string {
  return `${publicUrl.replace(/\/+$/, "")}/invite/${token}`;
}
