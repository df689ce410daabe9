import { defineProgram, type LazyCommand, type Terminal } from "@butler/cli-kit";

/** The command line for users of the platform. */
export const butlerctl = defineProgram({
  name: "butlerctl",
  description: "Manage your teams' Kubernetes clusters and add-ons on Butler",
  commands,
  nameSources: async (terminal) => (await import("./name-sources.ts")).nameSources(terminal),
  readServer: async (...given) => (await import("@butler/cli-session")).readServerVersions(...given),
});

function commands(terminal: Terminal): readonly LazyCommand[] {
  return [
    {
      names: ["cluster", "clusters"],
      load: async (words) => (await import("./cluster/cluster.ts")).clusterGroup(terminal, words),
    },
    { names: ["addon", "addons"], load: async () => (await import("./addon/addon.ts")).addonGroup(terminal) },
    { names: ["team", "teams"], load: async () => (await import("./team/team.ts")).teamGroup(terminal) },
    { names: ["env", "environment"], load: async () => (await import("./env/env.ts")).environmentGroup(terminal) },
    {
      names: ["context", "contexts"],
      load: async () => (await import("./context/context.ts")).contextGroup(terminal),
    },
    { names: ["login"], load: async () => (await import("./login/login.ts")).loginCommand(terminal) },
    { names: ["logout"], load: async () => (await import("./login/logout.ts")).logoutCommand(terminal) },
    { names: ["whoami"], load: async () => (await import("./login/whoami.ts")).whoamiCommand(terminal) },
    {
      names: ["credential"],
      load: async () => (await import("./login/credential.ts")).credentialCommand(terminal),
      isHidden: true,
    },
  ];
}
