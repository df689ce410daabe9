import type { NetworkLayout } from "./network-layout.ts";

/** A route of the machine, as `ip -json route` prints it. */
export interface Route {
  readonly dst: string;
  readonly dev?: string;
}

/**
 * The interfaces that use addresses of an engine's ranges but do not belong to the engine: a leftover bridge, a tunnel.
 * A route to a larger network that contains the ranges is harmless.
 */
export function findRangeConflicts(layout: NetworkLayout, routes: readonly Route[]): string[] {
  const prefixes = [layout.range, layout.serviceRange].map((range) => `${range.split(".").slice(0, 2).join(".")}.`);
  const isInside = ({ dst }: Route): boolean => {
    const [address = "", length = "32"] = dst.split("/");
    return Number(length) >= 16 && prefixes.some((prefix) => address.startsWith(prefix));
  };
  const devices = routes.filter(isInside).map(({ dev }) => dev ?? "?");
  return [...new Set(devices)].filter((device) => device !== layout.hostInterface).sort();
}
