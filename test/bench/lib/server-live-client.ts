import {
  applyLive,
  emptyLiveState,
  type LiveChannel,
  type LiveMessage,
  type LiveObject,
  livePath,
  liveProtocol,
  type LiveState,
  ticketPrefix,
} from "@butler/contract";
import { isRecord } from "@butler/std";
import { WebSocket } from "ws";
import { type Person, writtenAnnotation } from "./server-fleet.ts";
import type { FinalState } from "./server-live-protocol.ts";

/** Counters shared by all clients. */
export interface Tally {
  readonly delays: number[];
  readonly foreign: string[];
  changes: number;
  snapshots: number;
  disconnects: number;
}

interface Followed {
  readonly channel: LiveChannel;
  state: LiveState;
}

/** The server's address, and how a ticket is obtained. */
export interface ClientContext {
  readonly url: string;
  readonly ca: string;
  readonly ticket: (email: string) => Promise<string>;
  readonly tally: Tally;
}

/** One WebSocket of one user, which keeps only the version of each object but checks all messages. */
export class BenchClient {
  readonly person: Person;
  readonly #context: ClientContext;
  readonly #followed = new Map<string, Followed>();
  readonly #teams: ReadonlySet<string> | undefined;
  #socket: WebSocket | undefined;
  #isOver = false;
  /** Delays while it does not read are not counted. */
  #isStalled = false;
  bytes = 0;

  constructor(person: Person, channels: readonly LiveChannel[], context: ClientContext) {
    this.person = person;
    this.#context = context;
    this.#teams = person.teams === undefined ? undefined : new Set(person.teams);
    for (const channel of channels) this.#followed.set(channel, { channel, state: emptyLiveState });
  }

  get subscriptions(): number {
    return this.#followed.size;
  }

  /** Whether all snapshots have arrived. */
  get isFilled(): boolean {
    return [...this.#followed.values()].every(({ state }) => state.cursor !== undefined);
  }

  async connect(): Promise<void> {
    const { url, ca, ticket, tally } = this.#context;
    const protocols = [liveProtocol, ticketPrefix + (await ticket(this.person.email))];
    const socket = new WebSocket(url.replace(/^http/, "ws") + livePath, protocols, { ca, perMessageDeflate: false });
    this.#socket = socket;
    socket.on("message", (data: Buffer) => this.#receive(data));
    socket.on("close", () => {
      if (this.#isOver) return;
      tally.disconnects++;
      void this.connect().catch(() => undefined);
    });
    await new Promise<void>((resolve, reject) => {
      socket.on("open", resolve);
      socket.on("error", reject);
    });
    for (const id of this.#followed.keys()) this.#ask(id);
  }

  /** Subscribes again, stops reading for a while, and then resumes. */
  async stall(milliseconds: number): Promise<void> {
    this.#isStalled = true;
    for (const [id, followed] of this.#followed) {
      followed.state = { ...followed.state, cursor: undefined };
      this.#ask(id);
    }
    this.#socket?.pause();
    await new Promise((resolve) => setTimeout(resolve, milliseconds));
    this.#socket?.resume();
  }

  /** Differences from what the user may see at the end; one sentence per incorrect subscription. */
  differences(final: FinalState): string[] {
    return [...this.#followed.values()].flatMap(({ channel, state }) => {
      const expected = (final[channel] ?? []).filter(({ team }) => this.#teams?.has(team) ?? true);
      const wrong = expected.filter(({ key, version }) => state.objects.get(key) !== version).map(({ key }) => key);
      const known = new Set(expected.map(({ key }) => key));
      const extra = [...state.objects.keys()].filter((key) => !known.has(key));
      if (wrong.length === 0 && extra.length === 0) return [];
      const some = [...wrong, ...extra].slice(0, 3).join(", ");
      return [`${this.person.email} ${channel}: ${wrong.length} missing or old, ${extra.length} too many (${some})`];
    });
  }

  close(): void {
    this.#isOver = true;
    this.#socket?.terminate();
  }

  #ask(id: string): void {
    const followed = this.#followed.get(id);
    if (followed === undefined) return;
    const { channel, state } = followed;
    const request = { type: "subscribe", id, channel, ...(state.cursor && { cursor: state.cursor }) };
    this.#socket?.send(JSON.stringify(request));
  }

  #receive(data: Buffer): void {
    this.bytes += data.length;
    const message = JSON.parse(data.toString()) as LiveMessage;
    if (message.type === "beat") return;
    const followed = this.#followed.get(message.id ?? "");
    if (followed === undefined || message.type === "error") throw new Error(`unexpected message: ${data.toString()}`);
    const { channel } = followed;
    if (message.type === "snapshot") {
      if (message.isFirst) this.#context.tally.snapshots++;
      followed.state = applyLive(followed.state, { ...message, objects: this.#looked(channel, message.objects) });
      return;
    }
    this.#checkRemoved(followed, message.removed);
    this.#countDelays(message.changed);
    followed.state = applyLive(followed.state, { ...message, changed: this.#looked(channel, message.changed) });
  }

  /** A client is never notified of an object that it has not seen. */
  #checkRemoved({ channel, state }: Followed, removed: readonly string[]): void {
    for (const key of removed) {
      if (!state.objects.has(key)) this.#context.tally.foreign.push(`${this.person.email} ${channel} -${key}`);
    }
  }

  #countDelays(changed: readonly LiveObject[]): void {
    const now = Date.now();
    const { tally } = this.#context;
    tally.changes += changed.length;
    if (this.#isStalled) return;
    for (const { object } of changed) {
      const written = Number(annotationsOf(object)[writtenAnnotation]);
      if (Number.isFinite(written)) tally.delays.push(now - written);
    }
  }

  /** Determines the team of each object, and keeps its version only. */
  #looked(channel: LiveChannel, objects: readonly LiveObject[]): LiveObject[] {
    return objects.map(({ key, object }) => {
      const team = channel === "clusters" ? teamIn(object) : key.split("/", 1)[0];
      if (this.#teams !== undefined && !this.#teams.has(team ?? "")) {
        this.#context.tally.foreign.push(`${this.person.email} ${channel} ${key}`);
      }
      return { key, object: versionIn(object) };
    });
  }
}

function partOf(value: unknown, name: string): Readonly<Record<string, unknown>> {
  const part = isRecord(value) ? value[name] : undefined;
  return isRecord(part) ? part : {};
}

function annotationsOf(object: unknown): Readonly<Record<string, unknown>> {
  return partOf(partOf(object, "metadata"), "annotations");
}

function teamIn(object: unknown): string {
  const { name } = partOf(partOf(object, "spec"), "teamRef");
  return typeof name === "string" ? name : "";
}

/** Clusters have it in their metadata, add-ons next to their name, and events not at all. */
function versionIn(object: unknown): string {
  const version = partOf(object, "metadata")["resourceVersion"] ?? (isRecord(object) ? object["resourceVersion"] : "");
  return typeof version === "string" ? version : "";
}
