import type { AdmissionHandler } from "@butler/kube";
import { InvalidInput } from "@butler/std";
import type { RoleContext } from "../role.ts";
import { AdmissionService } from "./admission-service.ts";

/**
 * The admission server of a role, for the Service that its flag names as `namespace/name`. Undefined without the flag:
 * then there is no admission.
 */
export function admissionAt(
  place: string | undefined,
  handlers: () => readonly AdmissionHandler[],
  { client, logger, metrics, admissionPort }: RoleContext,
): AdmissionService | undefined {
  if (place === undefined) return undefined;
  const [namespace = "", name = "", ...others] = place.split("/");
  if (namespace === "" || name === "" || others.length > 0) {
    throw new InvalidInput(`--admission-service ${place} must be NAMESPACE/NAME`);
  }
  const port = admissionPort === undefined ? {} : { port: admissionPort };
  return new AdmissionService({ client, name, namespace, handlers: handlers(), logger, metrics, ...port });
}
