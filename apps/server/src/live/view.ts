import { createHash } from "node:crypto";
import type { LiveChannel, LiveFilter } from "@butler/contract";
import type { ChannelLog } from "./channel-log.ts";
import type { ItemFacts, LiveItem } from "./live-item.ts";

/** Teams that somebody can see; undefined for all, and for what has none. */
export type VisibleTeams = ReadonlySet<string> | undefined;

/** What a view shows. */
export interface ViewFacts {
  readonly channel: LiveChannel;
  readonly filter: LiveFilter;
  readonly teams: VisibleTeams;
}

/** Objects in one snapshot message. */
const partSize = 200;

/** The name of what somebody sees; two people who see the same share it, and what is made for one serves both. */
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

/** Messages for a subscription, and where it has got to with them. */
export interface Messages {
  readonly position: number;
  /** What follows the subscription's own name in each message. */
  readonly bodies: readonly string[];
}

/** What a number of subscriptions see alike. Messages are put together once for all of them. */
export class View {
  readonly name: string;
  readonly #facts: ViewFacts;
  readonly #log: ChannelLog;
  readonly #epoch: string;
  /** What was made in this turn: by where it goes on from, and by whom it is for. */
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

  /** Where a cursor stands; undefined when it is of another process, another view, or too old. */
  positionOf(cursor: string): number | undefined {
    const [epoch, number = "", view] = cursor.split(".");
    if (epoch !== this.#epoch || view !== this.name || !/^\d{1,15}$/.test(number)) return undefined;
    return this.#log.knowsSince(Number(number)) ? Number(number) : undefined;
  }

  /** What to tell somebody who has got so far; everything anew when that is undefined or too long ago. */
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

  /** A message as it goes over the wire; the same bytes for everybody who calls the subscription the same. */
  frame(id: string, body: string): Buffer {
    const text = `{"id":${JSON.stringify(id)},${body}`;
    const made = this.#frames.get(text) ?? Buffer.from(text);
    this.#frames.set(text, made);
    return made;
  }

  /** Forgets what was made: the next turn has its own. */
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
