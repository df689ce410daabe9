import { isRecord, valueAt } from "@butler/std";

/** A settings field: its path in the spec and its input type. */
export interface SettingField {
  readonly path: readonly [string, ...string[]];
  readonly label: string;
  readonly hint?: string;
  readonly kind: "text" | "number" | "choice" | "flag" | "list";
  readonly choices?: readonly string[];
}

/** A group of fields that are saved together. */
export interface SettingSection {
  readonly id: string;
  readonly title: string;
  readonly fields: readonly SettingField[];
}

const text = (path: SettingField["path"], label: string, hint?: string): SettingField => ({
  path,
  label,
  kind: "text",
  ...(hint !== undefined && { hint }),
});
const number = (path: SettingField["path"], label: string): SettingField => ({
  path,
  label,
  kind: "number",
  hint: "Leave empty for no limit.",
});
const addons = {
  cilium: "Cilium",
  metallb: "MetalLB",
  certManager: "cert-manager",
  longhorn: "Longhorn",
  traefik: "Traefik",
  fluxcd: "Flux",
};

/** The settings with form fields, in page order. */
export const settingSections: readonly SettingSection[] = [
  {
    id: "general",
    title: "General",
    fields: [
      {
        path: ["multiTenancy", "mode"],
        label: "Teams",
        kind: "choice",
        choices: ["Enforced", "Optional", "Disabled"],
        hint: "Enforced: every cluster belongs to a team. Optional: clusters can belong to a team. Disabled: no teams.",
      },
      text(["defaultNamespace"], "Namespace for clusters without a team"),
      text(["defaultProviderConfigRef", "name"], "Default provider"),
    ],
  },
  {
    id: "limits",
    title: "Default team limits",
    fields: [
      number(["defaultTeamLimits", "maxClusters"], "Clusters"),
      number(["defaultTeamLimits", "maxWorkersPerCluster"], "Worker nodes per cluster"),
      text(["defaultTeamLimits", "maxTotalCPU"], "CPU cores", "For example 64. Leave empty for no limit."),
      text(["defaultTeamLimits", "maxTotalMemory"], "Memory", "For example 256Gi. Leave empty for no limit."),
      text(["defaultTeamLimits", "maxTotalStorage"], "Disk", "For example 2Ti. Leave empty for no limit."),
    ],
  },
  {
    id: "exposure",
    title: "Control plane exposure",
    fields: [
      {
        path: ["controlPlaneExposure", "mode"],
        label: "Mode",
        kind: "choice",
        choices: ["LoadBalancer", "Ingress", "Gateway"],
      },
      text(
        ["controlPlaneExposure", "hostname"],
        "Hostname",
        "For example *.k8s.example.com. Used in Ingress and Gateway modes.",
      ),
      text(["controlPlaneExposure", "ingressClassName"], "Ingress class"),
    ],
  },
  {
    id: "addons",
    title: "Add-on versions",
    fields: Object.entries(addons).map(([name, label]) =>
      text(["defaultAddonVersions", name], label, "Defaults to the version bundled with this Butler release."),
    ),
  },
  {
    id: "images",
    title: "Image factory",
    fields: [
      text(["imageFactory", "url"], "URL", "For example https://factory.talos.dev. Leave empty to disable image sync."),
      text(["imageFactory", "defaultSchematicID"], "Default schematic"),
      { path: ["imageFactory", "autoSync"], label: "Sync images when a cluster needs them", kind: "flag" },
    ],
  },
  {
    id: "machines",
    title: "Machines",
    fields: [
      text(["sshAuthorizedKey"], "SSH public key", "For workers that do not run Talos."),
      { path: ["defaultTimeServers"], label: "NTP servers", kind: "list", hint: "Comma-separated." },
      {
        path: ["localMachines", "allowedImages"],
        label: "Images for local machines",
        kind: "list",
        hint: "Comma-separated, each with its digest. Leave empty to allow the default image only.",
      },
    ],
  },
  {
    id: "news",
    title: "Audit and notifications",
    fields: [
      { path: ["audit", "enabled"], label: "Record user actions", kind: "flag" },
      text(["audit", "webhookURL"], "Audit webhook URL", "An HTTP or HTTPS URL. Leave empty to disable the webhook."),
      text(
        ["notifications", "webhookURL"],
        "Notification webhook URL",
        "For example a chat webhook. Leave empty to notify in the console only.",
      ),
    ],
  },
];

/** Form values of a section, by field path. */
export type SectionForm = Readonly<Record<string, string>>;

/** The key of a field in a form. */
export const fieldKey = ({ path }: SettingField): string => path.join(".");

/** Form values of a section from the current settings. */
export function sectionForm({ fields }: SettingSection, spec: unknown): SectionForm {
  return Object.fromEntries(fields.map((field) => [fieldKey(field), shownValue(valueAt(spec, field.path))]));
}

/** Validation errors by field key. */
export function sectionFaults({ fields }: SettingSection, form: SectionForm): Readonly<Record<string, string>> {
  const wrong = fields.filter((field) => {
    const written = form[fieldKey(field)] ?? "";
    return field.kind === "number" && written !== "" && !/^[1-9]\d{0,8}$/.test(written);
  });
  return Object.fromEntries(
    wrong.map((field) => [fieldKey(field), "Enter a whole number of at least 1, or leave empty."]),
  );
}

/**
 * The settings change for a section. The server replaces each top-level part that is sent, so values without a field
 * are included unchanged; a part that becomes empty is removed.
 */
export function sectionChange(section: SettingSection, spec: unknown, form: SectionForm): Record<string, unknown> {
  const before = sectionForm(section, spec);
  const change: Record<string, unknown> = {};
  for (const field of section.fields) {
    const [part, ...rest] = field.path;
    const written = form[fieldKey(field)] ?? "";
    if (written === before[fieldKey(field)]) continue;
    const current = part in change ? change[part] : valueAt(spec, [part]);
    change[part] = withValue(current, rest, storedValue(field, written)) ?? null;
  }
  return change;
}

function shownValue(value: unknown): string {
  if (Array.isArray(value)) return value.join(", ");
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : "";
}

function storedValue({ kind }: SettingField, written: string): unknown {
  const trimmed = written.trim();
  if (trimmed === "") return undefined;
  if (kind === "number") return Number(trimmed);
  if (kind === "flag") return trimmed === "true";
  if (kind !== "list") return trimmed;
  return trimmed.split(/[,\s]+/).filter((part) => part !== "");
}

function withValue(value: unknown, path: readonly string[], stored: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return stored;
  const { [name]: before, ...others } = isRecord(value) ? value : {};
  const next = withValue(before, rest, stored);
  const made = next === undefined ? others : { ...others, [name]: next };
  return Object.keys(made).length === 0 ? undefined : made;
}
