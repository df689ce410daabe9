import { parseArgs } from "node:util";
import { InvalidInput } from "@butler/std";
import type { LogLevel } from "@butler/telemetry";

/** What every role's process can be told, whatever the role. */
export interface ProcessFlags {
  /** The cluster to work on; the one that the process runs in when absent. */
  readonly kubeconfig: string | undefined;
  /** Where /healthz, /readyz and /metrics are served; nowhere when absent. */
  readonly healthPort: number | undefined;
  /** Whether the process waits for its turn among others of the same role. */
  readonly isElected: boolean;
  /** The least that is worth a line in the log. */
  readonly logLevel: LogLevel;
}

/** From what tells the most to what tells the least. */
const logLevels: readonly LogLevel[] = ["debug", "info", "warn", "error"];

const options = {
  kubeconfig: { type: "string" },
  "health-port": { type: "string" },
  "leader-election": { type: "boolean" },
  "log-level": { type: "string" },
} as const;

/** Takes the flags that all roles share out of the arguments; the rest, in its order, is the role's own. */
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
  throw new InvalidInput(`--${name} needs a value`);
}

function portOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const port = Number(text);
  if (/^\d+$/.test(text) && port <= 65_535) return port;
  throw new InvalidInput(`--health-port ${text} is not a port`, { hint: "Give a number from 0 to 65535." });
}

function levelOf(text = "info"): LogLevel {
  const level = logLevels.find((known) => known === text);
  if (level !== undefined) return level;
  throw new InvalidInput(`--log-level ${text} is not a level of the log`, {
    hint: `Give one of ${logLevels.join(", ")}.`,
  });
}
