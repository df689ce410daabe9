import {
  defaultKubernetesVersion,
  effectiveMachine,
  effectiveReplicas,
  parseKubernetesVersion,
  type TenantCluster,
  versionFault,
} from "@butler/api";
import { shellCommand } from "@butler/cli-kit";
import type { NewClusterOptions } from "./build-cluster.ts";
import { plannedValues } from "./plan-cluster.ts";

/** Answers about a new cluster, by the name of the equivalent option. */
export type Answers = Partial<Record<AnswerKey, string>>;
type AnswerKey = keyof Pick<
  NewClusterOptions,
  "name" | "team" | "environment" | "kubernetesVersion" | "provider" | "workers" | "cpu" | "memory" | "disk"
>;

/** A default value and where it comes from. */
export interface Standard {
  readonly value: string;
  readonly from: string;
}

/** One question about a new cluster. */
export interface Question {
  readonly key: AnswerKey;
  readonly title: string;
  readonly standard?: Standard | undefined;
  /** The allowed answers. */
  readonly choices?: readonly string[] | undefined;
  /** Why an answer is invalid, as a sentence; undefined when it is valid. */
  readonly faultOf?: ((text: string) => string | undefined) | undefined;
  /** Whether an empty answer is invalid. */
  readonly isRequired?: boolean | undefined;
}

/** The prompt of a question, with its choices and its default. */
export function questionText({ title, standard, choices, isRequired }: Question): string {
  const among = choices === undefined || choices.length === 0 ? "" : ` (${choices.join(", ")})`;
  const otherwise = isRequired ? "none" : "default";
  const nothing = standard === undefined ? (isRequired ? "" : ` [${otherwise}]`) : ` [${standardText(standard)}]`;
  return `${title}${among}${nothing}: `;
}

function standardText({ value, from }: Standard): string {
  const whose: Readonly<Record<string, string>> = {
    environment: "environment default",
    team: "team default",
    platform: "platform default",
  };
  return `${value}, ${whose[from] ?? from}`;
}

/** The result of an answer: a value, undefined to use the default, or why it is invalid. */
export type Reading = { readonly value: string | undefined } | { readonly fault: string };

/** Reads an answer. */
export function readAnswer({ choices, standard, isRequired, faultOf }: Question, answer: string): Reading {
  const text = answer.trim();
  if (text === "") {
    if (standard !== undefined || !isRequired) return { value: undefined };
    return { fault: "A value is required." };
  }
  if (choices !== undefined && choices.length > 0 && !choices.includes(text)) {
    return { fault: `Must be one of: ${choices.join(", ")}.` };
  }
  const fault = faultOf?.(text);
  return fault === undefined ? { value: text } : { fault };
}

const whole = (minimum: number, maximum: number) => (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
    ? undefined
    : `Must be an integer from ${minimum} to ${maximum}.`;
const amount = (text: string): string | undefined =>
  /^\d+(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)$/.test(text)
    ? undefined
    : "Must be a quantity with a unit, such as 8Gi or 8192Mi.";
const version = (text: string): string | undefined => {
  const fault = versionFault(text);
  return fault === undefined ? undefined : `${fault.replace(/^must/, "Must")}.`;
};

/** The questions about values that a cluster of this team and environment does not set yet, with their defaults. */
export function sizeQuestions(standards: Readonly<Record<string, Standard>>, providers: readonly string[]): Question[] {
  const of = (field: string): Standard | undefined => standards[field];
  return [
    {
      key: "kubernetesVersion",
      title: "Kubernetes version",
      standard: of("spec.kubernetesVersion"),
      faultOf: version,
    },
    {
      key: "provider",
      title: "Provider",
      standard: of("spec.providerConfigRef.name"),
      choices: providers.length > 1 ? providers : undefined,
    },
    {
      key: "workers",
      title: "Workers",
      standard: of("spec.workers.replicas"),
      faultOf: whole(1, 10_000),
    },
    {
      key: "cpu",
      title: "CPU cores per worker",
      standard: of("spec.workers.machineTemplate.cpu"),
      faultOf: whole(1, 1024),
    },
    {
      key: "memory",
      title: "Memory per worker",
      standard: of("spec.workers.machineTemplate.memory"),
      faultOf: amount,
    },
    {
      key: "disk",
      title: "Disk per worker",
      standard: of("spec.workers.machineTemplate.diskSize"),
      faultOf: amount,
    },
  ];
}

/** The defaults of a cluster: those noted by admission, otherwise those of the platform. */
export function standardsOf(cluster: TenantCluster | undefined): Record<string, Standard> {
  const noted = Object.fromEntries(
    (cluster === undefined ? [] : plannedValues(cluster)).map(({ field, value, from }) => [field, { value, from }]),
  );
  const machine = effectiveMachine({ os: { type: "rocky", version: "" } });
  const platform = {
    "spec.kubernetesVersion": defaultKubernetesVersion,
    "spec.workers.replicas": String(effectiveReplicas(undefined)),
    "spec.workers.machineTemplate.cpu": String(machine.cpu),
    "spec.workers.machineTemplate.memory": String(machine.memory),
    "spec.workers.machineTemplate.diskSize": String(machine.diskSize),
  };
  const ofPlatform = Object.entries(platform).map(([field, value]) => [field, { value, from: "platform" }] as const);
  return { ...Object.fromEntries(ofPlatform), ...noted };
}

const flags: readonly (readonly [AnswerKey, string])[] = [
  ["team", "--team"],
  ["environment", "--environment"],
  ["kubernetesVersion", "--kubernetes-version"],
  ["provider", "--provider"],
  ["workers", "--workers"],
  ["cpu", "--cpu"],
  ["memory", "--memory"],
  ["disk", "--disk"],
];

/** The equivalent command line. */
export function equivalentCommand(answers: Answers, global: readonly string[] = []): string {
  const words = flags.flatMap(([key, flag]) => {
    const value = answers[key];
    return value === undefined ? [] : [flag, value];
  });
  return shellCommand("butlerctl", ...global, "cluster", "create", answers.name ?? "", ...words);
}

/** Answers as options of the command. */
export function optionsOf({ workers, cpu, kubernetesVersion, ...rest }: Answers): NewClusterOptions {
  return {
    ...rest,
    ...(workers === undefined ? {} : { workers: Number(workers) }),
    ...(cpu === undefined ? {} : { cpu: Number(cpu) }),
    ...(kubernetesVersion === undefined
      ? {}
      : { kubernetesVersion: parseKubernetesVersion(kubernetesVersion)?.text ?? kubernetesVersion }),
  };
}
