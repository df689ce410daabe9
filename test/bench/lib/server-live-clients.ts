// The process with the clients: it receives commands over its channel, and responds there.
import { setTimeout as wait } from "node:timers/promises";
import type { LiveChannel } from "@butler/contract";
import { describeError } from "@butler/std";
import { inParallel } from "./bare.ts";
import { quantile } from "./report.ts";
import { BenchClient, type Tally } from "./server-live-client.ts";
import type { ClientsAnswer, ClientsCommand, ClientsPlan, ClientsReport, FinalState } from "./server-live-protocol.ts";
import { ServerPeople } from "./server-people.ts";

const tally: Tally = { delays: [], foreign: [], changes: 0, snapshots: 0, disconnects: 0 };
const clients: BenchClient[] = [];
let stalled: readonly BenchClient[] = [];

process.on("message", (command: ClientsCommand) => {
  obey(command).catch((error: unknown) => answer({ type: "failed", message: describeError(error) }));
});
process.on("disconnect", () => process.exit());

async function obey(command: ClientsCommand): Promise<void> {
  if (command.type === "connect") return connectAll(command.plan);
  if (command.type === "stall") return stallSome(command.milliseconds);
  if (command.type === "settle") return settle(command.final, command.timeoutMs);
  for (const client of clients) client.close();
  process.exit();
}

async function connectAll({ url, ca, people, clientsPerPerson, clientsWithMore }: ClientsPlan): Promise<void> {
  const beganAt = performance.now();
  const signedIn = new ServerPeople({ url, ca });
  const context = { url, ca, tally, ticket: (email: string) => signedIn.ticket(email) };
  for (const person of people) {
    for (let at = 0; at < clientsPerPerson; at++) {
      const isMore = person.teams !== undefined && at < clientsWithMore;
      const channels: LiveChannel[] = isMore ? ["clusters", "addons", "events"] : ["clusters"];
      clients.push(new BenchClient(person, channels, context));
    }
  }
  await inParallel(clients, 8, (client) => client.connect());
  while (!clients.every(({ isFilled }) => isFilled)) await wait(50);
  answer({ type: "connected", seconds: (performance.now() - beganAt) / 1_000 });
}

/** Clients of a user who sees everything: for others there would be too little data to fill buffers. */
async function stallSome(milliseconds: number): Promise<void> {
  const email = clients.findLast(({ person }) => person.teams === undefined)?.person.email;
  stalled = clients.filter(({ person }) => person.email === email);
  await Promise.all(stalled.map((client) => client.stall(milliseconds)));
}

async function settle(final: FinalState, timeoutMs: number): Promise<void> {
  const beganAt = performance.now();
  const differences = (): string[] => clients.flatMap((client) => client.differences(final));
  let found = differences();
  while (found.length > 0 && performance.now() - beganAt < timeoutMs) {
    await wait(100);
    found = differences();
  }
  answer({ type: "settled", report: reportOf(found, performance.now() - beganAt) });
}

function reportOf(differences: readonly string[], settledMs: number): ClientsReport {
  const subscriptions = clients.reduce((sum, client) => sum + client.subscriptions, 0);
  const bytesOf = (some: readonly BenchClient[]): number => some.reduce((sum, { bytes }) => sum + bytes, 0);
  const mean = (some: readonly BenchClient[]): number => Math.round(bytesOf(some) / Math.max(1, some.length));
  const seesAll = ({ person }: BenchClient): boolean => person.teams === undefined;
  return {
    clients: clients.length,
    subscriptions,
    consistent: subscriptions - differences.length,
    differences: differences.slice(0, 5),
    foreign: tally.foreign.slice(0, 5),
    changes: tally.changes,
    delayMs: {
      p50: quantile(tally.delays, 0.5),
      p99: quantile(tally.delays, 0.99),
      most: tally.delays.reduce((most, each) => Math.max(most, each), 0),
    },
    furtherSnapshots: tally.snapshots - subscriptions - stalled.reduce((sum, client) => sum + client.subscriptions, 0),
    disconnects: tally.disconnects,
    bytes: {
      total: bytesOf(clients),
      ofTeamPeople: mean(clients.filter((client) => !seesAll(client))),
      ofPlatformPeople: mean(clients.filter(seesAll)),
    },
    settledMs: Math.round(settledMs),
    stalled: stalled.length,
  };
}

function answer(message: ClientsAnswer): void {
  process.send?.(message);
}
