import { Team } from "@butler/api";
import type { Session } from "@butler/cli-session";
import { NotFound } from "@butler/std";

/** The team of that name. */
export async function requireTeam({ client, signal }: Session, name: string): Promise<Team> {
  const team = await client.find(Team, { name }, signal);
  if (team !== undefined) return team;
  throw new NotFound(`team ${name} not found`, { hint: "List them with: butleradm team list" });
}
