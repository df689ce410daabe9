import { EventEmitter } from "node:events";
import { beforeEach, describe, expect, it } from "vitest";
import { ForwardedSignals } from "./forwarded-signals.ts";

let source: EventEmitter;
let got: NodeJS.Signals[];
const target = { kill: (signal: NodeJS.Signals) => got.push(signal) };

beforeEach(() => {
  source = new EventEmitter();
  got = [];
});

describe("ForwardedSignals", () => {
  it("queues signals until the program has started, and forwards the rest", () => {
    const signals = new ForwardedSignals(source, { isTerminal: false });
    source.emit("SIGTERM");
    expect(got).toEqual([]);
    signals.passTo(target);
    expect(got).toEqual(["SIGTERM"]);
    source.emit("SIGINT");
    expect(got).toEqual(["SIGTERM", "SIGINT"]);
  });

  it("does not forward signals that the terminal sends to the program itself", () => {
    const signals = new ForwardedSignals(source, { isTerminal: true });
    source.emit("SIGINT");
    signals.passTo(target);
    for (const signal of ["SIGINT", "SIGQUIT", "SIGHUP"]) source.emit(signal);
    expect(got).toEqual(["SIGINT", "SIGHUP"]);
  });

  it("removes its handlers", () => {
    const signals = new ForwardedSignals(source, { isTerminal: false });
    signals.stop();
    expect(source.eventNames()).toEqual([]);
  });
});
