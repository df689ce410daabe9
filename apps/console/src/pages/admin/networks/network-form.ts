import type { NetworkPool } from "@butler/api";
import type { CallInput, createNetwork, updateNetwork } from "@butler/contract";
import { parseIpAddress, parseIpRange, rangeContains } from "@butler/std";
import { isInside } from "./map-rows.ts";

/** Form state of a network pool. */
export interface NetworkForm {
  readonly name: string;
  readonly cidr: string;
  /** One CIDR per line, followed by a description. */
  readonly reserved: string;
  readonly start: string;
  readonly end: string;
  readonly nodesPerTenant: string;
  readonly lbPoolPerTenant: string;
}

/** The form of an existing pool, or an empty one. */
export function networkForm(name = "", spec?: NetworkPool["spec"]): NetworkForm {
  const { start = "", end = "", defaults } = spec?.tenantAllocation ?? {};
  return {
    name,
    cidr: spec?.cidr ?? "",
    reserved: (spec?.reserved ?? []).map(({ cidr, description = "" }) => `${cidr} ${description}`.trim()).join("\n"),
    start,
    end,
    nodesPerTenant: defaults === undefined ? "" : String(defaults.nodesPerTenant),
    lbPoolPerTenant: defaults === undefined ? "" : String(defaults.lbPoolPerTenant),
  };
}

/** Validation errors by field; empty if the form is valid. */
export function networkFaults(form: NetworkForm): Readonly<Partial<Record<keyof NetworkForm, string>>> {
  const { name, cidr, start, end } = form;
  const faults: Partial<Record<keyof NetworkForm, string>> = {};
  if (!/^[a-z0-9]([-a-z0-9.]*[a-z0-9])?$/.test(name)) faults.name = "Use lowercase letters, digits, '-' and '.' only.";
  if (!isNetwork(cidr)) return { ...faults, cidr: "Enter a CIDR, such as 10.40.0.0/16." };
  const astray = reservedOf(form).find((part) => !isInside(part.cidr, cidr));
  if (astray !== undefined) faults.reserved = `${astray.cidr} is not a subnet of ${cidr}.`;
  if ((start === "") !== (end === "")) faults.end = "Enter both the first and the last address.";
  for (const field of ["start", "end"] as const) {
    if (form[field] !== "" && !holds(cidr, form[field])) faults[field] = `Enter an address within ${cidr}.`;
  }
  for (const field of ["nodesPerTenant", "lbPoolPerTenant"] as const) {
    if (form[field] !== "" && !/^[1-9]\d{0,5}$/.test(form[field]))
      faults[field] = "Enter a whole number of at least 1.";
  }
  return faults;
}

/** The create request. */
export function newNetworkBody(form: NetworkForm): CallInput<typeof createNetwork>["body"] {
  const reserved = reservedOf(form);
  const tenantAllocation = allocationOf(form, {});
  return {
    name: form.name,
    cidr: form.cidr.trim(),
    ...(reserved.length > 0 && { reserved }),
    ...(Object.keys(tenantAllocation).length > 0 && { tenantAllocation }),
  };
}

/** The update request. Settings without a form field are kept. */
export function networkChange(
  form: NetworkForm,
  { spec, metadata }: Pick<NetworkPool, "spec" | "metadata">,
): NonNullable<CallInput<typeof updateNetwork>["body"]> {
  return {
    reserved: reservedOf(form),
    tenantAllocation: allocationOf(form, spec.tenantAllocation ?? {}),
    ...(metadata.resourceVersion !== undefined && { resourceVersion: metadata.resourceVersion }),
  };
}

function reservedOf({ reserved }: NetworkForm): { cidr: string; description?: string }[] {
  return reserved
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "")
    .map((line) => {
      const [cidr = "", ...words] = line.split(/\s+/);
      return { cidr, ...(words.length > 0 && { description: words.join(" ") }) };
    });
}

function allocationOf(form: NetworkForm, before: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { start: _start, end: _end, defaults: _defaults, ...kept } = before;
  const defaults = {
    ...(form.nodesPerTenant !== "" && { nodesPerTenant: Number(form.nodesPerTenant) }),
    ...(form.lbPoolPerTenant !== "" && { lbPoolPerTenant: Number(form.lbPoolPerTenant) }),
  };
  return {
    ...kept,
    ...(form.start !== "" && { start: form.start.trim(), end: form.end.trim() }),
    ...(Object.keys(defaults).length > 0 && { defaults }),
  };
}

function isNetwork(text: string): boolean {
  return isInside(text, text);
}

function holds(cidr: string, text: string): boolean {
  const address = parseIpAddress(text.trim());
  return address !== undefined && rangeContains(parseIpRange(cidr), address);
}
