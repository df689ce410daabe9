import type { TenantControlPlane } from "@butler/api";
import type { ObjectMeta } from "@butler/resource";
import { labelsOf } from "../names.ts";

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

/** Name, labels and annotations of an object that exposes a control plane; Steward's own take precedence. */
export function metadataOf({ metadata }: TenantControlPlane, parts: MetadataParts): ObjectMeta {
  const { component, additional } = parts;
  const annotations = { ...additional?.annotations, ...parts.annotations };
  return {
    name: metadata.name,
    namespace: metadata.namespace,
    labels: { ...additional?.labels, ...labelsOf(metadata.name, component) },
    ...(Object.keys(annotations).length === 0 ? {} : { annotations }),
  };
}
