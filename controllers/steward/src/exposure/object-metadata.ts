import type { TenantControlPlane } from "@butler/api";
import type { ObjectMeta } from "@butler/resource";

/** The label by which a control plane's pods are found. */
export const nameLabel = "steward.butlerlabs.dev/name";

/** The label that says which part of a control plane an object is. */
export const componentLabel = "steward.butlerlabs.dev/component";

const projectLabel = "steward.butlerlabs.dev/project";

interface MetadataParts {
  readonly component: string;
  readonly additional?:
    | {
        readonly labels?: Record<string, string> | undefined;
        readonly annotations?: Record<string, string> | undefined;
      }
    | undefined;
  readonly annotations?: Record<string, string> | undefined;
}

/** Name, labels and annotations of an object that exposes a control plane; what Steward relies on wins over what is added. */
export function metadataOf({ metadata }: TenantControlPlane, parts: MetadataParts): ObjectMeta {
  const { component, additional } = parts;
  const annotations = { ...additional?.annotations, ...parts.annotations };
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    labels: {
      ...additional?.labels,
      [projectLabel]: "steward",
      [nameLabel]: metadata.name,
      [componentLabel]: component,
    },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}
