import { ControllerRuntime, type RuntimeOptions, SingletonRuntime } from "@butler/controller";
import type { OutgoingRules } from "@butler/administration/issuers";
import type { KubeClient } from "@butler/kube";
import { butlerConfigController } from "./butler-config/index.ts";
import { clusterCreationPolicyController } from "./cluster-creation-policy/index.ts";
import { createIdentityProviderPorts, identityProviderController } from "./identity-provider/index.ts";
import { impersonationSingleton } from "./impersonation/index.ts";
import { createProviderConfigPorts, providerConfigController } from "./provider-config/index.ts";
import { createTeamPorts, teamController } from "./team/index.ts";
import { userController } from "./user/index.ts";

/** The controllers of the platform, teams, users, providers and policies. */
export const platformControllers = [
  butlerConfigController,
  clusterCreationPolicyController,
  identityProviderController,
  impersonationSingleton,
  providerConfigController,
  teamController,
  userController,
] as const;

/** Creates their runtimes. */
export function createPlatformControllers(
  common: Omit<RuntimeOptions<never>, "ports"> & { readonly client: KubeClient },
  outgoing?: OutgoingRules,
): readonly { readonly run: (signal: AbortSignal) => Promise<void> }[] {
  const { client } = common;
  return [
    new ControllerRuntime(butlerConfigController, { ...common, ports: {} }),
    new ControllerRuntime(clusterCreationPolicyController, { ...common, ports: {} }),
    new ControllerRuntime(identityProviderController, {
      ...common,
      ports: createIdentityProviderPorts(client, { outgoing }),
    }),
    new ControllerRuntime(providerConfigController, { ...common, ports: createProviderConfigPorts(client) }),
    new ControllerRuntime(teamController, { ...common, ports: createTeamPorts(client) }),
    new ControllerRuntime(userController, { ...common, ports: {} }),
    new SingletonRuntime(impersonationSingleton, { ...common, ports: { client } }),
  ];
}
