import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import {
  createRepositoryFolder,
  packChart,
  type RepositoryFolder,
  startChartRepository,
  type TestChart,
  type TestServer,
} from "@butler/helm/testing";

/** A chart repository of a test, at an address that the pods of an engine can reach. */
export class AddonShelf {
  readonly #charts: RepositoryFolder;
  readonly #server: TestServer;
  readonly #packed: string;

  private constructor(parts: { charts: RepositoryFolder; server: TestServer; packed: string }) {
    this.#charts = parts.charts;
    this.#server = parts.server;
    this.#packed = parts.packed;
  }

  /** Serves nothing yet. The node's address determines the address of this machine that its pods can reach. */
  static async open(nodeAddress: string): Promise<AddonShelf> {
    const charts = await createRepositoryFolder();
    const packed = await mkdtemp(join(tmpdir(), "butler-shelf-"));
    const server = await startChartRepository(charts.folder, { host: await ownAddressTowards(nodeAddress) });
    return new AddonShelf({ charts, server, packed });
  }

  get url(): string {
    return this.#server.url;
  }

  /** Packages some versions of a chart and lists them. */
  async offer(chart: TestChart, ...versions: string[]): Promise<void> {
    for (const version of versions) {
      const archive = await readFile(await packChart(chart, { folder: this.#packed, version }));
      await this.#charts.add(version, { name: chart, archive });
    }
  }

  /** A catalog entry whose chart is on the shelf. */
  entry(name: string, chart: TestChart, more: object = {}): object {
    return {
      apiVersion: "butler.butlerlabs.dev/v1alpha1",
      kind: "AddonDefinition",
      metadata: { name },
      spec: {
        displayName: name,
        description: `The chart ${chart}.`,
        category: "other",
        chart: { repository: this.url, name: chart, defaultVersion: "1.0.0" },
        ...more,
      },
    };
  }

  async close(): Promise<void> {
    await this.#server.stop();
    await this.#charts.remove();
    await rm(this.#packed, { recursive: true, force: true });
  }
}

/**
 * The source address of this machine for packets to another address; a server that listens on it is reachable from
 * there.
 */
export async function ownAddressTowards(address: string): Promise<string> {
  const { stdout } = await promisify(execFile)("ip", ["-json", "route", "get", address]);
  const [route] = JSON.parse(stdout) as { prefsrc?: string }[];
  if (route?.prefsrc === undefined) throw new Error(`there is no route to ${address}`);
  return route.prefsrc;
}
