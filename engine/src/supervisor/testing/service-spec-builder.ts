import type { ServiceSpec } from "../service-spec.ts";

/** A service with default settings. */
export function aServiceSpec(name: string, overrides: Partial<ServiceSpec> = {}): ServiceSpec {
  return {
    name,
    command: "/bin/sh",
    args: [],
    environment: {},
    workingDirectory: "/",
    dependsOn: [],
    logFile: `/var/log/${name}.log`,
    ...overrides,
  };
}
