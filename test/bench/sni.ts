// What the SNI gateway costs on top of passing bytes on: the same connections through it and through the shortest proxy that
// Node can be, in turns. Clients and tenant are a process of their own, so that each proxy has this one to itself.
import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";
import { fileURLToPath } from "node:url";
import { buildRouteTable, SniGateway } from "../../controllers/steward/src/sni-gateway/index.ts";
import { captureHello } from "../../controllers/steward/src/sni-gateway/testing/captured-hellos.ts";
import { printReport, quantile } from "./lib/report.ts";

const rounds = 11;
const bulk = { connections: 8, bytesEach: 16 * 2 ** 20 };
const handshakes = { total: 1_000, atOnce: 20 };
const roundTrips = 2_000;
const hostname = "blue.k8s.example.com";

/** What the other process is asked to do through a proxy, and how long it took it. */
interface Task {
  readonly kind: "bulk" | "handshakes" | "roundTrips";
  readonly port: number;
}

interface Turn {
  readonly mebibytesPerSecond: number;
  readonly connectionsPerSecond: number;
  readonly roundTripMs: number;
  /** Processor time of the proxy alone, which a busy machine hardly disturbs. */
  readonly cpuMsPerGibibyte: number;
  readonly cpuMsPerConnection: number;
}

if (process.argv.includes("--clients")) await playClientsAndTenant();
else await measure();

async function measure(): Promise<void> {
  const clients = fork(fileURLToPath(import.meta.url), ["--clients"]);
  const bare = createServer({ allowHalfOpen: true, noDelay: true });
  const gateway = new SniGateway({ limits: { drainMs: 0 } });
  try {
    const [tenantPort] = (await once(clients, "message")) as [number];
    const barePort = await pipeTo(bare, tenantPort);
    const tenant = { uid: "1", namespace: "default", name: "blue" };
    const upstream = { host: "127.0.0.1", port: tenantPort };
    gateway.setRoutes(buildRouteTable([{ tenant, creationTimestamp: undefined, hostname, upstream }]));
    const ourPort = await gateway.listen(0, "127.0.0.1");
    const bareTurns: Turn[] = [];
    const ourTurns: Turn[] = [];
    for (let round = 0; round <= rounds; round++) {
      console.error(round === 0 ? "warming up ..." : `round ${round} of ${rounds} ...`);
      const turns = await takeTurns(clients, { barePort, ourPort, isOursFirst: round % 2 === 1 });
      if (round === 0) continue;
      bareTurns.push(turns.bare);
      ourTurns.push(turns.ours);
    }
    report(ourTurns, bareTurns);
  } finally {
    clients.kill();
    await gateway.stop();
    bare.close();
  }
}

function report(ours: readonly Turn[], bare: readonly Turn[]): void {
  const pair = (of: (turn: Turn) => number) => ({
    ours: quantile(ours.map(of), 0.5),
    baseline: quantile(bare.map(of), 0.5),
  });
  printReport(
    "sni",
    [
      { name: "throughput to clients", unit: "MiB/s", better: "higher", ...pair((turn) => turn.mebibytesPerSecond) },
      { name: "processor time per GiB", unit: "ms", better: "lower", ...pair((turn) => turn.cpuMsPerGibibyte) },
      { name: "new connections", unit: "/s", better: "higher", ...pair((turn) => turn.connectionsPerSecond) },
      {
        name: "processor time per connection",
        unit: "ms",
        better: "lower",
        ...pair((turn) => turn.cpuMsPerConnection),
      },
      { name: "round trip, p50", unit: "ms", better: "lower", ...pair((turn) => turn.roundTripMs) },
    ],
    { rounds, "connections in the throughput figure": bulk.connections },
  );
}

/** The least that a proxy can do. */
async function pipeTo(server: Server, tenantPort: number): Promise<number> {
  server.on("connection", (client: Socket) => {
    const upstream = connect({ port: tenantPort, host: "127.0.0.1", allowHalfOpen: true, noDelay: true });
    for (const socket of [client, upstream]) socket.on("error", () => undefined);
    client.pipe(upstream).pipe(client);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
}

interface Pair {
  readonly barePort: number;
  readonly ourPort: number;
  readonly isOursFirst: boolean;
}

async function takeTurns(clients: ChildProcess, { barePort, ourPort, isOursFirst }: Pair) {
  const early = isOursFirst ? await takeTurn(clients, ourPort) : undefined;
  const bare = await takeTurn(clients, barePort);
  return { bare, ours: early ?? (await takeTurn(clients, ourPort)) };
}

async function takeTurn(clients: ChildProcess, port: number): Promise<Turn> {
  const timeOf = async (kind: Task["kind"]): Promise<{ seconds: number; cpuMs: number }> => {
    const before = process.cpuUsage();
    clients.send({ kind, port } satisfies Task);
    const [seconds] = (await once(clients, "message")) as [number];
    const { user, system } = process.cpuUsage(before);
    return { seconds, cpuMs: (user + system) / 1_000 };
  };
  const gibibytes = (bulk.connections * bulk.bytesEach) / 2 ** 30;
  const [carried, opened, answered] = [await timeOf("bulk"), await timeOf("handshakes"), await timeOf("roundTrips")];
  return {
    mebibytesPerSecond: (gibibytes * 1_024) / carried.seconds,
    connectionsPerSecond: handshakes.total / opened.seconds,
    roundTripMs: answered.seconds * 1_000,
    cpuMsPerGibibyte: carried.cpuMs / gibibytes,
    cpuMsPerConnection: opened.cpuMs / handshakes.total,
  };
}

async function playClientsAndTenant(): Promise<void> {
  // A real one, with the key of a client of today: about 1.5 kB.
  const hello = await captureHello({ servername: hostname });
  const tenant = createServer({ noDelay: true }, (socket) => void playTenant(socket, hello.length));
  tenant.listen(0, "127.0.0.1");
  await once(tenant, "listening");
  const tasks = {
    bulk: (port: number) =>
      timed(() => Promise.all(Array.from({ length: bulk.connections }, () => download(port, hello)))),
    handshakes: (port: number) =>
      timed(() => Promise.all(Array.from({ length: handshakes.atOnce }, () => handshakeInTurn(port, hello)))),
    roundTrips: (port: number) => medianRoundTrip(port, hello),
  };
  process.on("message", ({ kind, port }: Task) => {
    void tasks[kind](port).then((seconds) => process.send?.(seconds));
  });
  process.send?.((tenant.address() as AddressInfo).port);
}

/** After the ClientHello one byte says what is wanted: `d` for a download, anything else comes back. */
async function playTenant(socket: Socket, helloLength: number): Promise<void> {
  socket.on("error", () => undefined);
  const block = Buffer.alloc(2 ** 18, 1);
  let skipped = 0;
  for await (const chunk of socket) {
    const rest = (chunk as Buffer).subarray(Math.min((chunk as Buffer).length, helloLength - skipped));
    skipped += (chunk as Buffer).length - rest.length;
    if (rest.length === 0) continue;
    if (rest[0] !== 0x64) {
      socket.write(rest);
      continue;
    }
    for (let sent = 0; sent < bulk.bytesEach; sent += block.length) {
      if (!socket.write(block)) await once(socket, "drain");
    }
    socket.end();
    return;
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return (performance.now() - startedAt) / 1_000;
}

async function open(port: number, first: Buffer): Promise<Socket> {
  const socket = connect({ port, host: "127.0.0.1", noDelay: true });
  await once(socket, "connect");
  socket.write(first);
  return socket;
}

async function download(port: number, hello: Buffer): Promise<void> {
  const socket = await open(port, Buffer.concat([hello, Buffer.from("d")]));
  let received = 0;
  socket.on("data", (chunk: Buffer) => (received += chunk.length));
  await once(socket, "close");
  if (received !== bulk.bytesEach) throw new Error(`${received} bytes came instead of ${bulk.bytesEach}`);
}

async function handshakeInTurn(port: number, hello: Buffer): Promise<void> {
  const greeting = Buffer.concat([hello, Buffer.from("x")]);
  for (let at = 0; at < handshakes.total / handshakes.atOnce; at++) {
    const socket = await open(port, greeting);
    await once(socket, "data");
    socket.destroy();
  }
}

async function medianRoundTrip(port: number, hello: Buffer): Promise<number> {
  const socket = await open(port, Buffer.concat([hello, Buffer.from("x")]));
  await once(socket, "data");
  const seconds: number[] = [];
  for (let at = 0; at < roundTrips; at++) {
    seconds.push(
      await timed(() => {
        socket.write("x");
        return once(socket, "data");
      }),
    );
  }
  socket.destroy();
  return quantile(seconds, 0.5);
}
