import type { ClusterCreationPolicy } from "@butler/api";

/** Options that a policy can restrict, with their labels. */
export const optionNames = {
  image: "Images",
  network: "Networks",
  cluster: "Provider clusters",
  storageContainer: "Storage",
} as const;
export type OptionName = keyof typeof optionNames;

/** Modes of a rule; empty means no rule. */
export const modes = {
  "": "Any",
  pin: "Only this one",
  allowList: "Only these",
  recommended: "Recommended",
  default: "Default",
} as const;
export type Mode = keyof typeof modes;

/** Form state of a rule, with comma-separated IDs. */
export interface OptionForm {
  readonly mode: Mode;
  readonly values: string;
  readonly preselected: string;
}

/** Form state of a policy. */
export interface PolicyForm {
  readonly name: string;
  readonly team: string;
  readonly environment: string;
  readonly providers: string;
  readonly options: Readonly<Record<OptionName, OptionForm>>;
}

type Spec = ClusterCreationPolicy["spec"];
type Rule = NonNullable<Spec["options"][OptionName]>;

const names = Object.keys(optionNames) as readonly OptionName[];
const listOf = (text: string): string[] => text.split(/[,\s]+/).filter((part) => part !== "");

/** The form of an existing policy, or an empty one. */
export function policyForm(name = "", spec?: Spec): PolicyForm {
  const { image, network, cluster, storageContainer } = spec?.options ?? {};
  return {
    name,
    ...scopeForm(spec?.scope),
    providers: (spec?.targetProviders ?? []).join(", "),
    options: {
      image: optionForm(image),
      network: optionForm(network),
      cluster: optionForm(cluster),
      storageContainer: optionForm(storageContainer),
    },
  };
}

function scopeForm(scope: Spec["scope"] | undefined): Pick<PolicyForm, "team" | "environment"> {
  const both = scope?.teamAndEnvironment;
  return {
    team: both?.teamRef.name ?? scope?.team?.teamRef.name ?? "",
    environment: both?.environmentName ?? "",
  };
}

function optionForm(rule: Rule | undefined): OptionForm {
  return { mode: rule?.mode ?? "", values: rule?.values?.join(", ") ?? "", preselected: rule?.default ?? "" };
}

/** Validation errors by field. */
export function policyFaults(form: PolicyForm): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(form.name))
    faults["name"] = "Use lowercase letters, digits, '-' and '.' only.";
  if (form.environment !== "" && form.team === "") faults["team"] = "Enter the team that the environment belongs to.";
  if (names.every((name) => form.options[name].mode === "")) faults["image"] = "Add at least one rule.";
  for (const name of names) {
    const fault = optionFault(form.options[name]);
    if (fault !== undefined) faults[name] = fault;
  }
  return faults;
}

function optionFault({ mode, values, preselected }: OptionForm): string | undefined {
  const count = listOf(values).length;
  if (mode === "pin" && count !== 1) return "Enter exactly one ID.";
  if ((mode === "allowList" || mode === "recommended") && count === 0) return "Enter at least one ID.";
  return mode === "default" && preselected === "" ? "Enter the default ID." : undefined;
}

/** The spec from the form. Settings without a form field are taken from the previous spec. */
export function policySpec(form: PolicyForm, before?: Spec): Spec {
  const { team, environment } = form;
  const teamRef = { name: team };
  const providers = listOf(form.providers) as NonNullable<Spec["targetProviders"]>;
  const options = Object.fromEntries(
    names.flatMap((name) => {
      const rule = ruleOf(form.options[name], before?.options[name]);
      return rule === undefined ? [] : [[name, rule] as const];
    }),
  ) as Spec["options"];
  const scope =
    team === ""
      ? { clusterWide: {} }
      : environment === ""
        ? { team: { teamRef } }
        : { teamAndEnvironment: { teamRef, environmentName: environment } };
  return { scope, ...(providers.length > 0 && { targetProviders: providers }), options };
}

function ruleOf({ mode, values, preselected }: OptionForm, before: Rule | undefined): Rule | undefined {
  if (mode === "") return undefined;
  const list = listOf(values);
  return {
    mode,
    ...(list.length > 0 && { values: list }),
    ...(preselected !== "" && { default: preselected }),
    ...(before?.recommendedReason !== undefined && { recommendedReason: before.recommendedReason }),
  };
}

/** Scope of a policy for display. */
export function scopeWords({ scope }: Pick<Spec, "scope">): string {
  if (scope.teamAndEnvironment !== undefined) {
    return `${scope.teamAndEnvironment.teamRef.name}, ${scope.teamAndEnvironment.environmentName}`;
  }
  return scope.team === undefined ? "All teams" : scope.team.teamRef.name;
}

/** Rules of a policy for display, one line each. */
export function ruleWords({ options }: Pick<Spec, "options">): readonly string[] {
  return names.flatMap((name) => {
    const rule = options[name];
    if (rule === undefined) return [];
    const ids = rule.mode === "default" ? (rule.default ?? "") : (rule.values ?? []).join(", ");
    return [`${optionNames[name]}: ${modes[rule.mode].toLowerCase()}: ${ids}`];
  });
}
