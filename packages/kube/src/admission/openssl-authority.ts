import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);
const newKey = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];

/** A certificate and its key in PEM form. */
export interface IssuedCertificate {
  readonly cert: string;
  readonly key: string;
}

/** A certificate authority for tests, made with the `openssl` command. */
export class OpensslAuthority {
  readonly #directory: string;
  readonly caPem: string;
  #issued = 0;

  private constructor(directory: string, caPem: string) {
    this.#directory = directory;
    this.caPem = caPem;
  }

  static async create(commonName: string): Promise<OpensslAuthority> {
    const directory = await mkdtemp(join(tmpdir(), "butler-authority-"));
    const [cert, key] = [join(directory, "ca.crt"), join(directory, "ca.key")];
    await run("openssl", [
      "req",
      "-x509",
      ...newKey,
      "-keyout",
      key,
      "-out",
      cert,
      "-subj",
      `/CN=${commonName}`,
      "-days",
      "2",
    ]);
    return new OpensslAuthority(directory, await readFile(cert, "utf8"));
  }

  /** Issues a certificate for servers on this machine and for clients. */
  async issue(commonName: string): Promise<IssuedCertificate> {
    const number = ++this.#issued;
    const file = (name: string): string => join(this.#directory, name);
    const paths = {
      cert: file(`${number}.crt`),
      key: file(`${number}.key`),
      request: file(`${number}.csr`),
      extensions: file(`${number}.ext`),
    };
    await writeFile(
      paths.extensions,
      "subjectAltName=IP:127.0.0.1,DNS:localhost\nextendedKeyUsage=serverAuth,clientAuth\n",
    );
    await run("openssl", [
      "req",
      "-new",
      ...newKey,
      "-keyout",
      paths.key,
      "-out",
      paths.request,
      "-subj",
      `/CN=${commonName}`,
    ]);
    const authority = ["-CA", file("ca.crt"), "-CAkey", file("ca.key"), "-CAcreateserial"];
    const output = ["-days", "2", "-extfile", paths.extensions, "-out", paths.cert];
    await run("openssl", ["x509", "-req", "-in", paths.request, ...authority, ...output]);
    return { cert: await readFile(paths.cert, "utf8"), key: await readFile(paths.key, "utf8") };
  }

  async remove(): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true });
  }
}
