import { createHash, randomBytes } from "node:crypto";
import { User } from "@butler/api";
import type { WholeServer } from "@butler/server/testing";
import { eventually } from "@butler/testkit";

/** Renews an invitation and returns the token that an administrator would share. */
export async function invitationOf({ cluster: { client }, state }: WholeServer, name: string): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  const inviteTokenHash = createHash("sha256").update(token).digest("hex");
  const status = { inviteTokenHash, inviteExpiresAt: new Date(Date.now() + 86_400_000).toISOString() };
  await client.patch(User, { name }, { type: "merge", subresource: "status", patch: { status } });
  await eventually(() => state.users.get({ name })?.status?.inviteTokenHash === inviteTokenHash);
  return token;
}
