import type { ServerVersions, Terminal } from "@butler/cli-kit";
import { isRecord } from "@butler/std";
import { type Session, type SessionOptions, withSession } from "./session.ts";

/** Where the API server passes requests on to butler-server, for those who may ask it to. */
const serverThroughKubernetes = "/api/v1/namespaces/butler-system/services/butler-server/proxy/api/version";

/** The versions of what answers: of Kubernetes, and of butler-server where it can be asked. */
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
    // Not everybody may ask, and it need not be there: what is known is told all the same.
    return undefined;
  }
}

/** Whoever is signed in asks the server that they are signed in to. */
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
  const answer = await transport.json<unknown>({ method: "GET", path, signal, action: "ask for the version" });
  const value = isRecord(answer) ? answer[field] : undefined;
  return typeof value === "string" ? value : undefined;
}
