import { createHash } from "node:crypto";
import type { LiveChannel, LiveFilter } from "@butler/contract";
import type { ChannelLog } from "./channel-log.ts";
import type { ItemFacts, LiveItem } from "./live-item.ts";

/** Teams that a user can see; undefined for all, including objects without a team. */
export type VisibleTeams = ReadonlySet<string> | undefined;

/** Definition of a view. */
export interface ViewFacts {
  readonly channel: LiveChannel;
  readonly filter: LiveFilter;
  readonly teams: VisibleTeams;
}

/** Objects in one snapshot message. */
const partSize = 200;

/** The key of a view; users with the same visibility share the view and its serialized text. */
export function viewName({ channel, filter, teams }: ViewFacts): string {
  const { team = "", namespace = "", cluster = "", isBrief = false } = filter;
  const seen = teams === undefined ? "*" : [...teams].sort();
  return createHash("sha256")
    .update(JSON.stringify([channel, team, namespace, cluster, isBrief, seen]))
    .digest("base64url")
    .slice(0, 16);
}

/** Whether a view shows an object. */
export function isShown({ filter, teams }: Omit<ViewFacts, "channel">, item: ItemFacts): boolean {
  if (teams !== undefined && (item.team === undefined || !teams.has(item.team))) return false;
  const { team, namespace, cluster } = filter;
  return (
    (team === undefined || item.team === team) &&
    (namespace === undefined || item.namespace === namespace) &&
    (cluster === undefined || item.cluster === cluster)
  );
}

/** Messages for a subscription, and its position after them. */
export interface Messages {
  readonly position: number;
  /** What follows the subscription's own name in each message. */
  readonly bodies: readonly string[];
}

/** The common state of subscriptions with the same visibility. Messages are serialized once for all of them. */
export class View {
  readonly name: string;
  readonly #facts: ViewFacts;
  readonly #log: ChannelLog;
  readonly #epoch: string;
  /** Messages of this turn, by start position and subscription. */
  readonly #made = new Map<number | "snapshot", Messages>();
  readonly #frames = new Map<string, Buffer>();

  constructor(facts: ViewFacts, log: ChannelLog, epoch: string) {
    this.name = viewName(facts);
    this.#facts = facts;
    this.#log = log;
    this.#epoch = epoch;
  }

  get position(): number {
    return this.#log.position;
  }

  /** The position of a cursor; undefined if it is of another process, of another view, or too old. */
  positionOf(cursor: string): number | undefined {
    const [epoch, number = "", view] = cursor.split(".");
    if (epoch !== this.#epoch || view !== this.name || !/^\d{1,15}$/.test(number)) return undefined;
    return this.#log.knowsSince(Number(number)) ? Number(number) : undefined;
  }

  /** The messages for a client at a position; a new snapshot if the position is undefined or too old. */
  messagesAfter(position: number | undefined): Messages {
    if (position === undefined || !this.#log.knowsSince(position)) {
      return this.#remember("snapshot", () => this.#snapshot());
    }
    return this.#remember(position, () => {
      const delta = this.#log.deltaSince(position, (item) => isShown(this.#facts, item));
      const { changed = [], removed = [] } = delta ?? {};
      if (changed.length === 0 && removed.length === 0) return { position: this.position, bodies: [] };
      const texts = this.#texts(changed);
      const body = `"cursor":"${this.#cursor()}","changed":[${texts}],"removed":${JSON.stringify(removed)}}`;
      return { position: this.position, bodies: [`"type":"changes",${body}`] };
    });
  }

  /** A message as sent; the same bytes for all subscriptions with the same id. */
  frame(id: string, body: string): Buffer {
    const text = `{"id":${JSON.stringify(id)},${body}`;
    const made = this.#frames.get(text) ?? Buffer.from(text);
    this.#frames.set(text, made);
    return made;
  }

  /** Clears the messages of this turn. */
  endTurn(): void {
    this.#made.clear();
    this.#frames.clear();
  }

  #snapshot(): Messages {
    const shown = [...this.#log.values()].filter((item) => isShown(this.#facts, item));
    const parts = Math.max(1, Math.ceil(shown.length / partSize));
    const bodies = Array.from({ length: parts }, (_none, part) => {
      const texts = this.#texts(shown.slice(part * partSize, (part + 1) * partSize));
      const isLast = part === parts - 1;
      const cursor = isLast ? `"cursor":"${this.#cursor()}",` : "";
      return `"type":"snapshot","isFirst":${part === 0},"isLast":${isLast},${cursor}"objects":[${texts}]}`;
    });
    return { position: this.position, bodies };
  }

  #texts(items: readonly LiveItem[]): string {
    const { isBrief } = this.#facts.filter;
    return items.map((item) => (isBrief ? item.briefText : item.text)).join(",");
  }

  #cursor(): string {
    return `${this.#epoch}.${this.position}.${this.name}`;
  }

  #remember(key: number | "snapshot", make: () => Messages): Messages {
    const made = this.#made.get(key) ?? make();
    this.#made.set(key, made);
    return made;
  }
}
