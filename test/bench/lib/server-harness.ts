import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { createAuthority, issueCertificate } from "@butler/pki";
import type { TestCluster } from "@butler/testkit";
import { FleetProcess, freePorts } from "./fleet-process.ts";
import { samplesOf } from "./write-counts.ts";

const host = "127.0.0.1";

/** How the server is started. */
const main = join(dirname(fileURLToPath(import.meta.url)), "../../../apps/butler/src/main.ts");
const program = [main, "server", "--notice-seconds=0"];

/** Enables forced garbage collection, so that only live memory is measured. */
const collectOnSignal = 'process.on("SIGUSR2",()=>{globalThis.gc();globalThis.gc()})';
const collectMs = 1_000;

/** The address and credentials of an API server. */
export interface ApiServer {
  readonly client: TestCluster["client"];
  readonly controlPlane: Pick<
    TestCluster["controlPlane"],
    "directory" | "kubeconfigPath" | "server" | "caPem" | "adminCert" | "adminKey"
  >;
}

/** Resource usage of the server at one time. */
export interface ServerSample {
  readonly atMs: number;
  readonly cpuSeconds: number;
  readonly residentMiB: number;
  readonly heapMiB: number;
  /** Size of the heap, including garbage and free space. */
  readonly heapTotalMiB: number;
  /** Memory outside the heap that belongs to objects in it, mostly buffers. */
  readonly externalMiB: number;
  readonly eventLoopDelayMs: number;
}

/** The server as a separate process. */
export class ServerHarness {
  readonly process: FleetProcess;
  readonly url: string;
  /** The CA of the server's certificate. */
  readonly ca: string;
  readonly folder: string;
  readonly #metricsUrl: string;

  private constructor(parts: Pick<ServerHarness, "process" | "url" | "ca" | "folder">, metricsUrl: string) {
    this.process = parts.process;
    this.url = parts.url;
    this.ca = parts.ca;
    this.folder = parts.folder;
    this.#metricsUrl = metricsUrl;
  }

  /** Starts the server on an API server. */
  static async start(cluster: ApiServer, nodeFlags: readonly string[] = []): Promise<ServerHarness> {
    const folder = await mkdtemp(join(tmpdir(), "butler-bench-server-"));
    try {
      const { args, url, ca, health } = await argumentsFor(cluster, folder);
      const collecting = ["--expose-gc", "--import", `data:text/javascript,${encodeURIComponent(collectOnSignal)}`];
      const started = await FleetProcess.start({
        name: "server",
        program: process.execPath,
        args: [...collecting, ...nodeFlags, ...program, ...args],
        directory: folder,
        readyUrl: `${health}/readyz`,
      });
      return new ServerHarness({ process: started, url, ca, folder }, `${health}/metrics`);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      throw error;
    }
  }

  async sample(): Promise<ServerSample> {
    const [text, use] = await Promise.all([this.metrics(), this.process.use()]);
    const total = (metric: string): number => samplesOf(text, metric).reduce((sum, { value }) => sum + value, 0);
    return {
      ...use,
      atMs: performance.now(),
      heapMiB: total("butler_nodejs_heap_size_used_bytes") / 2 ** 20,
      heapTotalMiB: total("butler_nodejs_heap_size_total_bytes") / 2 ** 20,
      externalMiB: total("butler_nodejs_external_memory_bytes") / 2 ** 20,
      eventLoopDelayMs: total("butler_nodejs_eventloop_lag_p99_seconds") * 1_000,
    };
  }

  /** The same after garbage collection. */
  async sampleCollected(): Promise<ServerSample> {
    this.process.signal("SIGUSR2");
    await wait(collectMs);
    return this.sample();
  }

  /** The metrics page of the server. */
  async metrics(): Promise<string> {
    return (await fetch(this.#metricsUrl)).text();
  }

  async stop(): Promise<void> {
    await this.process.stop();
    await rm(this.folder, { recursive: true, force: true });
  }
}

async function argumentsFor({ controlPlane }: ApiServer, folder: string) {
  const [port = 0, healthPort = 0] = await freePorts(2);
  const authority = await createAuthority("bench");
  const request = { commonName: "butler-server", usages: ["server"], ipAddresses: [host] } as const;
  const { cert, key } = await issueCertificate(authority, request);
  const [certFile, keyFile] = [join(folder, "tls.crt"), join(folder, "tls.key")];
  await writeFile(certFile, cert);
  await writeFile(keyFile, key, { mode: 0o600 });
  const args = [
    `--kubeconfig=${controlPlane.kubeconfigPath}`,
    `--health-port=${healthPort}`,
    `--host=${host}`,
    `--port=${port}`,
    `--tls-cert=${certFile}`,
    `--tls-key=${keyFile}`,
    // Every request claims a different client address, like many users behind one proxy.
    `--trusted-proxy=${host}`,
  ];
  return { args, url: `https://${host}:${port}`, ca: authority.cert, health: `http://${host}:${healthPort}` };
}
