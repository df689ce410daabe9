import { CodeBlock, Panel, Tabs } from "@butler/ui";
import { stringify } from "yaml";
import { butlerctlCommand, kubectlCommand } from "./commands.ts";
import type { StepProps } from "./step-props.ts";
import { yamlOf } from "./manifest-yaml.ts";
import { addonManifests } from "./request.ts";

/** Commands that create the same cluster, for copying. */
export function CommandsPanel({ draft, team }: Pick<StepProps, "draft" | "team">) {
  const facts = {
    draft,
    team: team.name,
    namespace: team.namespace,
    manifest: yamlOf(draft, team),
    addonManifests: addonManifests(draft, team).map((manifest) => stringify(manifest)),
  };
  const kubectl = <CodeBlock text={kubectlCommand(facts)} label="kubectl command" />;
  const butlerctl = <CodeBlock text={butlerctlCommand(facts)} language="plain" label="butlerctl command" />;
  return (
    <Panel title="Command line">
      <Tabs
        label="Command-line tools"
        tabs={[
          { id: "butlerctl", label: "butlerctl", content: butlerctl },
          { id: "kubectl", label: "kubectl", content: kubectl },
        ]}
      />
    </Panel>
  );
}
