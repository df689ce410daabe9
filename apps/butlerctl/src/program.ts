import {
  addLazily,
  completionCommand,
  type LazyCommand,
  type Program,
  type Terminal,
  versionCommand,
  withGlobalOptions,
} from "@butler/cli-kit";
import { Command } from "commander";

const name = "butlerctl";

/** The command line for the people who use the platform. */
export const butlerctl: Program = {
  build: (terminal, words) => {
    const program = new Command(name).description("Manage your teams' Kubernetes clusters and add-ons on Butler");
    return addLazily(withGlobalOptions(program), commands(terminal), words);
  },
  nameSources: async (terminal) => (await import("./name-sources.ts")).nameSources(terminal),
};

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
    { names: ["version"], load: () => Promise.resolve(versionCommand(terminal, versions(terminal))) },
    { names: ["completion"], load: () => Promise.resolve(completionCommand(terminal, name)) },
  ];
}

function versions(terminal: Terminal): Parameters<typeof versionCommand>[1] {
  return {
    program: name,
    readServer: async (options) => (await import("@butler/cli-session")).readServerVersions(terminal, options),
  };
}
