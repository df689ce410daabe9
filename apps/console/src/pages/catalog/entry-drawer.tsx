import { Chip, CodeBlock, Dialog, Facts, Panel } from "@butler/ui";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { addonState, type CatalogEntry, versionsOf } from "../../parts/addon-facts.ts";
import type { ClusterView } from "../../parts/cluster-facts.ts";
import { webAddress } from "../../parts/safe-link.ts";
import type { PlacedAddon } from "./select.ts";

/** The open entry and the clusters that use it. */
export interface EntryDrawerProps {
  readonly team: string;
  readonly entry: CatalogEntry | undefined;
  readonly users: readonly PlacedAddon[];
  /** Clusters in which the user can enable it. */
  readonly free: readonly ClusterView[];
  readonly onClose: () => void;
}

/** Details of an entry, with links to enable it. */
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
      <Panel title="Installed on">
        {users.length === 0 ? (
          <p className="b-soft">Not installed on any of this team's clusters.</p>
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
        <Panel title="Enable on">
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

/** Details of an entry without the clusters that use it. */
export function EntryDetails({ entry }: { readonly entry: CatalogEntry }) {
  const command = `butlerctl addon enable my-cluster ${entry.name}`;
  return (
    <>
      <Chip>{entry.category}</Chip>
      <Facts
        facts={[
          ["Name", <Mono key="name">{entry.name}</Mono>],
          ["Version", <Mono key="version">{entry.defaultVersion}</Mono>],
          ["Available versions", versionsOf(entry).join(", ")],
          ["Chart", `${entry.chartName} from ${entry.chartRepository}`],
          ["Namespace", <Mono key="namespace">{entry.defaultNamespace}</Mono>],
          ["Depends on", entry.dependsOn.join(", ")],
          ["Conflicts with", entry.conflictsWith.join(", ")],
          ["Kubernetes", entry.kubernetesVersions],
          ["Managed by", entry.platform ? "the platform, on every cluster" : undefined],
          ...Object.entries(entry.links).map(([name, link]) => [name, <Away key={name} to={link} />] as const),
        ]}
      />
      {entry.valuesSchema !== undefined && (
        <details>
          <summary>Values schema</summary>
          <CodeBlock label="Values schema" language="plain" text={JSON.stringify(entry.valuesSchema, undefined, 2)} />
        </details>
      )}
      {!entry.platform && <CodeBlock label="Command line" language="plain" text={command} />}
    </>
  );
}

function Mono({ children }: { readonly children: ReactNode }) {
  return <span className="b-mono">{children}</span>;
}

/** An external link for http and https URLs; plain text otherwise. */
function Away({ to }: { readonly to: string }) {
  const address = webAddress(to);
  if (address === undefined) return to;
  return (
    <a href={address} target="_blank" rel="noreferrer noopener">
      {to}
    </a>
  );
}
