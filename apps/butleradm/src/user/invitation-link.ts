import { createInvitation, invitationUrl, invitedStatus } from "@butler/administration";
import { User } from "@butler/api";
import { shellCommand, type Terminal } from "@butler/cli-kit";
import type { Session } from "@butler/cli-session";
import { ButlerError, describeError, Unavailable } from "@butler/std";
import { Option } from "commander";
import { fieldManager } from "../common/writing.ts";

/** The URL that the link starts with. */
export const consoleOption = (): Option =>
  new Option("--console-url <url>", "URL of the console (default: the public URL of butler-server)");

/** Stores the hash of a new invitation, and prints its link, which is not shown again. */
export async function giveLink(
  { terminal, session: { client, signal } }: { readonly terminal: Terminal; readonly session: Session },
  { user, address }: { readonly user: User; readonly address: string },
): Promise<void> {
  const now = terminal.clock.now();
  const invitation = createInvitation(now);
  const { name } = user.metadata;
  const patch = { status: invitedStatus(invitation, now) };
  try {
    await client.patch(User, { name }, { type: "merge", subresource: "status", patch, fieldManager, signal });
  } catch (error) {
    const hint = `The account exists. Print a new link with: ${shellCommand("butleradm", "user", "reset", name)}`;
    const message = `cannot store the invitation for ${name}: ${describeError(error)}`;
    throw error instanceof ButlerError ? new Unavailable(message, { details: error.details, hint }) : error;
  }
  terminal.say(
    `Send this link to ${user.spec.email}. The link can be used once, expires at ${invitation.expiresAt}, and is not stored.`,
  );
  terminal.print(invitationUrl(address, invitation));
}
