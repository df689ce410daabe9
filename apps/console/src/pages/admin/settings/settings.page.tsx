import { getSettings, putSettings, type RouteAnswer } from "@butler/contract";
import { CodeBlock, Page, Panel } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery } from "../../../data/route-query.ts";
import { QueryView } from "../../../parts/query-view.tsx";
import { useMay } from "../shared/action-button.tsx";
import { SectionPanel } from "./section-panel.tsx";
import { settingSections } from "./settings-sections.ts";

/** The settings of the platform, part by part. */
export function SettingsPage() {
  const settings = useQuery(routeQuery(getSettings, {}));
  return (
    <Page title="Settings">
      <QueryView query={settings}>{(answer) => <Settings settings={answer} />}</QueryView>
    </Page>
  );
}

/** The parts of the settings; each is saved by itself, and unsaved fields of the others stay as they are. */
export function Settings({ settings }: { readonly settings: RouteAnswer<typeof getSettings> }) {
  const may = useMay(putSettings);
  return (
    <>
      {!may && <p className="b-soft">Changing settings needs the role admin on the platform.</p>}
      <div className="b-columns">
        {settingSections.map((section) => (
          <SectionPanel key={section.id} section={section} settings={settings} canChange={may} />
        ))}
      </div>
      <Panel title="Everything, as it is stored">
        <CodeBlock text={JSON.stringify(settings.spec, undefined, 2)} label="Settings" />
        <CodeBlock
          text="kubectl edit butlerconfig butler"
          language="plain"
          label="Change what has no field from a command line"
        />
      </Panel>
    </>
  );
}
