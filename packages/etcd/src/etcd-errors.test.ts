import { status } from "@grpc/grpc-js";
import { Conflict, Forbidden, InvalidInput, NotFound, Unauthenticated, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { errorFromCall, hasReason, mayAnotherMemberAnswer } from "./etcd-errors.ts";

const context = { action: "Auth/UserGet", endpoint: "etcd-0:2379", callLimitMs: 5_000 };
const errorOf = (code: keyof typeof status, details: string) => errorFromCall({ code: status[code], details }, context);

describe("a failed call", () => {
  it.each([
    ["FAILED_PRECONDITION", "etcdserver: user name not found", NotFound, "UserNotFound"],
    ["FAILED_PRECONDITION", "etcdserver: role name not found", NotFound, "RoleNotFound"],
    ["FAILED_PRECONDITION", "etcdserver: user name already exists", Conflict, "UserExists"],
    ["PERMISSION_DENIED", "etcdserver: permission denied", Forbidden, "PermissionDenied"],
    ["INVALID_ARGUMENT", "etcdserver: user name is empty", Unauthenticated, "NoUser"],
    ["RESOURCE_EXHAUSTED", "etcdserver: mvcc: database space exceeded", Unavailable, "NoSpace"],
    ["DATA_LOSS", "etcdserver: corrupt cluster", Unavailable, "Corrupt"],
    ["DEADLINE_EXCEEDED", "Deadline exceeded after 5.001s", Unavailable, "Timeout"],
    ["UNAVAILABLE", "etcdserver: no leader", Unavailable, "Unreachable"],
    ["INVALID_ARGUMENT", "etcdserver: key is not provided", InvalidInput, "Unexpected"],
    ["UNKNOWN", "anything", Unavailable, "Unexpected"],
  ] as const)("%s with %s", (code, details, expected, reason) => {
    const error = errorOf(code, details);
    expect(error).toBeInstanceOf(expected);
    expect(hasReason(error, reason)).toBe(true);
  });

  it.each([
    ["NOT_FOUND", "etcdserver: user name not found"],
    ["NOT_FOUND", ""],
    ["UNIMPLEMENTED", "Received HTTP status code 404"],
    ["FAILED_PRECONDITION", "user name not found"],
    ["FAILED_PRECONDITION", "etcdserver: user name not found in the cache"],
    ["FAILED_PRECONDITION", "etcdserver: not leader"],
    ["UNAVAILABLE", "etcdserver: user name not found"],
    ["CANCELLED", "Call cancelled"],
  ] as const)("%s with %j does not count as not found", (code, details) => {
    const error = errorOf(code, details);
    expect(error).not.toBeInstanceOf(NotFound);
    expect(hasReason(error, "UserNotFound", "RoleNotFound")).toBe(false);
  });

  it("of a full store reports NOSPACE and the remedy", () => {
    const error = errorOf("RESOURCE_EXHAUSTED", "etcdserver: mvcc: database space exceeded");
    expect(error.message).toContain("NOSPACE");
    expect(error.hint).toMatch(/defragment/);
    expect(mayAnotherMemberAnswer(error)).toBe(false);
  });

  it.each([
    [
      "No connection established. Last error: Error: connect ECONNREFUSED 127.0.0.1:1. Resolution note: ",
      /members are running/,
    ],
    ["No connection established. Last error: Error: unable to verify the first certificate", /certificate/],
    ["No connection established. Last error: 70:error:0A000412:SSL routines:alert bad certificate", /certificate/],
  ])("hints at the cause: %s", (details, hint) => {
    const error = errorOf("UNAVAILABLE", details);
    expect(error.hint).toMatch(hint);
    expect(error.message).not.toMatch(/Last error|Resolution/);
  });

  it("has a stable message", () => {
    const late = [1.7, 5.001].map((seconds) => errorOf("DEADLINE_EXCEEDED", `Deadline exceeded after ${seconds}s`));
    expect(new Set(late.map(({ message }) => message)).size).toBe(1);
    const broken = ["40A7B2C5D97F0000", "40F79A6B6C7F0000"].map((thread) =>
      errorOf("UNAVAILABLE", `No connection established. Last error: Error: ${thread}:error:0A000416:SSL routines`),
    );
    expect(new Set(broken.map(({ message }) => message)).size).toBe(1);
  });
});

describe("a reason", () => {
  it("is read from our own errors only", () => {
    expect(hasReason(new Error("UserNotFound"), "UserNotFound")).toBe(false);
    expect(hasReason(undefined, "UserNotFound")).toBe(false);
    expect(hasReason(new NotFound("x"), "UserNotFound")).toBe(false);
  });
});
