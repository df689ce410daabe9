import { describe, expect, it } from "vitest";
import type { ServiceStatus } from "../supervisor/service-status.ts";
import { type EngineFacts, findEngineProblems, judgeService, wantedPorts } from "./engine-problems.ts";

const service = (name: string, state: ServiceStatus["state"], message = ""): ServiceStatus => ({
  name,
  state,
  message,
  since: "2026-01-01T00:00:00Z",
  isAdopted: false,
  restarts: 0,
});

const bind = 'err="failed to listen on 0.0.0.0:6443: listen tcp 0.0.0.0:6443: bind: address already in use"';
const noPort = service("kube-apiserver", "Backoff", `exited with code 1 (3 times in a row); last log lines:\n${bind}`);
const noSpace = "exited with code 1; last log lines:\nwrite /x/db: no space left on device";

const facts = (overrides: Partial<EngineFacts> = {}): EngineFacts => ({
  name: "local",
  directory: "/var/lib/butler/local",
  freeDiskBytes: 2 ** 40,
  services: [],
  supervisorProblems: [],
  listeners: new Map(),
  ...overrides,
});

describe("findEngineProblems", () => {
  it("finds none in an engine that is healthy or starting", () => {
    const services = [service("etcd", "Ready"), service("kubelet", "Waiting"), service("kube-proxy", "Starting")];
    expect(findEngineProblems(facts({ services }))).toEqual([]);
  });

  it.each<[string, Partial<EngineFacts>, string, string]>([
    [
      "a full disk on which nothing could be logged",
      {
        freeDiskBytes: 5 * 2 ** 20,
        supervisorProblems: ["cannot write status.json"],
        services: [service("etcd", "Backoff", "exited with code 1; no log output")],
      },
      "the disk that holds /var/lib/butler/local is full: 5 MiB free",
      "Free disk space, then run: butleradm local up",
    ],
    [
      "a full disk by what a service says",
      { services: [service("etcd", "Backoff", noSpace)], name: "two" },
      "the disk that holds /var/lib/butler/local is full",
      "butleradm local up --name two",
    ],
    [
      "a port in use by a known process",
      { services: [noPort], listeners: new Map([[6443, { pid: 17, program: "nc" }]]) },
      "kube-apiserver cannot listen on port 6443 in the engine's network: the port is in use by process 17 (nc)",
      "Stop it (kill 17), then run: butleradm local up",
    ],
    ["a port in use by an unknown process", { services: [noPort] }, "in use by another process", "Stop that process"],
    [
      "a program that the kernel cannot execute",
      {
        services: [service("etcd", "Backoff", "exited with code 126; nsenter: failed to execute: Exec format error")],
      },
      "the etcd binary is damaged",
      "butleradm local up --verify",
    ],
    [
      "a program that was run as a script",
      { services: [service("etcd", "Backoff", 'exited with code 2;  /x/bin/etcd: 1: Syntax error: ")" unexpected')] },
      "the etcd binary is damaged",
      "butleradm local up --verify",
    ],
    [
      "a program that crashes at once",
      { services: [service("kubelet", "Backoff", "terminated by signal SIGSEGV; no log output")] },
      "the kubelet binary is damaged",
      "butleradm local up --verify",
    ],
    [
      "anything else",
      { services: [service("kubelet", "Failed", "cannot start: no room\nmore")] },
      "kubelet cannot start: no room",
      "butleradm local logs kubelet",
    ],
    ["the supervisor itself", { supervisorProblems: ["no guardian"] }, "no guardian", "butleradm local down"],
  ])("reports %s", (_what, difference, what, remedy) => {
    const problems = findEngineProblems(facts(difference));
    expect(problems).toHaveLength(1);
    expect(problems[0]?.what).toContain(what);
    expect(problems[0]?.remedy).toContain(remedy);
  });
});

describe("judgeService", () => {
  it.each<[string, ServiceStatus, string]>([
    ["a port in use, thrice", noPort, "lost"],
    ["a port in use, once", service("x", "Backoff", bind), "well"],
    ["an unknown reason", service("x", "Backoff", "exited with code 1 (9 times in a row); no leader"), "doubtful"],
    ["a service that runs again", { ...noPort, state: "Starting" }, "well"],
  ])("judges %s", (_what, status, expected) => {
    expect(judgeService(status)).toBe(expected);
  });
});

describe("wantedPorts", () => {
  it("reads them from service messages, without duplicates", () => {
    const kubelet = service("kubelet", "Backoff", "listen tcp 10.200.254.2:10250: bind: address already in use");
    expect(wantedPorts([noPort, kubelet, noPort, service("etcd", "Ready")])).toEqual([6443, 10250]);
  });
});
