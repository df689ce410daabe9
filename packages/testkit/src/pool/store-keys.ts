import { Agent, request } from "node:https";
import type { StoreAccess } from "@butler/engine";
import { Unavailable } from "@butler/std";

/** A key of an API server's store. The version shows whether it was written since. */
export interface StoredKey {
  readonly key: string;
  readonly version: string;
}

/** The same with its value. Built-in kinds are stored in binary form, so values stay encoded: base64. */
export interface StoredValue extends StoredKey {
  readonly value: string;
}

interface RangeAnswer {
  readonly kvs?: readonly { readonly key: string; readonly value?: string; readonly mod_revision: string }[];
}

const encode = (text: string): string => Buffer.from(text).toString("base64");
const decode = (text: string): string => Buffer.from(text, "base64").toString();
/** The prefix of everything that a Kubernetes API server stores. */
const everything = { key: encode("/registry/"), range_end: encode("/registry0") };

/** Reads and writes the store below an API server, through etcd's own HTTP interface. */
export class StoreKeys {
  readonly #access: StoreAccess;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 8 });

  constructor(access: StoreAccess) {
    this.#access = access;
  }

  async keys(): Promise<StoredKey[]> {
    const { kvs = [] } = (await this.#call("range", { ...everything, keys_only: true })) as RangeAnswer;
    return kvs.map(({ key, mod_revision: version }) => ({ key: decode(key), version }));
  }

  async values(): Promise<StoredValue[]> {
    const { kvs = [] } = (await this.#call("range", everything)) as RangeAnswer;
    return kvs.map(({ key, value = "", mod_revision: version }) => ({ key: decode(key), value, version }));
  }

  /** Each key is written separately: a watch that is resumed in the middle of one write would miss the rest of it. */
  async remove(key: string): Promise<void> {
    await this.#call("deleterange", { key: encode(key) });
  }

  /** Writes a value and returns the key's new version. */
  async put(key: string, value: string): Promise<string> {
    const { header } = (await this.#call("put", { key: encode(key), value })) as { header: { revision: string } };
    return header.revision;
  }

  close(): void {
    this.#agent.destroy();
  }

  #call(method: string, body: object): Promise<unknown> {
    const { socketPath, caPem, cert, key } = this.#access;
    const target = { socketPath, path: `/v3/kv/${method}`, method: "POST", agent: this.#agent };
    return new Promise((resolve, reject) => {
      const call = request(
        { ...target, ca: caPem, cert, key, servername: "localhost", timeout: 30_000 },
        (response) => {
          let text = "";
          response.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
          response.on("error", reject);
          response.on("end", () => {
            if (response.statusCode === 200) resolve(JSON.parse(text));
            else reject(new Unavailable(`etcd answered ${method} with ${response.statusCode}: ${text}`));
          });
        },
      );
      call.on("timeout", () => call.destroy(new Unavailable(`etcd did not answer ${method} within 30 s`)));
      call.on("error", reject);
      call.end(JSON.stringify(body));
    });
  }
}
