import type { ApiClient } from "@butler/kube";
import { builtinKinds } from "@butler/resource";
import { runController } from "../../shared/testing/run-controller.ts";
import type { TenancyHarness } from "../../shared/testing/tenancy-harness.ts";
import { teamController } from "../controller.ts";
import { createTeamPorts } from "../ports.ts";

/** Runs the controller of teams until the end of the test. */
export async function runTeams(harness: TenancyHarness, client: ApiClient = harness.client) {
  const running = await runController(client, teamController, { ports: createTeamPorts(client) });
  harness.later(() => running.stop());
  return running;
}

/** Names of the users and groups that have a role of a team in its namespace. */
export async function subjectsOf({ client }: TenancyHarness, namespace: string, role: string): Promise<string[]> {
  const binding = await client.get(builtinKinds.RoleBinding, { namespace, name: `butler-team-${role}` });
  return ((binding["subjects"] ?? []) as { name: string }[]).map(({ name }) => name);
}
