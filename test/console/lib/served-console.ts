import { allResources, namespaces } from "@butler/api";
import { builtinKinds } from "@butler/resource";
import { type ServerState, startWholeServer } from "@butler/server";
import { placeOf } from "@butler/server/testing";
import { isRecord, NotFound } from "@butler/std";
import { eventually, aTestCluster, type TestCluster } from "@butler/testkit";
import { builtConsole } from "./built-console.ts";
import { layLine, type Line } from "./line.ts";

/** The real server with the built console, on a real Kubernetes API. */
export interface ServedConsole {
  readonly url: string;
  readonly cluster: TestCluster;
  readonly state: ServerState;
  /** The connection between browser and server. */
  readonly line: Line;
  /** The one-time token of a new installation. */
  setupToken(): Promise<string>;
  stop(): Promise<void>;
}

/** Starts everything that a browser needs. */
export async function startServedConsole(): Promise<ServedConsole> {
  const consoleFolder = await builtConsole();
  const cluster = await aTestCluster({ resources: allResources });
  const ends: (() => Promise<void>)[] = [() => cluster.stop()];
  const stop = async (): Promise<void> => {
    for (const end of ends.splice(0).reverse()) await end();
  };
  try {
    for (const name of [namespaces.system, namespaces.cli, namespaces.cliAdmins]) await cluster.createNamespace(name);
    const server = await startWholeServer({
      ...placeOf(cluster),
      tenants: { clientFor: () => Promise.reject(new NotFound("no tenant runs in this test")) },
      port: 0,
      consoleFolder,
      signIn: { passwordCost: 4, failureMs: 50 },
      rateLimits: { normal: { burst: 10_000, perSecond: 10_000 }, strict: { burst: 100, perSecond: 100 } },
    });
    ends.push(() => server.close());
    const line = await layLine(server.port);
    ends.push(() => line.close());
    return { url: line.url, line, cluster, state: server.state, stop, setupToken: () => setupToken(cluster) };
  } catch (error) {
    await stop();
    throw error;
  }
}

function setupToken({ client }: TestCluster): Promise<string> {
  return eventually(async () => {
    const secret = await client.find(builtinKinds.Secret, { name: "butler-setup-token", namespace: namespaces.system });
    const data: unknown = secret?.["data"];
    const value = isRecord(data) ? data["token"] : undefined;
    return typeof value === "string" ? Buffer.from(value, "base64").toString("utf8") : undefined;
  });
}
