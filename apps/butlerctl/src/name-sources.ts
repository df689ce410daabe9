import { AddonDefinition, ProviderConfig, Team, TenantCluster, User } from "@butler/api";
import type { NameSources, Terminal } from "@butler/cli-kit";
import { askWhileTyping, namesOfKinds, readList } from "@butler/cli-session";

/** Sources of names for completion. */
export function nameSources(terminal: Terminal): NameSources {
  return {
    ...namesOfKinds(terminal, {
      addon: AddonDefinition,
      cluster: TenantCluster,
      provider: ProviderConfig,
      team: Team,
      user: User,
    }),
    environment: (question) =>
      askWhileTyping(terminal, question, async (session) => {
        const { team } = question.options;
        const teams = await readList(
          session,
          Team,
          team === undefined ? {} : { fieldSelector: `metadata.name=${team}` },
        );
        return [...new Set(teams.flatMap(({ spec }) => (spec.environments ?? []).map(({ name }) => name)))].sort();
      }),
  };
}
