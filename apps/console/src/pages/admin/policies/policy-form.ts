import type { ClusterCreationPolicy } from "@butler/api";

/** What can be ruled over, and what people call it. */
export const optionNames = {
  image: "Images",
  network: "Networks",
  cluster: "Clusters of the provider",
  storageContainer: "Storage",
} as const;
export type OptionName = keyof typeof optionNames;

/** How a choice is ruled over; free when there is no rule. */
export const modes = {
  "": "Free",
  pin: "Only this one",
  allowList: "Only these",
  recommended: "These are recommended",
  default: "This is preselected",
} as const;
export type Mode = keyof typeof modes;

/** A rule as somebody writes it down: ids with commas between them. */
export interface OptionForm {
  readonly mode: Mode;
  readonly values: string;
  readonly preselected: string;
}

/** A policy as somebody writes it down. */
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

/** The form of a policy that there is, or an empty one. */
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

/** What is wrong with it, by the field. */
export function policyFaults(form: PolicyForm): Readonly<Record<string, string>> {
  const faults: Record<string, string> = {};
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(form.name)) faults["name"] = "Lower-case letters, digits, - and . only.";
  if (form.environment !== "" && form.team === "") faults["team"] = "An environment belongs to a team.";
  if (names.every((name) => form.options[name].mode === "")) faults["image"] = "Rule over at least one choice.";
  for (const name of names) {
    const fault = optionFault(form.options[name]);
    if (fault !== undefined) faults[name] = fault;
  }
  return faults;
}

function optionFault({ mode, values, preselected }: OptionForm): string | undefined {
  const count = listOf(values).length;
  if (mode === "pin" && count !== 1) return "Write exactly one id.";
  if ((mode === "allowList" || mode === "recommended") && count === 0) return "Write at least one id.";
  return mode === "default" && preselected === "" ? "Write the id that is preselected." : undefined;
}

/** The policy that was written down. What the form has no field for is taken from the one before. */
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

/** For whom a policy is, in words. */
export function scopeWords({ scope }: Pick<Spec, "scope">): string {
  if (scope.teamAndEnvironment !== undefined) {
    return `${scope.teamAndEnvironment.teamRef.name}, ${scope.teamAndEnvironment.environmentName}`;
  }
  return scope.team === undefined ? "Every team" : scope.team.teamRef.name;
}

/** The rules of a policy, one line each. */
export function ruleWords({ options }: Pick<Spec, "options">): readonly string[] {
  return names.flatMap((name) => {
    const rule = options[name];
    if (rule === undefined) return [];
    const ids = rule.mode === "default" ? (rule.default ?? "") : (rule.values ?? []).join(", ");
    return [`${optionNames[name]}: ${modes[rule.mode].toLowerCase()}: ${ids}`];
  });
}
