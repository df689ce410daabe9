import { execFile } from "node:child_process";
import { ensureTools } from "@butler/engine";

/** kubectl, pointed at one cluster. */
export class KubectlCalls {
  readonly #kubeconfig: string;

  constructor(kubeconfig: string) {
    this.#kubeconfig = kubeconfig;
  }

  /** Runs kubectl and returns its trimmed output. */
  run(...args: string[]): Promise<string> {
    return this.#call(args);
  }

  /** Applies objects. */
  async apply(objects: readonly object[]): Promise<void> {
    const list = JSON.stringify({ apiVersion: "v1", kind: "List", items: objects });
    await this.#call(["apply", "--server-side", "--force-conflicts", "-f", "-"], list);
  }

  /** The names of objects, by kinds, namespace and (last part of `app.kubernetes.io/` label) selector. */
  async names(kinds: string, namespace: string, label?: string): Promise<string[]> {
    const selector = label === undefined ? [] : ["-l", `app.kubernetes.io/${label}`];
    const printed = await this.#call(["get", kinds, "-n", namespace, ...selector, "-o", "name"]);
    return printed.split("\n").filter((line) => line !== "");
  }

  async #call(args: readonly string[], input?: string): Promise<string> {
    const { kubectl } = await ensureTools(["kubectl"]);
    return new Promise((resolve, reject) => {
      const child = execFile(
        kubectl,
        ["--kubeconfig", this.#kubeconfig, ...args],
        { maxBuffer: 64 * 2 ** 20 },
        (error, stdout, stderr) =>
          error === null
            ? resolve(stdout.trim())
            : reject(new Error(`kubectl ${args.join(" ")}: ${stderr}`, { cause: error })),
      );
      // A kubectl that exits before reading all input reports the reason on standard error.
      child.stdin?.on("error", () => undefined).end(input ?? "");
    });
  }
}
