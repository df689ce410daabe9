import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { type AddressInfo, createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Bug, Unavailable } from "@butler/std";
import type { EtcdConnection } from "../etcd-calls.ts";

/** A certificate and its key, or an authority and its key, as PEM text. */
interface Pair {
  readonly cert: string;
  readonly key: string;
}

export interface EtcdProcessOptions {
  /** The etcd binary. */
  readonly program: string;
  readonly authority: Pair;
  /** Issues a certificate of the authority for a server and client at 127.0.0.1. */
  readonly issue: (commonName: string) => Promise<Pair>;
  /** Flags without dashes; they override the defaults. */
  readonly flags?: Readonly<Record<string, string>>;
}

/** Addresses of one member. */
interface MemberPlace {
  readonly name: string;
  readonly directory: string;
  readonly clientPort: number;
  readonly peerPort: number;
}

const peerUrlOf = ({ peerPort }: MemberPlace): string => `https://127.0.0.1:${peerPort}`;

/** A real etcd process with its own directory, for tests. */
export class EtcdProcess {
  readonly #options: EtcdProcessOptions;
  readonly #place: MemberPlace;
  readonly #members: readonly MemberPlace[];
  #child: ChildProcess | undefined;
  #log = "";

  private constructor(options: EtcdProcessOptions, place: MemberPlace, members: readonly MemberPlace[]) {
    this.#options = options;
    this.#place = place;
    this.#members = members;
  }

  /** Starts an etcd with one member and waits until it serves. Stop it in `afterAll`. */
  static async start(options: EtcdProcessOptions): Promise<EtcdProcess> {
    const [only] = await EtcdProcess.startCluster(options, 1);
    if (only === undefined) throw new Bug("an etcd without a member");
    return only;
  }

  /** Starts an etcd with several members and waits until all serve. */
  static async startCluster(options: EtcdProcessOptions, size: number): Promise<EtcdProcess[]> {
    const places: MemberPlace[] = [];
    for (let at = 0; at < size; at++) places.push(await newPlace(`member-${at}`, options));
    const members = places.map((place) => new EtcdProcess(options, place, places));
    try {
      await Promise.all(members.map((member) => member.restart()));
      return members;
    } catch (error) {
      await Promise.all(members.map((member) => member.stop()));
      throw error;
    }
  }

  /** The member's address for clients. */
  get endpoint(): string {
    return `127.0.0.1:${this.#place.clientPort}`;
  }

  /** A connection with a certificate for the given name. */
  async connectionOf(commonName: string): Promise<EtcdConnection> {
    const { authority, issue } = this.#options;
    return { endpoints: [this.endpoint], ca: authority.cert, ...(await issue(commonName)) };
  }

  /** Restarts the process with its data; stops it first if it is running. */
  async restart(): Promise<void> {
    await this.kill();
    this.#log = "";
    const child = spawn(this.#options.program, this.#arguments(), { stdio: ["ignore", "ignore", "pipe"] });
    this.#child = child;
    await new Promise<void>((resolve, reject) => {
      child.once("error", reject);
      child.once("exit", (code) => reject(new Unavailable(`etcd ended with ${code}: ${this.#log.slice(-2_000)}`)));
      child.stderr?.on("data", (chunk: Buffer) => {
        this.#log = (this.#log + chunk.toString()).slice(-20_000);
        if (this.#log.includes("serving client traffic securely")) resolve();
      });
    });
  }

  /** Suspends the process; connections stay open and get no response. */
  freeze(): void {
    this.#child?.kill("SIGSTOP");
  }

  thaw(): void {
    this.#child?.kill("SIGCONT");
  }

  /** Stops the process and keeps its data. */
  async kill(): Promise<void> {
    const child = this.#child;
    this.#child = undefined;
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, "exit");
    child.kill("SIGKILL");
    await ended;
  }

  /** Stops the process and removes its directory. */
  async stop(): Promise<void> {
    await this.kill();
    await rm(this.#place.directory, { recursive: true, force: true });
  }

  #arguments(): string[] {
    const { name, directory } = this.#place;
    const file = (fileName: string): string => join(directory, fileName);
    const clientUrl = `https://${this.endpoint}`;
    const peerUrl = peerUrlOf(this.#place);
    const flags = {
      name,
      "data-dir": file("data"),
      "listen-client-urls": clientUrl,
      "advertise-client-urls": clientUrl,
      "listen-peer-urls": peerUrl,
      "initial-advertise-peer-urls": peerUrl,
      "initial-cluster": this.#members.map((member) => `${member.name}=${peerUrlOf(member)}`).join(","),
      "client-cert-auth": "true",
      "trusted-ca-file": file("ca.crt"),
      "cert-file": file("server.crt"),
      "key-file": file("server.key"),
      "peer-client-cert-auth": "true",
      "peer-trusted-ca-file": file("ca.crt"),
      "peer-cert-file": file("server.crt"),
      "peer-key-file": file("server.key"),
      "unsafe-no-fsync": "true",
      "log-level": "info",
      ...this.#options.flags,
    };
    return Object.entries(flags).map(([flag, value]) => `--${flag}=${value}`);
  }
}

async function newPlace(name: string, { authority, issue }: EtcdProcessOptions): Promise<MemberPlace> {
  const directory = await mkdtemp(join(tmpdir(), "butler-etcd-"));
  const server = await issue("etcd");
  const files = { "ca.crt": authority.cert, "server.crt": server.cert, "server.key": server.key };
  await mkdir(join(directory, "data"), { mode: 0o700 });
  for (const [file, text] of Object.entries(files)) await writeFile(join(directory, file), text, { mode: 0o600 });
  return { name, directory, clientPort: await freePort(), peerPort: await freePort() };
}

async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}
