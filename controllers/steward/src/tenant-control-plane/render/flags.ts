/** Flags of a program without their dashes. */
export type Flags = Readonly<Record<string, string>>;

const flagForm = /^--([A-Za-z0-9][-A-Za-z0-9_]*)(?:=.*)?$/s;

/**
 * The name of a flag as the programs of Kubernetes read it, for which `_` and `-` are the same; undefined when the text is
 * not one flag in the form `--name` or `--name=value`.
 */
export function flagName(argument: string): string | undefined {
  return flagForm.exec(argument)?.[1]?.replaceAll("_", "-");
}

/**
 * The arguments of a program: its own flags, sorted, then those that the user adds. A flag that the user gives, once or
 * several times, replaces Steward's of that name.
 */
export function buildArguments(own: Flags, extra: readonly string[] = []): string[] {
  const given = new Set(extra.map(flagName));
  const kept = Object.entries(own).filter(([name]) => !given.has(name));
  return [
    ...kept.sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, value]) => `--${name}=${value}`),
    ...extra,
  ];
}
