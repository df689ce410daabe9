import type { LiveChannel } from "@butler/contract";
import type { Person } from "./server-fleet.ts";

/** Users, number of connections, and their subscriptions. */
export interface ClientsPlan {
  readonly url: string;
  readonly ca: string;
  readonly people: readonly Person[];
  readonly clientsPerPerson: number;
  /** The first clients of every user also subscribe to add-ons and events. */
  readonly clientsWithMore: number;
}

/** Final state of an object: its key, its version as returned to users, and the team that can see it. */
export interface FinalObject {
  readonly key: string;
  readonly version: string;
  readonly team: string;
}

/** Final state, by channel. */
export type FinalState = Readonly<Partial<Record<LiveChannel, readonly FinalObject[]>>>;

/** Commands to the process with the clients. */
export type ClientsCommand =
  | { readonly type: "connect"; readonly plan: ClientsPlan }
  | { readonly type: "stall"; readonly milliseconds: number }
  | { readonly type: "settle"; readonly final: FinalState; readonly timeoutMs: number }
  | { readonly type: "end" };

/** Responses of the process with the clients. */
export type ClientsAnswer =
  | { readonly type: "connected"; readonly seconds: number }
  | { readonly type: "settled"; readonly report: ClientsReport }
  | { readonly type: "failed"; readonly message: string };

/** Observations of the clients. */
export interface ClientsReport {
  readonly clients: number;
  readonly subscriptions: number;
  /** Subscriptions with exactly the objects that their user may see, each in its final version. */
  readonly consistent: number;
  /** The first few incorrect ones. */
  readonly differences: readonly string[];
  /** Objects and names of teams that the user is not in. */
  readonly foreign: readonly string[];
  readonly changes: number;
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly most: number };
  /** Snapshots beyond the first of each subscription. */
  readonly furtherSnapshots: number;
  readonly disconnects: number;
  readonly bytes: { readonly total: number; readonly ofTeamPeople: number; readonly ofPlatformPeople: number };
  /** Time from the last write until all clients were up to date. */
  readonly settledMs: number;
  readonly stalled: number;
}
