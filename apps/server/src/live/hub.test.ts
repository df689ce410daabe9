import {
  applyLive,
  emptyLiveState,
  liveCloseCodes,
  type LiveFilter,
  type LiveMessage,
  type LiveState,
} from "@butler/contract";
import { FakeClock } from "@butler/testkit";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ChannelLog } from "./channel-log.ts";
import type { Connection } from "./connection.ts";
import { LiveHub } from "./hub.ts";
import { type ItemFacts, LiveItem } from "./live-item.ts";

const teams = ["red", "green", "blue"] as const;
const item = (key: string, team: string | undefined, value: number): LiveItem =>
  new LiveItem({ key, team, namespace: team, cluster: key }, () => ({ team, value }));

/** A hub with the visibility that the test sets. */
function aHub(capacity?: number) {
  const clock = new FakeClock();
  const roles = new Map<string, ReadonlySet<string> | "all">();
  const listeners = new Set<() => void>();
  const hub = new LiveHub({
    clock,
    ...(capacity === undefined ? {} : { logCapacity: capacity }),
    sessions: {
      find: (sessionId) => (roles.has(sessionId) ? { person: { email: sessionId, groups: [] }, sessionId } : undefined),
      onChange: (listener) => {
        listeners.add(listener);
        return () => listeners.delete(listener);
      },
    },
    visibleTeams: ({ sessionId = "" }) => {
      const seen = roles.get(sessionId);
      return seen === "all" ? undefined : (seen ?? new Set());
    },
  });
  const setRoles = (session: string, seen: ReadonlySet<string> | "all" | undefined): void => {
    if (seen === undefined) roles.delete(session);
    else roles.set(session, seen);
    for (const listener of listeners) listener();
    clock.advance(5);
  };
  return { hub, clock, roles, setRoles };
}

/** A client with a connection that can be blocked and cut. */
class TestClient {
  readonly session: string;
  readonly messages: LiveMessage[] = [];
  readonly closed: number[] = [];
  readonly #hub: LiveHub;
  readonly #filter: LiveFilter;
  state: LiveState = emptyLiveState;
  isBlocked = false;
  connection: Connection | undefined;
  onMessage: (message: LiveMessage) => void = () => undefined;

  constructor(hub: LiveHub, session: string, filter: LiveFilter = {}) {
    this.#hub = hub;
    this.session = session;
    this.#filter = filter;
  }

  connect(): void {
    const isBlocked = (): boolean => this.isBlocked;
    const wire = {
      get bufferedAmount(): number {
        return isBlocked() ? 1e9 : 0;
      },
      send: (frame: Buffer) => {
        const message = JSON.parse(frame.toString()) as LiveMessage;
        this.messages.push(message);
        this.onMessage(message);
        this.state = applyLive(this.state, message);
      },
      close: (code: number) => {
        this.closed.push(code);
        this.connection = undefined;
      },
    };
    const caller = { person: { email: this.session, groups: [] }, sessionId: this.session };
    this.connection = this.#hub.connect(wire, { sessionId: this.session, caller });
    const { cursor } = this.state;
    this.#hub.receive(this.connection, {
      type: "subscribe",
      id: "s",
      channel: "clusters",
      filter: this.#filter,
      ...(cursor === undefined ? {} : { cursor }),
    });
  }

  disconnect(): void {
    if (this.connection !== undefined) this.#hub.disconnect(this.connection);
    this.connection = undefined;
  }
}

describe("the hub", () => {
  it("sends a snapshot, then changes, then nothing", () => {
    const { hub, clock, setRoles } = aHub();
    setRoles("ada", new Set(["red"]));
    hub.logs.clusters.put(item("a", "red", 1));
    hub.logs.clusters.put(item("b", "green", 1));
    const client = new TestClient(hub, "ada");
    client.connect();
    clock.advance(50);
    expect(client.messages).toMatchObject([
      { type: "snapshot", isFirst: true, isLast: true, objects: [{ key: "a", object: { team: "red", value: 1 } }] },
    ]);
    hub.logs.clusters.put(item("a", "red", 2));
    hub.logs.clusters.put(item("a", "red", 3));
    hub.logs.clusters.put(item("b", "green", 2));
    clock.advance(50);
    expect(client.messages[1]).toMatchObject({
      type: "changes",
      changed: [{ key: "a", object: { value: 3 } }],
      removed: [],
    });
    hub.logs.clusters.put(item("b", "green", 3));
    clock.advance(500);
    expect(client.messages).toHaveLength(2);
  });

  it("shows objects without a team only to clients that see every team", () => {
    const { hub, clock, setRoles } = aHub();
    setRoles("ada", new Set(["red"]));
    setRoles("root", "all");
    hub.logs.clusters.put(item("a", "red", 1));
    hub.logs.clusters.put(item("b", undefined, 1));
    const clients = [new TestClient(hub, "ada"), new TestClient(hub, "root")];
    for (const client of clients) client.connect();
    clock.advance(50);
    hub.logs.clusters.put(item("c", undefined, 1));
    clock.advance(50);
    expect(clients.map(({ state }) => [...state.objects.keys()])).toEqual([["a"], ["a", "b", "c"]]);
  });

  it("starts immediately, and sends as much of each object as requested", () => {
    const { hub, clock, setRoles } = aHub();
    setRoles("ada", "all");
    const whole = () => ({ name: "a", more: "much more" });
    hub.logs.clusters.put(new LiveItem({ key: "a" }, whole, () => ({ name: "a" })));
    hub.logs.clusters.put(new LiveItem({ key: "b" }, whole));
    const clients = [new TestClient(hub, "ada"), new TestClient(hub, "ada", { isBrief: true })];
    for (const client of clients) client.connect();
    clock.advance(1);
    expect(clients.map(({ state }) => [...state.objects.values()])).toEqual([
      [whole(), whole()],
      [{ name: "a" }, whole()],
    ]);
    hub.logs.clusters.put(new LiveItem({ key: "a" }, whole, () => ({ name: "new" })));
    clock.advance(50);
    expect(clients.map(({ state }) => state.objects.get("a"))).toEqual([whole(), { name: "new" }]);
  });

  it("sends large snapshots in parts that apply together", () => {
    const { hub, clock, setRoles } = aHub();
    setRoles("ada", "all");
    for (let at = 0; at < 450; at++) hub.logs.clusters.put(item(`c${at}`, "red", at));
    const client = new TestClient(hub, "ada");
    client.connect();
    clock.advance(50);
    expect(client.messages.map((message) => message.type === "snapshot" && message.objects.length)).toEqual([
      200, 200, 50,
    ]);
    expect(client.state.objects.size).toBe(450);
  });

  it("resumes at a client's cursor, unless the user or filter differs or the cursor is too old", () => {
    const { hub, clock, setRoles } = aHub(10);
    setRoles("ada", new Set(["red"]));
    hub.logs.clusters.put(item("a", "red", 1));
    const client = new TestClient(hub, "ada");
    const typesAfter = (during: () => void): string[] => {
      client.disconnect();
      client.messages.length = 0;
      during();
      client.connect();
      clock.advance(50);
      return client.messages.map(({ type }) => type);
    };
    expect(typesAfter(() => undefined)).toEqual(["snapshot"]);
    expect(typesAfter(() => hub.logs.clusters.put(item("a", "red", 2)))).toEqual(["changes"]);
    expect(typesAfter(() => setRoles("ada", new Set(["red", "green"])))).toEqual(["snapshot"]);
    const many = (): void => {
      for (let at = 0; at < 30; at++) hub.logs.clusters.put(item("a", "red", at));
    };
    expect(typesAfter(many)).toEqual(["snapshot"]);
    client.state = { ...client.state, cursor: `${client.state.cursor?.replace(/^[^.]+/, "elsewhere")}` };
    expect(typesAfter(() => undefined)).toEqual(["snapshot"]);
  });

  it("closes the socket of an ended session within milliseconds", () => {
    const { hub, clock, setRoles } = aHub();
    setRoles("ada", "all");
    const client = new TestClient(hub, "ada");
    client.connect();
    clock.advance(50);
    setRoles("ada", undefined);
    expect(client.closed).toEqual([liveCloseCodes.signedOut]);
    expect(hub.size).toBe(0);
  });

  it("removes objects that a client may no longer see, and sends no further changes of them", () => {
    const { hub, clock, setRoles } = aHub();
    setRoles("ada", new Set(["red", "green"]));
    hub.logs.clusters.put(item("a", "red", 1));
    hub.logs.clusters.put(item("b", "green", 1));
    const client = new TestClient(hub, "ada");
    client.connect();
    clock.advance(50);
    expect([...client.state.objects.keys()]).toEqual(["a", "b"]);
    hub.logs.clusters.put(item("b", "green", 2));
    setRoles("ada", new Set(["red"]));
    clock.advance(50);
    expect([...client.state.objects.keys()]).toEqual(["a"]);
    expect(JSON.stringify(client.messages.slice(1))).not.toContain("green");
  });

  it("queues nothing for a slow socket, and updates it when it is writable", () => {
    const { hub, clock, setRoles } = aHub(100);
    setRoles("ada", "all");
    const client = new TestClient(hub, "ada");
    client.connect();
    clock.advance(50);
    client.isBlocked = true;
    for (let at = 0; at < 1_000; at++) {
      hub.logs.clusters.put(item(`c${at % 7}`, "red", at));
      clock.advance(10);
    }
    expect(client.messages).toHaveLength(1);
    client.isBlocked = false;
    clock.advance(50);
    expect(client.messages).toHaveLength(2);
    expect(client.state.objects.get("c5")).toEqual({ team: "red", value: 999 - ((999 - 5) % 7) });
  });

  it("serializes a change once for all clients", () => {
    const { hub, clock, setRoles } = aHub();
    let shown = 0;
    const clients = Array.from({ length: 100 }, (_none, at) => {
      setRoles(`p${at}`, new Set(["red"]));
      const client = new TestClient(hub, `p${at}`);
      client.connect();
      return client;
    });
    clock.advance(50);
    hub.logs.clusters.put(
      new LiveItem({ key: "a", team: "red" }, () => {
        shown++;
        return {};
      }),
    );
    clock.advance(50);
    expect(shown).toBe(1);
    expect(clients.every(({ state }) => state.objects.size === 1)).toBe(true);
  });

  it("closes all connections when it drains", () => {
    const { hub, setRoles } = aHub();
    setRoles("ada", "all");
    const client = new TestClient(hub, "ada");
    client.connect();
    hub.drain();
    expect(client.closed).toEqual([1012]);
  });
});

type Step =
  | { readonly do: "put"; readonly key: string; readonly team: string | undefined }
  | { readonly do: "remove"; readonly key: string }
  | { readonly do: "role"; readonly who: number; readonly seen: readonly string[] | "all" }
  | { readonly do: "disconnect" | "connect" | "block" | "free"; readonly who: number }
  | { readonly do: "wait"; readonly ms: number };

const key = fc.constantFrom("a", "b", "c", "d", "e");
const who = fc.nat(2);
const aStep: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constant("put" as const), key, team: fc.constantFrom(...teams, undefined) }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("remove" as const), key }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant("role" as const),
      who,
      seen: fc.oneof(fc.subarray([...teams]), fc.constant("all" as const)),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      do: fc.constantFrom("disconnect", "connect", "block", "free") as fc.Arbitrary<"block">,
      who,
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("wait" as const), ms: fc.constantFrom(5, 20, 60) }) },
);

/** Runs steps with three clients, and checks for every message whether its receiver may see its content. */
function play(steps: readonly Step[], filters: readonly LiveFilter[]): void {
  const { hub, clock, roles, setRoles } = aHub(6);
  const clients = filters.map((filter, at) => {
    setRoles(`p${at}`, new Set(["red"]));
    const client = new TestClient(hub, `p${at}`, filter);
    client.onMessage = (message) => {
      const seen = roles.get(client.session);
      const objects = message.type === "snapshot" ? message.objects : message.type === "changes" ? message.changed : [];
      for (const { object } of objects) {
        const { team } = object as { team?: string };
        if (seen !== "all") expect(seen?.has(team ?? "")).toBe(true);
      }
    };
    return client;
  });
  for (const client of clients) client.connect();
  let value = 0;
  const run = (step: Step): void => {
    switch (step.do) {
      case "put":
        return hub.logs.clusters.put(item(step.key, step.team, value++));
      case "remove":
        return hub.logs.clusters.remove(step.key);
      case "role":
        return setRoles(`p${step.who}`, step.seen === "all" ? "all" : new Set(step.seen));
      case "wait":
        return clock.advance(step.ms);
      default: {
        const client = clients[step.who];
        if (client === undefined) return;
        if (step.do === "disconnect") client.disconnect();
        else if (step.do === "connect") {
          client.disconnect();
          client.connect();
        } else client.isBlocked = step.do === "block";
      }
    }
  };
  for (const step of steps) run(step);
  for (const client of clients) {
    client.isBlocked = false;
    if (client.connection === undefined) client.connect();
  }
  clock.advance(200);
  for (const [at, client] of clients.entries()) {
    const seen = roles.get(client.session);
    const { team } = filters[at] ?? {};
    const wanted = [...hub.logs.clusters.values()].filter(
      (each) => (seen === "all" || seen?.has(each.team ?? "")) && (team === undefined || each.team === team),
    );
    const expected = Object.fromEntries(
      wanted.map((each) => [each.key, (JSON.parse(each.text) as { object: unknown }).object]),
    );
    expect(Object.fromEntries(client.state.objects)).toEqual(expected);
  }
}

it("brings every client to the server's state despite drops, stalls and role changes", () => {
  const filter = fc.constantFrom<LiveFilter>({}, { team: "red" }, { team: "green" });
  fc.assert(
    fc.property(fc.array(aStep, { maxLength: 60, size: "max" }), fc.tuple(filter, filter, filter), (steps, filters) =>
      play(steps, filters),
    ),
    { numRuns: 500 },
  );
});

it("a delta contains no object that was not visible before", () => {
  const log = new ChannelLog();
  log.put(item("a", "green", 1));
  log.remove("a");
  log.put(item("b", "red", 1));
  log.put(item("b", "green", 2));
  const isRed = ({ team }: ItemFacts): boolean => team === "red";
  expect(log.deltaSince(0, isRed)).toEqual({ changed: [], removed: [] });
  expect(log.deltaSince(3, isRed)).toEqual({ changed: [], removed: ["b"] });
});
