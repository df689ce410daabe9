import type { LiveChannel } from "@butler/contract";
import type { Person } from "./server-fleet.ts";

/** Who connects, how often, and to what. */
export interface ClientsPlan {
  readonly url: string;
  readonly ca: string;
  readonly people: readonly Person[];
  readonly clientsPerPerson: number;
  /** The first clients of every person also follow add-ons and events. */
  readonly clientsWithMore: number;
}

/** What an object is in the end: its key, its version where people see one, and the team whose people see it. */
export interface FinalObject {
  readonly key: string;
  readonly version: string;
  readonly team: string;
}

/** What there is in the end, by channel. */
export type FinalState = Readonly<Partial<Record<LiveChannel, readonly FinalObject[]>>>;

/** Commands to the process with the clients. */
export type ClientsCommand =
  | { readonly type: "connect"; readonly plan: ClientsPlan }
  | { readonly type: "stall"; readonly milliseconds: number }
  | { readonly type: "settle"; readonly final: FinalState; readonly timeoutMs: number }
  | { readonly type: "end" };

/** What the process with the clients answers. */
export type ClientsAnswer =
  | { readonly type: "connected"; readonly seconds: number }
  | { readonly type: "settled"; readonly report: ClientsReport }
  | { readonly type: "failed"; readonly message: string };

/** What the clients have seen. */
export interface ClientsReport {
  readonly clients: number;
  readonly subscriptions: number;
  /** Subscriptions whose objects are exactly those that their person may see, each in its last version. */
  readonly consistent: number;
  /** The first few that are not. */
  readonly differences: readonly string[];
  /** Objects and names of teams that the person is not in. */
  readonly foreign: readonly string[];
  readonly changes: number;
  readonly delayMs: { readonly p50: number; readonly p99: number; readonly most: number };
  /** Snapshots beyond the first of each subscription. */
  readonly furtherSnapshots: number;
  readonly disconnects: number;
  readonly bytes: { readonly total: number; readonly ofTeamPeople: number; readonly ofPlatformPeople: number };
  /** Time after the last write until everybody had everything. */
  readonly settledMs: number;
  readonly stalled: number;
}
