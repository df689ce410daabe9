import { afterEach, beforeEach } from "vitest";
import { startChartRepository } from "./chart-repository.ts";
import { createRepositoryFolder, type RepositoryFolder } from "./served-charts.ts";
import type { TestServer, TestServerOptions } from "./server-knobs.ts";
import type { Cleanups } from "./store-bench.ts";

/** A new folder of charts for each test of a file or group, and servers of it. */
export class ChartsForTests {
  readonly #cleanups: Cleanups;
  #folder: RepositoryFolder | undefined;

  constructor(cleanups: Cleanups) {
    this.#cleanups = cleanups;
  }

  /** Provides the folder for the tests of the calling file or group, which must not run concurrently. */
  use(): this {
    beforeEach(() => this.empty());
    afterEach(() => this.#cleanups.run());
    return this;
  }

  /** Continues with an empty folder. */
  async empty(): Promise<void> {
    const folder = await createRepositoryFolder();
    this.#folder = folder;
    this.#cleanups.add(() => folder.remove());
  }

  get folder(): string {
    return this.#charts.folder;
  }

  add(...added: Parameters<RepositoryFolder["add"]>): Promise<string> {
    return this.#charts.add(...added);
  }

  /** Serves the charts until the end of the test. */
  async serve(options?: TestServerOptions): Promise<TestServer> {
    const server = await startChartRepository(this.folder, options);
    this.#cleanups.add(() => server.stop());
    return server;
  }

  get #charts(): RepositoryFolder {
    if (this.#folder === undefined) throw new Error("charts are provided for tests after use() only");
    return this.#folder;
  }
}
