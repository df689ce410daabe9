import { isRecord } from "@butler/std";

/** A field of the settings: where it stands in the spec, and how it is written. */
export interface SettingField {
  readonly path: readonly [string, ...string[]];
  readonly label: string;
  readonly hint?: string;
  readonly kind: "text" | "number" | "choice" | "flag" | "list";
  readonly choices?: readonly string[];
}

/** Fields that are saved together. */
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
  hint: "No limit when empty.",
});
const addons = {
  cilium: "Cilium",
  metallb: "MetalLB",
  certManager: "cert-manager",
  longhorn: "Longhorn",
  traefik: "Traefik",
  fluxcd: "Flux",
};

/** The settings that have fields of their own, in the order of the page. */
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
        hint: "Whether every cluster belongs to a team, may, or there are none.",
      },
      text(["defaultNamespace"], "Namespace of clusters without a team"),
      text(["defaultProviderConfigRef", "name"], "Default provider"),
    ],
  },
  {
    id: "limits",
    title: "Limits of teams without their own",
    fields: [
      number(["defaultTeamLimits", "maxClusters"], "Clusters"),
      number(["defaultTeamLimits", "maxWorkersPerCluster"], "Worker nodes of a cluster"),
      text(["defaultTeamLimits", "maxTotalCPU"], "CPU cores", "Such as 64; no limit when empty."),
      text(["defaultTeamLimits", "maxTotalMemory"], "Memory", "Such as 256Gi; no limit when empty."),
      text(["defaultTeamLimits", "maxTotalStorage"], "Disk", "Such as 2Ti; no limit when empty."),
    ],
  },
  {
    id: "exposure",
    title: "How control planes are reached",
    fields: [
      {
        path: ["controlPlaneExposure", "mode"],
        label: "By",
        kind: "choice",
        choices: ["LoadBalancer", "Ingress", "Gateway"],
      },
      text(["controlPlaneExposure", "hostname"], "Host name", "Such as *.k8s.example.com, for Ingress and Gateway."),
      text(["controlPlaneExposure", "ingressClassName"], "Ingress class"),
    ],
  },
  {
    id: "addons",
    title: "Versions of add-ons",
    fields: Object.entries(addons).map(([name, label]) =>
      text(["defaultAddonVersions", name], label, "What this release brings when empty."),
    ),
  },
  {
    id: "images",
    title: "Image factory",
    fields: [
      text(["imageFactory", "url"], "Address", "Such as https://factory.talos.dev; no images are brought when empty."),
      text(["imageFactory", "defaultSchematicID"], "Default schematic"),
      { path: ["imageFactory", "autoSync"], label: "Bring images when a cluster needs them", kind: "flag" },
    ],
  },
  {
    id: "machines",
    title: "Machines",
    fields: [
      text(["sshAuthorizedKey"], "SSH public key", "For workers that do not run Talos."),
      { path: ["defaultTimeServers"], label: "Time servers", kind: "list", hint: "With commas between them." },
    ],
  },
  {
    id: "news",
    title: "Audit and notifications",
    fields: [
      { path: ["audit", "enabled"], label: "Record what people do", kind: "flag" },
      text(["audit", "webhookURL"], "Send records to", "An http or https address; nowhere else when empty."),
      text(["notifications", "webhookURL"], "Send notifications to", "Such as a chat; only to the console when empty."),
    ],
  },
];

/** What is written into the fields of a section, by the path of the field. */
export type SectionForm = Readonly<Record<string, string>>;

/** The key of a field in a form. */
export const fieldKey = ({ path }: SettingField): string => path.join(".");

/** Fills the fields of a section from the settings. */
export function sectionForm({ fields }: SettingSection, spec: unknown): SectionForm {
  return Object.fromEntries(fields.map((field) => [fieldKey(field), shownValue(valueAt(spec, field.path))]));
}

/** What is wrong with it, by the key of the field. */
export function sectionFaults({ fields }: SettingSection, form: SectionForm): Readonly<Record<string, string>> {
  const wrong = fields.filter((field) => {
    const written = form[fieldKey(field)] ?? "";
    return field.kind === "number" && written !== "" && !/^[1-9]\d{0,8}$/.test(written);
  });
  return Object.fromEntries(wrong.map((field) => [fieldKey(field), "Write a number from 1 on, or nothing."]));
}

/**
 * The change of the settings that a section's fields ask for. The server puts every part that is sent in place of the
 * one that is there, so what has no field is sent along as it is; a part that is left without anything is taken away.
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

function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isRecord(at) ? at[name] : undefined), value);
}

function withValue(value: unknown, path: readonly string[], stored: unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return stored;
  const { [name]: before, ...others } = isRecord(value) ? value : {};
  const next = withValue(before, rest, stored);
  const made = next === undefined ? others : { ...others, [name]: next };
  return Object.keys(made).length === 0 ? undefined : made;
}
