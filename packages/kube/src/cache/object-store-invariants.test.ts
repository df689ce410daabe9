import { type DynamicObject, keyOf, keyText } from "@butler/resource";
import { aConfigMap } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ObjectStore, type StoreEvent, versionOf } from "./object-store.ts";

/** One actual event: a version of an object, or its deletion. */
interface Happening {
  readonly type: "ADDED" | "MODIFIED" | "DELETED";
  readonly object: DynamicObject;
  /** Whether it was our own write, so that a response contains it too. */
  readonly isOurs: boolean;
}

interface Intent {
  readonly name: string;
  readonly isDeletion: boolean;
  readonly isOurs: boolean;
  readonly label: string;
}

/** The history that follows from the requested changes: versions grow, and a recreated object gets a new UID. */
function historyOf(intents: readonly Intent[]): Happening[] {
  const living = new Map<string, string>();
  return intents.flatMap(({ name, isDeletion, isOurs, label }, at): Happening[] => {
    const version = 10 + at * 2;
    const uid = living.get(name);
    if (isDeletion) {
      living.delete(name);
      return uid === undefined ? [] : [{ type: "DELETED", object: aConfigMap({ name, uid, version }), isOurs: false }];
    }
    living.set(name, uid ?? `${name}-${version}`);
    const object = aConfigMap({ name, uid: uid ?? `${name}-${version}`, version, labels: { label } });
    return [{ type: uid === undefined ? "ADDED" : "MODIFIED", object, isOurs }];
  });
}

/** The result of a complete list after that many events. */
function snapshotOf(happenings: readonly Happening[]): DynamicObject[] {
  const living = new Map<string, DynamicObject>();
  for (const { type, object } of happenings) {
    if (type === "DELETED") living.delete(object.metadata.name);
    else living.set(object.metadata.name, object);
  }
  return [...living.values()];
}

const versionAfter = (happenings: readonly Happening[]): bigint =>
  happenings.reduce((latest, { object }) => (versionOf(object) > latest ? versionOf(object) : latest), 1n);

/** A listener that applies every event, and records impossible ones. */
class Listener {
  readonly complaints: string[] = [];
  readonly #held = new Map<string, DynamicObject>();
  readonly #reported = new Set<string>();
  readonly #ended = new Set<string | undefined>();

  hear(events: readonly StoreEvent<DynamicObject>[]): void {
    for (const event of events) {
      const before = this.#held.get(event.object.metadata.name);
      const complaint = this.#judge(event, before);
      if (complaint !== undefined) this.complaints.push(`${complaint}: ${describeEvent(event)}`);
      if (event.type === "delete") {
        this.#held.delete(event.object.metadata.name);
        this.#ended.add(event.object.metadata.uid);
      } else {
        this.#held.set(event.object.metadata.name, event.object);
        this.#reported.add(describeVersion(event.object));
      }
    }
  }

  holds(): string[] {
    return [...this.#held.values()].map(describeVersion).sort();
  }

  #judge(event: StoreEvent<DynamicObject>, before: DynamicObject | undefined): string | undefined {
    const { type, object } = event;
    if (before !== undefined && type !== "add" && before.metadata.uid !== object.metadata.uid)
      return "of another client";
    if (type === "delete") return before === undefined ? "of nothing" : undefined;
    if (this.#reported.has(describeVersion(object))) return "reported twice";
    if (this.#ended.has(object.metadata.uid)) return "back from the dead";
    if (type === "add") return before === undefined ? undefined : "is there already";
    if (before !== event.previous) return "previous is not the last reported object";
    return versionOf(object) > versionOf(event.previous) ? undefined : "goes backwards";
  }
}

const describeVersion = (object: DynamicObject): string => `${object.metadata.uid}@${versionOf(object)}`;
const describeEvent = ({ type, object }: StoreEvent<DynamicObject>): string => `${type} ${describeVersion(object)}`;

type Delivery = "happen" | "stream" | "answer" | "relist" | "bookmark";

/** A store behind a delayed stream, with responses to our writes at arbitrary times. */
class Course {
  readonly store = new ObjectStore<DynamicObject>();
  readonly listener = new Listener();
  readonly #history: readonly Happening[];
  readonly #answers: DynamicObject[] = [];
  #happened = 0;
  #streamed = 0;

  constructor(history: readonly Happening[]) {
    this.#history = history;
    this.store.addIndex("label", ({ metadata }) => Object.values(metadata.labels ?? {}));
    this.listener.hear(this.store.replaceAll([], "1"));
  }

  get isOver(): boolean {
    return this.#streamed === this.#history.length && this.#answers.length === 0;
  }

  deliver(what: Delivery, pick: number): void {
    const past = this.#history.slice(0, this.#happened);
    switch (what) {
      case "happen": {
        const next = this.#history[this.#happened];
        if (next === undefined) return;
        this.#happened++;
        if (next.isOurs) this.#answers.push(next.object);
        return;
      }
      case "stream": {
        const next = past[this.#streamed];
        if (next === undefined) return;
        this.#streamed++;
        this.listener.hear(this.store.receive(next.type, structuredClone(next.object)));
        return;
      }
      case "answer": {
        const [answer] = this.#answers.splice(pick % Math.max(1, this.#answers.length), 1);
        if (answer !== undefined) this.listener.hear(this.store.receiveWrite(structuredClone(answer)));
        return;
      }
      case "relist": {
        this.#streamed += pick % (past.length - this.#streamed + 1);
        const seen = past.slice(0, this.#streamed);
        this.listener.hear(this.store.replaceAll(structuredClone(snapshotOf(seen)), String(versionAfter(seen))));
        return;
      }
      case "bookmark":
        this.store.advance(versionAfter(past.slice(0, this.#streamed)));
    }
  }
}

const intents = fc.array(
  fc.record({
    name: fc.constantFrom("blue", "green"),
    isDeletion: fc.nat({ max: 3 }).map((dice) => dice === 0),
    isOurs: fc.boolean(),
    label: fc.constantFrom("x", "y", "z"),
  }),
  { maxLength: 25, size: "max" },
);
const deliveries = fc.array(
  fc.tuple(
    fc.oneof<fc.WeightedArbitrary<Delivery>[]>(
      { weight: 5, arbitrary: fc.constant("happen") },
      { weight: 4, arbitrary: fc.constant("stream") },
      { weight: 4, arbitrary: fc.constant("answer") },
      { weight: 1, arbitrary: fc.constant("relist") },
      { weight: 1, arbitrary: fc.constant("bookmark") },
    ),
    fc.nat({ max: 99 }),
  ),
  { maxLength: 120, size: "max" },
);

describe("an ObjectStore, for any events in any order", () => {
  it("ends in the final state, and reports each version once and in order", () => {
    fc.assert(
      fc.property(intents, deliveries, fc.infiniteStream(fc.nat({ max: 99 })), (wanted, order, dice) => {
        const history = historyOf(wanted);
        const course = new Course(history);
        for (const [what, pick] of order) {
          course.deliver(what, pick);
          expect(course.listener.complaints).toEqual([]);
          expect([...course.store.values()].map(describeVersion).sort()).toEqual(course.listener.holds());
        }
        const rest: readonly Delivery[] = ["happen", "stream", "answer"];
        while (!course.isOver) {
          const pick = dice.next().value as number;
          course.deliver(rest[pick % rest.length] ?? "stream", pick);
        }
        expect(course.listener.complaints).toEqual([]);
        const truth = snapshotOf(history);
        expect([...course.store.values()].map(describeVersion).sort()).toEqual(truth.map(describeVersion).sort());
        for (const label of ["x", "y", "z"]) {
          const labelled = truth.filter(({ metadata }) => metadata.labels?.["label"] === label);
          const found = course.store.byIndex("label", label);
          expect(found.map((object) => keyText(keyOf(object))).sort()).toEqual(
            labelled.map((object) => keyText(keyOf(object))).sort(),
          );
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it("shows our own write from its response on, until a later version arrives", () => {
    fc.assert(
      fc.property(intents, deliveries, (wanted, order) => {
        const course = new Course(historyOf(wanted));
        const shown = new Map<string, bigint>();
        for (const [what, pick] of order) {
          course.deliver(what, pick);
          for (const object of course.store.values()) {
            const { uid = "" } = object.metadata;
            expect(versionOf(object)).toBeGreaterThanOrEqual(shown.get(uid) ?? 0n);
            shown.set(uid, versionOf(object));
          }
        }
      }),
      { numRuns: 500 },
    );
  });
});
