import { getSettings, putSettings, type RouteAnswer } from "@butler/contract";
import { CodeBlock, Page, Panel } from "@butler/ui";
import { useQuery } from "@tanstack/react-query";
import { routeQuery } from "../../../data/route-query.ts";
import { QueryView } from "../../../parts/query-view.tsx";
import { useMay } from "../shared/action-button.tsx";
import { SectionPanel } from "./section-panel.tsx";
import { settingSections } from "./settings-sections.ts";

/** The platform settings, by section. */
export function SettingsPage() {
  const settings = useQuery(routeQuery(getSettings, {}));
  return (
    <Page title="Settings">
      <QueryView query={settings}>{(answer) => <Settings settings={answer} />}</QueryView>
    </Page>
  );
}

/** The sections of the settings. Each is saved separately; unsaved fields of other sections are kept. */
export function Settings({ settings }: { readonly settings: RouteAnswer<typeof getSettings> }) {
  const may = useMay(putSettings);
  return (
    <>
      {!may && <p className="b-soft">Changing settings requires the platform admin role.</p>}
      <div className="b-columns">
        {settingSections.map((section) => (
          <SectionPanel key={section.id} section={section} settings={settings} canChange={may} />
        ))}
      </div>
      <Panel title="Stored configuration">
        <CodeBlock text={JSON.stringify(settings.spec, undefined, 2)} label="Settings" />
        <CodeBlock text="kubectl edit butlerconfig butler" language="plain" label="Edit all settings with kubectl" />
      </Panel>
    </>
  );
}
