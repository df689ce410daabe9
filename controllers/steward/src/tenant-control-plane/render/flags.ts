/** Flags of a program, without dashes. */
export type Flags = Readonly<Record<string, string>>;

const flagForm = /^--([A-Za-z0-9][-A-Za-z0-9_]*)(?:=.*)?$/s;

/**
 * The normalized name of a flag, as Kubernetes treats `_` and `-` as equal; undefined when the text is not a single
 * flag of the form `--name` or `--name=value`.
 */
export function flagName(argument: string): string | undefined {
  return flagForm.exec(argument)?.[1]?.replaceAll("_", "-");
}

/**
 * The arguments of a program: its own flags, sorted, then those that the user adds. A flag that the user sets, once or
 * several times, overrides Steward's own.
 */
export function buildArguments(own: Flags, extra: readonly string[] = []): string[] {
  const given = new Set(extra.map(flagName));
  const kept = Object.entries(own).filter(([name]) => !given.has(name));
  return [
    ...kept.sort(([left], [right]) => (left < right ? -1 : 1)).map(([name, value]) => `--${name}=${value}`),
    ...extra,
  ];
}
