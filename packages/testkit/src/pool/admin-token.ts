import { randomBytes } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ComponentTuning } from "@butler/engine";

interface KubeconfigFile {
  readonly users: readonly { readonly name: string; readonly user: object }[];
}

/**
 * An administrator's token for one API server. With a client certificate the API server verifies the signature again for
 * each request, which is a tenth of its CPU time in tests; tokens are cached.
 */
export class AdminToken {
  readonly #directory: string;
  readonly #token = randomBytes(24).toString("base64url");

  private constructor(directory: string) {
    this.#directory = directory;
  }

  static async create(): Promise<AdminToken> {
    const token = new AdminToken(await mkdtemp(join(tmpdir(), "butler-token-")));
    // The same user as in the certificate that it replaces.
    const row = `${token.#token},butler-admin,butler-admin,system:masters\n`;
    await writeFile(token.#file, row, { mode: 0o600 });
    return token;
  }

  /** What the API server needs to accept it. */
  get apiServer(): ComponentTuning {
    return { extraArgs: { "token-auth-file": this.#file } };
  }

  /** Makes a kubeconfig file use the token. */
  async replaceCertificateIn(kubeconfigPath: string): Promise<void> {
    const config = JSON.parse(await readFile(kubeconfigPath, "utf8")) as KubeconfigFile;
    const users = config.users.map(({ name }) => ({ name, user: { token: this.#token } }));
    await writeFile(kubeconfigPath, `${JSON.stringify({ ...config, users }, undefined, 2)}\n`);
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }

  get #file(): string {
    return join(this.#directory, "tokens.csv");
  }
}
