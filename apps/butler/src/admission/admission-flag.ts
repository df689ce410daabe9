import type { AdmissionHandler } from "@butler/kube";
import { InvalidInput } from "@butler/std";
import type { RoleWorld } from "../role.ts";
import { AdmissionService } from "./admission-service.ts";

/**
 * The server that judges for a role, at the place that its flag names: `namespace/name` of the Service through which the
 * API server asks. Undefined without the flag: then nothing is judged.
 */
export function admissionAt(
  place: string | undefined,
  handlers: () => readonly AdmissionHandler[],
  { client, logger, metrics }: RoleWorld,
): AdmissionService | undefined {
  if (place === undefined) return undefined;
  const [namespace = "", name = "", ...others] = place.split("/");
  if (namespace === "" || name === "" || others.length > 0) {
    throw new InvalidInput(`--admission-service ${place} is not namespace/name`);
  }
  return new AdmissionService({ client, name, namespace, handlers: handlers(), logger, metrics });
}
