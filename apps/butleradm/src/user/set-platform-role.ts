import { planPlatformRole, requireAnotherAdmin } from "@butler/administration";
import { effectivePlatformRole, User } from "@butler/api";
import { type Terminal, withExamples } from "@butler/cli-kit";
import { withSession } from "@butler/cli-session";
import { Argument, Command } from "commander";
import { changeFromCurrent } from "../common/writing.ts";
import { requireUser } from "./find-user.ts";
import { type ChangeOptions, accountArgument, dryRunText } from "./change-options.ts";

type PlatformRole = "admin" | "viewer" | "none";

/** `butleradm user set-platform-role`. */
export function setPlatformRoleCommand(terminal: Terminal): Command {
  const command = new Command("set-platform-role")
    .description("Set the platform role of an account")
    .addArgument(accountArgument())
    .addArgument(
      new Argument(
        "<role>",
        "admin (full access), viewer (read access to everything) or none (only team roles)",
      ).choices(["admin", "viewer", "none"]),
    )
    .option("--dry-run", dryRunText)
    .action(async (...words: unknown[]) => {
      const [word, role] = words as [string, PlatformRole];
      const options = (words.at(-1) as Command).optsWithGlobals<ChangeOptions>();
      await withSession(terminal, options, async (session) => {
        const { user, users } = await requireUser(session, word);
        const { name } = user.metadata;
        const before = effectivePlatformRole(user.spec) ?? "none";
        if (role !== "admin") requireAnotherAdmin(user, users);
        const decide = () => planPlatformRole(role === "none" ? null : role);
        await changeFromCurrent(session, User, { key: { name }, decide, dryRun: options.dryRun });
        const note = options.dryRun ? " (dry run)" : "";
        terminal.say(`The platform role of ${user.spec.email} changed from ${before} to ${role}${note}.`);
      });
    });
  return withExamples(command, [
    "butleradm user set-platform-role ada@example.com admin",
    "butleradm user set-platform-role bob@example.com none",
  ]);
}
