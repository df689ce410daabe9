import { readFile } from "node:fs/promises";
import { Agent, request } from "node:https";
import { KubeConfig } from "@butler/kube";

/** An identity that an attacker can use: a token, and optionally the user that it impersonates. */
export interface Actor {
  /** As in the table of the walk, such as `butler-system/butler-server` or `root@example.com as butler:users`. */
  readonly name: string;
  readonly token: string;
  readonly impersonates?: { readonly user: string; readonly groups: readonly string[] } | undefined;
}

/** The API server's response. */
export interface Reply {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

/** A request of an actor. */
export interface Call {
  readonly method?: string;
  readonly body?: object;
  /** Content type of the body; JSON by default. */
  readonly type?: string;
}

/** Sends requests of actors, with nothing of Butler's client between them and the API server. */
export class Wire {
  readonly #agent: Agent;
  readonly #server: string;

  private constructor(server: string, agent: Agent) {
    this.#server = server;
    this.#agent = agent;
  }

  static async to(kubeconfigPath: string): Promise<Wire> {
    const config = new KubeConfig();
    config.loadFromString(await readFile(kubeconfigPath, "utf8"));
    const { server = "", caData = "" } = config.getCurrentCluster() ?? {};
    return new Wire(server, new Agent({ ca: Buffer.from(caData, "base64"), keepAlive: true, maxSockets: 8 }));
  }

  send({ token, impersonates }: Actor, path: string, call: Call = {}): Promise<Reply> {
    const { method = "GET", body, type = "application/json" } = call;
    const headers = {
      authorization: `Bearer ${token}`,
      accept: "application/json",
      ...(body === undefined ? {} : { "content-type": type }),
      ...(impersonates === undefined
        ? {}
        : { "impersonate-user": impersonates.user, "impersonate-group": [...impersonates.groups] }),
    };
    return new Promise((resolve, reject) => {
      const sent = request(new URL(path, this.#server), { method, agent: this.#agent, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("error", reject);
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: parsed(chunks) }));
      });
      sent.on("error", reject);
      sent.end(body === undefined ? undefined : JSON.stringify(body));
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

function parsed(chunks: readonly Buffer[]): Readonly<Record<string, unknown>> {
  const text = Buffer.concat(chunks).toString();
  try {
    return JSON.parse(text) as Readonly<Record<string, unknown>>;
  } catch {
    return { text };
  }
}

/** Whether the API server accepted the request, or failed only behind authorization and admission. */
export function isAllowed({ status }: Reply): boolean {
  return status !== 401 && status !== 403 && status !== 422;
}

/** Whether RBAC refuses the request whatever its object is, so that other objects need not be tried. */
export function isRefusedByRoles({ status, body }: Reply): boolean {
  return status === 403 && typeof body["message"] === "string" && / cannot create resource /.test(body["message"]);
}

/** Whether a ValidatingAdmissionPolicy refuses the request; with another name or content it may be accepted. */
export function isRefusedByPolicy({ status, body }: Reply): boolean {
  return status === 403 && typeof body["message"] === "string" && body["message"].includes("ValidatingAdmissionPolicy");
}
