import { stat } from "node:fs/promises";
import { join } from "node:path";
import { builtFileName, type Tool } from "../lock-file.ts";
import type { SourceRequest } from "./source.ts";

/** Watches the output directory of a build and delivers each program once it is complete. */
export class BuildDeliveries {
  readonly #request: SourceRequest;
  readonly #output: string;
  readonly #sizes = new Map<Tool, number>();
  readonly #delivered = new Set<Tool>();
  readonly #refusals = new Map<Tool, unknown>();

  constructor(request: SourceRequest, output: string) {
    this.#request = request;
    this.#output = output;
    this.#announce();
  }

  missing(): Tool[] {
    return this.#request.tools.filter((tool) => !this.#delivered.has(tool));
  }

  refusalOf(tool: Tool): unknown {
    return this.#refusals.get(tool);
  }

  /**
   * Delivers programs that appear complete: a size that has not changed since the last check, or any size once the
   * build has ended. Delivering runs the program to print its version; one that does not run yet is checked again.
   */
  async collect({ hasEnded }: { readonly hasEnded: boolean }): Promise<void> {
    for (const tool of this.missing()) {
      const file = join(this.#output, builtFileName(tool.package));
      const size = (await stat(file).catch(() => undefined))?.size;
      if (size === undefined) continue;
      const isSettled = hasEnded || this.#sizes.get(tool) === size;
      this.#sizes.set(tool, size);
      if (isSettled) await this.#tryToDeliver(tool, file);
    }
  }

  async #tryToDeliver(tool: Tool, file: string): Promise<void> {
    try {
      await this.#request.deliver(tool, file);
      this.#delivered.add(tool);
      this.#announce();
    } catch (error) {
      this.#refusals.set(tool, error);
    }
  }

  /** Go works in command-line order, so the first missing program is the one being built. */
  #announce(): void {
    const [next] = this.missing();
    if (next !== undefined) this.#request.working(next);
  }
}
