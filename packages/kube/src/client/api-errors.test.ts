import { Conflict, Forbidden, InvalidInput, NotFound, Timeout, Unauthenticated, Unavailable } from "@butler/std";
import { describe, expect, it } from "vitest";
import { AlreadyExists, errorFromResponse, Gone, parseRetryAfterMs, Throttled } from "./api-errors.ts";

const action = "get configmaps payments/blue";

function errorOf(status: number, body = "", retryAfter?: string) {
  return errorFromResponse({ status, body, retryAfter, action });
}

describe("errorFromResponse", () => {
  it.each([
    [400, InvalidInput, "INVALID_INPUT", false],
    [401, Unauthenticated, "UNAUTHENTICATED", true],
    [403, Forbidden, "FORBIDDEN", true],
    [404, NotFound, "NOT_FOUND", false],
    [405, InvalidInput, "INVALID_INPUT", false],
    [408, Timeout, "TIMEOUT", true],
    [409, Conflict, "CONFLICT", true],
    [410, Gone, "GONE", true],
    [413, InvalidInput, "INVALID_INPUT", false],
    [415, InvalidInput, "INVALID_INPUT", false],
    [422, InvalidInput, "INVALID_INPUT", false],
    [429, Throttled, "THROTTLED", true],
    [500, Unavailable, "UNAVAILABLE", true],
    [502, Unavailable, "UNAVAILABLE", true],
    [503, Unavailable, "UNAVAILABLE", true],
    [504, Timeout, "TIMEOUT", true],
  ])("maps HTTP %d to the right class", (status, expected, code, isRetryable) => {
    const error = errorOf(status);
    expect(error).toBeInstanceOf(expected);
    expect(error).toMatchObject({ code, isRetryable, details: { status }, message: `${action}: HTTP ${status}` });
  });

  it("recognizes a server that is shutting down, and its Retry-After", () => {
    const error = errorOf(503, '{"kind":"Status","message":"apiserver is shutting down"}', "1");
    expect(error).toBeInstanceOf(Throttled);
    expect(error).toMatchObject({ isRetryable: true, retryAfterMs: 1_000, details: { status: 503 } });
  });

  it("distinguishes an existing object from a conflict", () => {
    const exists = errorOf(
      409,
      '{"kind":"Status","reason":"AlreadyExists","message":"configmaps \\"blue\\" already exists"}',
    );
    expect(exists).toBeInstanceOf(AlreadyExists);
    expect(exists).toBeInstanceOf(Conflict);
    expect(exists).toMatchObject({ code: "ALREADY_EXISTS", httpStatus: 409, details: { reason: "AlreadyExists" } });
    expect(exists.message).toBe(`${action}: configmaps "blue" already exists`);
    expect(errorOf(409, '{"reason":"Conflict"}')).not.toBeInstanceOf(AlreadyExists);
  });

  it.each<[string, string, string]>([
    ["a Status", '{"kind":"Status","message":"not found","reason":"NotFound"}', "not found"],
    ["plain text", " upstream is down\n", "upstream is down"],
    ["JSON that is no object", '"just text"', '"just text"'],
    ["a Status without a message", '{"kind":"Status"}', "HTTP 404"],
    ["a message that is not text", '{"message":{}}', "HTTP 404"],
    ["nothing", "", "HTTP 404"],
    ["half a Status", '{"message":"no su', '{"message":"no su'],
  ])("takes its message from %s", (_what, body, message) => {
    expect(errorOf(404, body).message).toBe(`${action}: ${message}`);
  });

  it("does not repeat a whole HTML page of a proxy", () => {
    expect(errorOf(502, "x".repeat(10_000)).message.length).toBeLessThan(600);
  });

  it("reports when to retry", () => {
    expect(errorOf(429, "", "7")).toMatchObject({ retryAfterMs: 7_000, httpStatus: 429 });
    expect(errorOf(429)).toMatchObject({ retryAfterMs: 1_000 });
  });
});

describe("parseRetryAfterMs", () => {
  const now = Date.parse("2026-01-01T00:00:00Z");

  it.each<[string | undefined, number]>([
    [undefined, 1_000],
    ["0", 0],
    ["5", 5_000],
    ["-5", 0],
    ["Thu, 01 Jan 2026 00:00:30 GMT", 30_000],
    ["Wed, 31 Dec 2025 23:59:00 GMT", 0],
    ["soon", 1_000],
    ["", 1_000],
    ["Infinity", 1_000],
  ])("reads %j", (header, expected) => {
    expect(parseRetryAfterMs(header, now)).toBe(expected);
  });
});
