import { existsSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { defaultKubernetesVersion } from "@butler/api";
import type { KubeConfig } from "@butler/kube";
import { nodeImagesFrom } from "@butler/provider-local";
import { type KubernetesAddress, type RunningServer, startWholeServer, type WholeServerOptions } from "@butler/server";
import { InvalidInput, sleep, systemClock } from "@butler/std";
import { secretKubeconfigs, TenantClients } from "@butler/tenant-clients";
import { outgoingFlags, outgoingRules } from "./outgoing.ts";
import type { Role, RoleContext } from "./role.ts";

const options = {
  host: { type: "string", default: "0.0.0.0" },
  port: { type: "string", default: "8080" },
  /** The public URL of the server. */
  "public-url": { type: "string", default: "" },
  /** The address of the management cluster's API for users; defaults to the one that this process uses. */
  "kubernetes-address": { type: "string", default: "" },
  /** Certificate and key in PEM format; plain HTTP without them. */
  "tls-cert": { type: "string" },
  "tls-key": { type: "string" },
  /** Comma-separated addresses or networks of trusted proxies. */
  "trusted-proxy": { type: "string", multiple: true },
  /** Image of terminals, with a shell, `sleep` and kubectl. */
  "terminal-image": { type: "string", default: nodeImagesFrom()(defaultKubernetesVersion) },
  /** Directory of the built console; defaults to the one next to the program, if it exists. */
  "console-folder": { type: "string" },
  "no-terminals": { type: "boolean", default: false },
  /** Seconds during which clients learn that this process shuts down, before it accepts no more requests. */
  "notice-seconds": { type: "string", default: "5" },
  ...outgoingFlags,
} as const;

/** The REST API for the console, pipelines and command lines. Any number of replicas can run at the same time. */
export function server(argv: readonly string[], context: RoleContext): Role {
  const { values } = parseArgs({ args: [...argv], options });
  const port = numberIn("port", values.port, 65_535);
  const noticeMs = numberIn("notice-seconds", values["notice-seconds"], 300) * 1_000;
  const { client, config, logger, metrics } = context;
  const outgoing = outgoingRules(values, client);
  const life: { running: RunningServer | undefined; isGoing: boolean } = { running: undefined, isGoing: false };
  return {
    isReady: () => !life.isGoing && (life.running?.isReady() ?? false),
    run: async (signal) => {
      const tenants = new TenantClients({ source: secretKubeconfigs({ client }), logger, metrics });
      try {
        life.running = await startWholeServer({
          client,
          config,
          logger,
          metrics,
          tenants,
          port,
          host: values.host,
          publicUrl: values["public-url"],
          kubernetes: addressFor(config, values["kubernetes-address"]),
          outgoing,
          trustedProxies: (values["trusted-proxy"] ?? []).flatMap((text) => text.split(",")),
          tls: await readTls(values["tls-cert"], values["tls-key"]),
          consoleFolder: values["console-folder"] ?? consoleBeside(),
          terminalImage: values["no-terminals"] ? undefined : { image: values["terminal-image"] },
          auditing: { write: (line) => process.stdout.write(line) },
        });
        await aborted(signal);
        life.isGoing = true;
        await sleep(systemClock, noticeMs);
      } finally {
        await life.running?.close();
        await tenants.close();
      }
    },
  };
}

/** In the image the console is next to the program. */
function consoleBeside(): string | undefined {
  const folder = join(import.meta.dirname, "console");
  return existsSync(join(folder, "index.html")) ? folder : undefined;
}

/** How users reach the API of the management cluster; the CAs are the same for every address. */
function addressFor(config: KubeConfig, given: string): KubernetesAddress {
  const { server: own = "", caData = "", caFile = "" } = config.getCurrentCluster() ?? {};
  const caPem = caData === "" ? readFileSync(caFile, "utf8") : Buffer.from(caData, "base64").toString();
  return { server: given === "" ? own : given, caPem };
}

async function readTls(cert: string | undefined, key: string | undefined): Promise<WholeServerOptions["tls"]> {
  if (cert === undefined && key === undefined) return undefined;
  if (cert === undefined || key === undefined) throw new InvalidInput("--tls-cert and --tls-key must be set together");
  const [certText, keyText] = await Promise.all([readFile(cert, "utf8"), readFile(key, "utf8")]);
  return { cert: certText, key: keyText };
}

function numberIn(flag: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new InvalidInput(`--${flag} ${text} is out of range`, { hint: `Use an integer from 0 to ${most}.` });
}

function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener("abort", () => resolve(), { once: true });
  });
}
