import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { describeError, isRecord, Unavailable } from "@butler/std";
import type { Route } from "./plan.ts";

const execute = promisify(execFile);

/**
 * The kernel records the creator of a route as a protocol number; this one is used by nothing else, so that other
 * routes are never changed.
 */
const protocol = "190";

/** The routes of this machine to tenants. */
export interface RouteTable {
  list(): Promise<Route[]>;
  set(route: Route): Promise<void>;
  remove(network: string): Promise<void>;
}

/** The kernel's routing table, of a named network namespace or of the one that this process is in. */
export function kernelRoutes(namespace?: string): RouteTable {
  const place = namespace === undefined ? [] : ["-netns", namespace];
  const ip = (...args: readonly string[]): Promise<string> => runIp([...place, ...args]);
  return {
    list: async () => parseRoutes(await ip("-json", "route", "show", "proto", protocol)),
    set: async ({ network, gateways }) => {
      const hops = gateways.flatMap((gateway) => ["nexthop", "via", gateway]);
      await ip("route", "replace", network, "proto", protocol, ...hops);
    },
    remove: async (network) => {
      await ip("route", "delete", network, "proto", protocol).catch((error: unknown) => {
        if (!/No such process/.test(describeError(error))) throw error;
      });
    },
  };
}

/**
 * Parses the output of `ip -json route`: a single next hop has another format than several, and single addresses have
 * no prefix length.
 */
export function parseRoutes(text: string): Route[] {
  const entries: unknown = text.trim() === "" ? [] : JSON.parse(text);
  if (!Array.isArray(entries)) return [];
  return entries.filter(isRecord).map(({ dst, gateway, nexthops }) => {
    const hops = Array.isArray(nexthops) ? nexthops.filter(isRecord).map((hop) => hop["gateway"]) : [gateway];
    const network = String(dst);
    return {
      network: network.includes("/") ? network : `${network}/32`,
      gateways: hops.filter((hop) => typeof hop === "string").toSorted(),
    };
  });
}

async function runIp(args: readonly string[]): Promise<string> {
  const path = [process.env["PATH"], "/usr/sbin", "/sbin"].filter(Boolean).join(":");
  try {
    return (await execute("ip", args, { env: { ...process.env, PATH: path } })).stdout;
  } catch (error) {
    const { stderr } = error as { stderr?: string };
    throw new Unavailable(`ip ${args.join(" ")}: ${stderr?.trim() || describeError(error)}`);
  }
}
