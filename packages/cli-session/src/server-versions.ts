import type { ServerVersions, Terminal } from "@butler/cli-kit";
import { isRecord } from "@butler/std";
import { type Session, type SessionOptions, withSession } from "./session.ts";

/** The API server's proxy path to butler-server, for users with permission to use it. */
const serverThroughKubernetes = "/api/v1/namespaces/butler-system/services/butler-server/proxy/api/version";

/** The versions of Kubernetes, and of butler-server where it is reachable. */
export function readServerVersions(terminal: Terminal, options: SessionOptions): Promise<ServerVersions> {
  return withSession(terminal, options, async (session) => {
    const kubernetes = await textAt(session, "/version", "gitVersion");
    const butler = await platformVersion(session, terminal);
    return { ...(kubernetes !== undefined && { kubernetes }), ...(butler !== undefined && { butler }) };
  });
}

async function platformVersion(session: Session, terminal: Terminal): Promise<string | undefined> {
  try {
    return (await versionBySignIn(terminal)) ?? (await textAt(session, serverThroughKubernetes, "version"));
  } catch {
    // The user may lack permission, or the server may not exist; report what is known.
    return undefined;
  }
}

/** With a sign-in, the version comes from the server of the sign-in. */
async function versionBySignIn(terminal: Terminal): Promise<string | undefined> {
  const { LoginStore } = await import("./login-file.ts");
  const login = await new LoginStore(terminal).find();
  if (login === undefined) return undefined;
  const [{ getVersion }, { connectServer }] = await Promise.all([import("@butler/contract"), import("./server.ts")]);
  const { client, close } = await connectServer(login, terminal);
  try {
    const { version } = await client.call(getVersion, {}, { signal: terminal.signal });
    return version;
  } finally {
    await close();
  }
}

async function textAt({ transport, signal }: Session, path: string, field: string): Promise<string | undefined> {
  const answer = await transport.json<unknown>({ method: "GET", path, signal, action: "get the version" });
  const value = isRecord(answer) ? answer[field] : undefined;
  return typeof value === "string" ? value : undefined;
}
