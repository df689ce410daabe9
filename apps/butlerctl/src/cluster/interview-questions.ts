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

/** What a person says about a new cluster, by the name of the option that says the same. */
export type Answers = Partial<Record<AnswerKey, string>>;
type AnswerKey = keyof Pick<
  NewClusterOptions,
  "name" | "team" | "environment" | "kubernetesVersion" | "provider" | "workers" | "cpu" | "memory" | "disk"
>;

/** A value that is taken when nothing is said, and who decides it. */
export interface Standard {
  readonly value: string;
  readonly from: string;
}

/** One question about a new cluster. */
export interface Question {
  readonly key: AnswerKey;
  readonly title: string;
  readonly standard?: Standard | undefined;
  /** The only answers there are. */
  readonly choices?: readonly string[] | undefined;
  /** Why an answer cannot be, as a sentence; undefined when it can. */
  readonly faultOf?: ((text: string) => string | undefined) | undefined;
  /** Whether nothing is no answer. */
  readonly isRequired?: boolean | undefined;
}

/** A question as it is put, with its choices and what nothing means. */
export function questionText({ title, standard, choices, isRequired }: Question): string {
  const among = choices === undefined || choices.length === 0 ? "" : ` (${choices.join(", ")})`;
  const otherwise = isRequired ? "none" : "left open";
  const nothing = standard === undefined ? (isRequired ? "" : ` [${otherwise}]`) : ` [${standardText(standard)}]`;
  return `${title}${among}${nothing}: `;
}

function standardText({ value, from }: Standard): string {
  const whose: Readonly<Record<string, string>> = {
    environment: "the environment's",
    team: "the team's",
    platform: "the platform's",
  };
  return `${value}, ${whose[from] ?? from}`;
}

/** What comes of an answer: a value, nothing because the default does, or why it cannot be. */
export type Reading = { readonly value: string | undefined } | { readonly fault: string };

/** Reads an answer. */
export function readAnswer({ choices, standard, isRequired, faultOf }: Question, answer: string): Reading {
  const text = answer.trim();
  if (text === "") {
    if (standard !== undefined || !isRequired) return { value: undefined };
    return { fault: "An answer is needed here." };
  }
  if (choices !== undefined && choices.length > 0 && !choices.includes(text)) {
    return { fault: `It has to be one of: ${choices.join(", ")}.` };
  }
  const fault = faultOf?.(text);
  return fault === undefined ? { value: text } : { fault };
}

const whole = (minimum: number, maximum: number) => (text: string) =>
  /^\d{1,5}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum
    ? undefined
    : `It takes a whole number from ${minimum} to ${maximum}.`;
const amount = (text: string): string | undefined =>
  /^\d+(\.\d+)?(Ki|Mi|Gi|Ti|k|M|G|T)$/.test(text)
    ? undefined
    : "It takes an amount with its unit, such as 8Gi or 8192Mi.";
const version = (text: string): string | undefined => {
  const fault = versionFault(text);
  return fault === undefined ? undefined : `It ${fault}.`;
};

/** The questions that a cluster of this team and environment leaves open, with what would be decided otherwise. */
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
      title: "Provider of the machines",
      standard: of("spec.providerConfigRef.name"),
      choices: providers.length > 1 ? providers : undefined,
    },
    {
      key: "workers",
      title: "Worker machines",
      standard: of("spec.workers.replicas"),
      faultOf: whole(1, 10_000),
    },
    {
      key: "cpu",
      title: "CPU cores of each",
      standard: of("spec.workers.machineTemplate.cpu"),
      faultOf: whole(1, 1024),
    },
    {
      key: "memory",
      title: "Memory of each",
      standard: of("spec.workers.machineTemplate.memory"),
      faultOf: amount,
    },
    {
      key: "disk",
      title: "Disk of each",
      standard: of("spec.workers.machineTemplate.diskSize"),
      faultOf: amount,
    },
  ];
}

/** What is decided for a cluster that leaves it open: as admission notes it, and else as the platform has it. */
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

/** The command line that asks for the same without any question. */
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
