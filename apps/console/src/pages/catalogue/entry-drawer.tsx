import { Chip, CodeBlock, Dialog, Facts, Panel } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { addonState, type CatalogueEntry, versionsOf } from "../../parts/addon-facts.ts";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import { webAddress } from "../../parts/safe-link.ts";
import type { PlacedAddon } from "./select.ts";

/** The entry that is open, and who has it. */
export interface EntryDrawerProps {
  readonly team: string;
  readonly entry: CatalogueEntry | undefined;
  readonly users: readonly PlacedAddon[];
  /** Clusters that it can be enabled in by whoever looks. */
  readonly free: readonly ClusterView[];
  readonly onClose: () => void;
}

/** Everything about an entry, and the way to enabling it. */
export function EntryDrawer({ team, entry, users, free, onClose }: EntryDrawerProps) {
  if (entry === undefined) return undefined;
  return (
    <Dialog
      isOpen
      place="right"
      title={entry.displayName}
      description={<span dir="auto">{entry.description}</span>}
      onClose={onClose}
    >
      <EntryDetails entry={entry} />
      <Panel title="In the team's clusters">
        {users.length === 0 ? (
          <p className="b-soft">No cluster of the team has it.</p>
        ) : (
          <ul>
            {users.map((user) => (
              <li key={`${user.namespace}/${user.name}`}>
                <Link
                  to="/t/$team/clusters/$namespace/$name/addons"
                  params={{ team, namespace: user.namespace, name: user.cluster }}
                  search={{ addon: user.name }}
                  className="b-mono"
                >
                  {user.cluster}
                </Link>{" "}
                <span className="b-soft">
                  {user.status.installedVersion} · {addonState(user).word}
                </span>
              </li>
            ))}
          </ul>
        )}
      </Panel>
      {!entry.platform && free.length > 0 && (
        <Panel title="Enable it in">
          <ul>
            {free.map(({ metadata: { namespace = "", name } }) => (
              <li key={`${namespace}/${name}`}>
                <Link
                  to="/t/$team/clusters/$namespace/$name/addons"
                  params={{ team, namespace, name }}
                  search={{ enable: entry.name }}
                  className="b-mono"
                >
                  {name}
                </Link>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </Dialog>
  );
}

/** What an entry is, without who has it. */
export function EntryDetails({ entry }: { readonly entry: CatalogueEntry }) {
  const command = `butlerctl addon enable my-cluster ${entry.name}`;
  return (
    <>
      <Chip>{entry.category}</Chip>
      <Facts
        facts={[
          ["Name", <Mono key="name">{entry.name}</Mono>],
          ["Version", <Mono key="version">{entry.defaultVersion}</Mono>],
          ["On offer", versionsOf(entry).join(", ")],
          ["Chart", `${entry.chartName} from ${entry.chartRepository}`],
          ["Namespace", <Mono key="namespace">{entry.defaultNamespace}</Mono>],
          ["Needs", entry.dependsOn.join(", ")],
          ["Not beside", entry.conflictsWith.join(", ")],
          ["Kubernetes", entry.kubernetesVersions],
          ["Looked after", entry.platform ? "by the platform, in every cluster" : undefined],
          ...Object.entries(entry.links).map(([name, link]) => [name, <Away key={name} to={link} />] as const),
        ]}
      />
      {entry.valuesSchema !== undefined && (
        <details>
          <summary>Schema of its values</summary>
          <CodeBlock
            label="Schema of its values"
            language="plain"
            text={JSON.stringify(entry.valuesSchema, undefined, 2)}
          />
        </details>
      )}
      {!entry.platform && <CodeBlock label="The same from a command line" language="plain" text={command} />}
    </>
  );
}

function Mono({ children }: { readonly children: ReactNode }) {
  return <span className="b-mono">{children}</span>;
}

/** A way out of the console, when the address is one of the web; otherwise only its text. */
function Away({ to }: { readonly to: string }) {
  const address = webAddress(to);
  if (address === undefined) return to;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {to}
    </a>
  );
}
