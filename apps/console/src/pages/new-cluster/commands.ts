import { type Draft, type Parts, textAt, withValueAt } from "./draft.ts";

const flags: readonly (readonly [string, string])[] = [
  ["kubernetesVersion", "--kubernetes-version"],
  ["workers.replicas", "--workers"],
  ["workers.machineTemplate.cpu", "--cpu"],
  ["workers.machineTemplate.memory", "--memory"],
  ["workers.machineTemplate.diskSize", "--disk"],
  ["workers.machineTemplate.os.type", "--os"],
  ["workers.machineTemplate.os.imageRef", "--image"],
  ["networking.podCIDR", "--pod-cidr"],
  ["networking.serviceCIDR", "--service-cidr"],
];

/** Input of the commands. */
export interface CommandFacts {
  readonly draft: Draft;
  readonly team: string;
  readonly namespace: string;
  /** Cluster manifest as YAML. */
  readonly manifest: string;
  /** Add-on manifests as YAML. */
  readonly addonManifests: readonly string[];
}

/** The equivalent kubectl command. */
export function kubectlCommand({ manifest, addonManifests }: CommandFacts): string {
  return `kubectl apply -f - ${hereDocument([manifest, ...addonManifests].map(ended).join("---\n"))}`;
}

/** The equivalent butlerctl commands: with flags if they suffice, with a manifest otherwise. */
export function butlerctlCommand(facts: CommandFacts): string {
  const { draft, team, namespace, manifest } = facts;
  const byOptions = optionsOf(draft);
  const create =
    byOptions === undefined
      ? `butlerctl cluster create -f - ${hereDocument(ended(manifest))}`
      : ["butlerctl cluster create", quoted(draft.name), "--team", quoted(team), ...byOptions].join(" ");
  const addons = draft.addons.map(
    (addon) => `butlerctl addon enable ${quoted(draft.name)} ${quoted(addon)} -n ${quoted(namespace)}`,
  );
  return [create, ...addons].join("\n");
}

/** The flags for a draft; undefined if flags cannot express it. */
function optionsOf({ environment, labels, spec }: Draft): readonly string[] | undefined {
  const named = flags.flatMap(([path, flag]) => {
    const value = textAt(spec, path);
    return value === undefined ? [] : [{ path, text: `${flag} ${quoted(value)}` }];
  });
  const provider = providerOption(spec);
  const left = [
    ...named.map(({ path }) => path),
    ...(provider === undefined ? [] : ["providerConfigRef"]),
  ].reduce<Parts>((rest, path) => withValueAt(rest, path, undefined), spec);
  if (Object.keys(left).length > 0 || Object.keys(labels).length > 0) return undefined;
  return [
    ...(environment === "" ? [] : [`--environment ${quoted(environment)}`]),
    ...(provider === undefined ? [] : [`--provider ${quoted(provider)}`]),
    ...named.map(({ text }) => text),
  ];
}

function providerOption(spec: Parts): string | undefined {
  const name = textAt(spec, "providerConfigRef.name");
  const namespace = textAt(spec, "providerConfigRef.namespace");
  return name === undefined || namespace === undefined ? name : `${namespace}/${name}`;
}

/** A word quoted for a shell, if needed. */
export function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** A here-document with a delimiter that does not occur as a line of the text. */
function hereDocument(text: string): string {
  const lines = new Set(text.split("\n"));
  let end = "EOF";
  while (lines.has(end)) end = `${end}_`;
  return `<<'${end}'\n${text}${end}`;
}

function ended(text: string): string {
  return text.endsWith("\n") ? text : `${text}\n`;
}
