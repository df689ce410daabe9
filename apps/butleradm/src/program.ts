import { defineProgram, type LazyCommand, type Terminal } from "@butler/cli-kit";

/** The command line for operators. */
export const butleradm = defineProgram({
  name: "butleradm",
  description: "Install and administer Butler",
  commands,
  nameSources: async (terminal) => (await import("./name-sources.ts")).nameSources(terminal),
  readServer: async (...given) => (await import("@butler/cli-session")).readServerVersions(...given),
});

function commands(terminal: Terminal): readonly LazyCommand[] {
  return [
    { names: ["local"], load: async () => (await import("./local/local.ts")).localGroup(terminal) },
    { names: ["install"], load: async () => (await import("./release/install.ts")).installCommand(terminal) },
    { names: ["status"], load: async () => (await import("./status/status.ts")).statusCommand(terminal) },
    { names: ["doctor"], load: async () => (await import("./doctor/doctor.ts")).doctorCommand(terminal) },
    { names: ["upgrade"], load: async () => (await import("./release/upgrade.ts")).upgradeCommand(terminal) },
    { names: ["backup"], load: async () => (await import("./backup/backup.ts")).backupCommand(terminal) },
    { names: ["restore"], load: async () => (await import("./backup/restore.ts")).restoreCommand(terminal) },
    {
      names: ["support-bundle"],
      load: async () => (await import("./support/support-bundle.ts")).supportBundleCommand(terminal),
    },
    {
      names: ["provider", "providers"],
      load: async () => (await import("./provider/provider.ts")).providerGroup(terminal),
    },
    { names: ["network"], load: async () => (await import("./network/network.ts")).networkGroup(terminal) },
    { names: ["team", "teams"], load: async () => (await import("./team/team.ts")).teamGroup(terminal) },
    { names: ["user", "users"], load: async () => (await import("./user/user.ts")).userGroup(terminal) },
    { names: ["idp"], load: async () => (await import("./idp/idp.ts")).idpGroup(terminal) },
    { names: ["env", "environment"], load: async () => (await import("./env/env.ts")).envGroup(terminal) },
    { names: ["addon", "addons"], load: async () => (await import("./addon/addon.ts")).addonGroup(terminal) },
    { names: ["tui"], load: async () => (await import("./tui/tui.ts")).tuiCommand(terminal) },
  ];
}
