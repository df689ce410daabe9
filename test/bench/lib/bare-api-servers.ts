import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { dirname, join } from "node:path";
import { ensureTools } from "@butler/engine";
import type { EtcdAdmin } from "@butler/etcd";
import { createAuthority, createSigningKey, issueCertificate } from "@butler/pki";
import { type ApiServerReach, firstReady } from "./readiness.ts";

/** Settings of a manually started kube-apiserver. */
export interface BareInput {
  /** The command line of a tenant's kube-apiserver. */
  readonly args: readonly string[];
  /** Its AuthenticationConfiguration, by file name. */
  readonly authentication: Readonly<Record<string, string>>;
  /** The address of the shared etcd and its administrator. */
  readonly etcd: {
    readonly address: string;
    readonly ca: string;
    readonly cert: string;
    readonly key: string;
    readonly admin: EtcdAdmin;
  };
  /** A separate directory. */
  readonly directory: string;
  /** The cgroup to run in, next to the tenants, so that load on the machine affects both equally. */
  readonly cgroup: string;
}

const prefixOf = (port: number): string => `/bench/${port}/`;

/**
 * The baseline for a tenant's API server: the same program with the same flags, started as a process against the same
 * etcd, with existing certificates. Only the program itself is waited for.
 */
export class BareApiServers {
  readonly #program: string;
  readonly #input: BareInput;
  readonly #tls: ApiServerReach["tls"];

  private constructor(program: string, input: BareInput, tls: ApiServerReach["tls"]) {
    this.#program = program;
    this.#input = input;
    this.#tls = tls;
  }

  /** Prepares everything that can be prepared in advance. */
  static async prepare(input: BareInput): Promise<BareApiServers> {
    const { "kube-apiserver": program } = await ensureTools(["kube-apiserver"]);
    const { files, tls } = await filesOf(input);
    for (const [name, text] of Object.entries(files)) {
      const file = join(input.directory, name);
      await mkdir(dirname(file), { recursive: true });
      await writeFile(file, text, { mode: 0o600 });
    }
    return new BareApiServers(program, input, tls);
  }

  /** Starts this many at once, and returns the seconds until each was ready. Everything is removed afterwards. */
  async measure(count: number): Promise<number[]> {
    const ports = await freePorts(count);
    const children: ChildProcess[] = [];
    try {
      return await Promise.all(
        ports.map(async (port) => {
          const startedAt = performance.now();
          children.push(this.#start(port));
          const readyAt = await firstReady({ origin: `https://127.0.0.1:${port}`, tls: this.#tls });
          return (readyAt - startedAt) / 1_000;
        }),
      );
    } finally {
      await Promise.all(children.map(kill));
      for (const port of ports) await this.#forget(port);
    }
  }

  /** In a separate mount namespace in which etcd's name resolves to its address. */
  #start(port: number): ChildProcess {
    const { directory, args, cgroup } = this.#input;
    const log = openSync(join(directory, `${port}.log`), "a");
    const script = `echo $$ > ${cgroup}/cgroup.procs && mount --bind ${directory}/hosts /etc/hosts && exec "$0" "$@"`;
    const flags = replaceFlags(args, {
      "bind-address": "127.0.0.1",
      "secure-port": String(port),
      "etcd-prefix": prefixOf(port).slice(0, -1),
    }).map((flag) => flag.replaceAll("=/etc/kubernetes/", `=${directory}/`));
    const words = ["--mount", "sh", "-c", script, this.#program, ...flags];
    const child = spawn("unshare", words, { stdio: ["ignore", log, log] });
    closeSync(log);
    return child;
  }

  async #forget(port: number): Promise<void> {
    const user = `bench-${port}`;
    await this.#input.etcd.admin.removeTenant({ user, role: user, prefix: prefixOf(port) });
  }
}

async function filesOf({ args, authentication, etcd }: BareInput) {
  const [ca, signing] = await Promise.all([createAuthority("bare-ca"), createSigningKey()]);
  const [serving, client] = await Promise.all([
    issueCertificate(ca, {
      commonName: "kube-apiserver",
      usages: ["server"],
      dnsNames: ["localhost"],
      ipAddresses: ["127.0.0.1"],
    }),
    issueCertificate(ca, { commonName: "bench", organizations: ["system:masters"], usages: ["client"] }),
  ]);
  const pair = (name: string, { cert, key }: typeof ca) => ({ [`pki/${name}.crt`]: cert, [`pki/${name}.key`]: key });
  const [server = ""] = (flagValue(args, "etcd-servers") ?? "").split(",");
  const files: Record<string, string> = {
    hosts: `127.0.0.1 localhost\n${etcd.address} ${new URL(server).hostname}\n`,
    "pki/ca.crt": ca.cert,
    "pki/front-proxy-ca.crt": ca.cert,
    "pki/sa.key": signing.privateKey,
    "pki/sa.pub": signing.publicKey,
    ...pair("apiserver", serving),
    ...pair("apiserver-kubelet-client", client),
    ...pair("front-proxy-client", client),
    "pki/etcd/ca.crt": etcd.ca,
    ...pair("etcd/server", etcd),
    ...Object.fromEntries(Object.entries(authentication).map(([name, text]) => [`authentication/${name}`, text])),
  };
  return { files, tls: { ca: ca.cert, ...client } };
}

function flagValue(args: readonly string[], name: string): string | undefined {
  const start = `--${name}=`;
  return args.find((arg) => arg.startsWith(start))?.slice(start.length);
}

function replaceFlags(args: readonly string[], values: Readonly<Record<string, string>>): string[] {
  const isReplaced = (arg: string): boolean => Object.keys(values).some((name) => arg.startsWith(`--${name}=`));
  const replaced = Object.entries(values).map(([name, value]) => `--${name}=${value}`);
  return [...args.filter((arg) => !isReplaced(arg)), ...replaced];
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, "127.0.0.1"));
  await Promise.all(servers.map((server) => once(server, "listening")));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), "close")));
  return ports;
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const closed = once(child, "close");
  child.kill("SIGKILL");
  await closed;
}
