import type { MachineProvider } from "./machine-provider.ts";

/** Why an operating system is unsupported on a provider, as a sentence; undefined when it is supported. */
export function unsupportedSystem(
  { type, operatingSystems }: Pick<MachineProvider, "type" | "operatingSystems">,
  operatingSystem: string,
): string | undefined {
  const supported: readonly string[] = operatingSystems;
  if (supported.includes(operatingSystem)) return undefined;
  const choice = supported.toSorted().join(", ");
  return `operating system "${operatingSystem}" is unsupported on provider ${type}; supported: ${choice}`;
}
