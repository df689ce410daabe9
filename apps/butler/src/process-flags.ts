import { parseArgs } from "node:util";
import { InvalidInput } from "@butler/std";
import type { LogLevel } from "@butler/telemetry";

/** The flags of every role's process. */
export interface ProcessFlags {
  /** The kubeconfig of the cluster; defaults to the cluster that the process runs in. */
  readonly kubeconfig: string | undefined;
  /** Port of /healthz, /readyz and /metrics; not served by default. */
  readonly healthPort: number | undefined;
  /** Whether the process takes part in leader election. */
  readonly isElected: boolean;
  /** Minimum log level. */
  readonly logLevel: LogLevel;
}

/** From the most to the least verbose. */
const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

const options = {
  kubeconfig: { type: "string" },
  "health-port": { type: "string" },
  "leader-election": { type: "boolean" },
  "log-level": { type: "string" },
} as const;

/** Removes the flags that all roles share from the arguments; the rest, in its order, belongs to the role. */
export function takeProcessFlags(args: readonly string[]): { flags: ProcessFlags; rest: string[] } {
  const { values, tokens } = parseArgs({ args: [...args], options, strict: false, tokens: true });
  const taken = new Set<number>();
  for (const token of tokens) {
    if (token.kind !== "option" || !Object.hasOwn(options, token.name)) continue;
    taken.add(token.index);
    if (token.inlineValue === false) taken.add(token.index + 1);
  }
  return {
    flags: {
      kubeconfig: textOf("kubeconfig", values.kubeconfig),
      healthPort: portOf(textOf("health-port", values["health-port"])),
      isElected: ["true", true].includes(values["leader-election"] ?? false),
      logLevel: levelOf(textOf("log-level", values["log-level"])),
    },
    rest: args.filter((_argument, at) => !taken.has(at)),
  };
}

function textOf(name: string, value: string | boolean | undefined): string | undefined {
  if (typeof value === "string" && value !== "") return value;
  if (value === undefined) return undefined;
  throw new InvalidInput(`--${name} requires a value`);
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidInput(`--health-port ${text} is not a valid port`, { hint: "Use a number from 0 to 65535." });
}

function levelOf(text = "info"): LogLevel {
  const level = logLevels.find((known) => known === text);
  if (level !== undefined) return level;
  throw new InvalidInput(`--log-level ${text} is not a valid log level`, {
    hint: `Use one of ${logLevels.join(", ")}.`,
  });
}
