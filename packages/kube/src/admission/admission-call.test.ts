import { builtinKinds, type DynamicObject } from "@butler/resource";
import { InvalidInput, isRecord, systemClock, Unavailable } from "@butler/std";
import { FakeClock } from "@butler/testkit";
import fc from "fast-check";
import jsonPatch from "fast-json-patch";
import { describe, expect, it } from "vitest";
import {
  type AdmissionCall,
  admissionHandlersByPath,
  admissionLimitMs,
  answerAdmissionCall,
} from "./admission-call.ts";
import type { AdmissionHandler, AdmissionResponse } from "./admission-review.ts";

const kind = builtinKinds.ConfigMap;
const configMap = (data: Record<string, string>): DynamicObject => ({
  apiVersion: "v1",
  kind: "ConfigMap",
  metadata: { name: "settings", namespace: "default" },
  data,
});

function review(change: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    apiVersion: "admission.k8s.io/v1",
    kind: "AdmissionReview",
    request: {
      uid: "0000-1111",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      resource: { group: "", version: "v1", resource: "configmaps" },
      name: "settings",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "ada", groups: ["engineers", 7] },
      object: configMap({ size: "3" }),
      oldObject: null,
      ...change,
    },
  };
}

interface Asked {
  readonly handler?: Partial<AdmissionHandler>;
  readonly body?: unknown;
  readonly call?: Partial<AdmissionCall>;
}

async function ask({ handler = {}, body = review(), call = {} }: Asked = {}) {
  const handlers = admissionHandlersByPath([{ path: "/check", kind, ...handler }]);
  const answer = await answerAdmissionCall(
    {
      method: "POST",
      url: "/check?timeout=10s",
      contentType: "application/json",
      body: Buffer.from(typeof body === "string" ? body : JSON.stringify(body)),
      ...call,
    },
    { handlers, clock: systemClock, limitMs: 5_000 },
  );
  const parsed =
    answer.contentType === "application/json"
      ? (JSON.parse(answer.body) as { response: AdmissionResponse })
      : undefined;
  return { ...answer, response: parsed?.response };
}

const patchOf = (response: AdmissionResponse | undefined): jsonPatch.Operation[] =>
  JSON.parse(Buffer.from(response?.patch ?? "W10=", "base64").toString()) as jsonPatch.Operation[];

describe("answerAdmissionCall", () => {
  it("allows a valid object, and echoes the UID", async () => {
    const { response, httpStatus, result } = await ask({ handler: { validate: () => [] } });
    expect(response).toEqual({ uid: "0000-1111", allowed: true });
    expect({ httpStatus, result }).toEqual({ httpStatus: 200, result: "allowed" });
  });

  it("denies with every reason, each with its field", async () => {
    const { response, result } = await ask({
      handler: {
        validate: async () => [
          { path: "data.size", message: "must be at most 2", code: "TOO_LARGE" },
          { path: "data.color", message: "is missing" },
          { path: "", message: "the team is out of quota" },
        ],
        warn: () => ["size will be read as a number from v2 on"],
      },
    });
    expect(result).toBe("denied");
    expect(response).toEqual({
      uid: "0000-1111",
      allowed: false,
      status: {
        code: 422,
        reason: "Invalid",
        message: "data.size: must be at most 2; data.color: is missing; the team is out of quota",
        details: {
          causes: [
            { field: "data.size", message: "must be at most 2", reason: "TOO_LARGE" },
            { field: "data.color", message: "is missing", reason: "FieldValueInvalid" },
            { field: "", message: "the team is out of quota", reason: "FieldValueInvalid" },
          ],
        },
      },
      warnings: ["size will be read as a number from v2 on"],
    });
  });

  it("sends the patch of mutate, and validates the mutated object", async () => {
    const { response } = await ask({
      handler: {
        mutate: ({ object }) => ({ ...object, data: { size: "3", "a/b~c": "new", gone: undefined } }),
        validate: ({ object }) =>
          isRecord(object?.["data"]) && "a/b~c" in object["data"] ? [] : [{ path: "data", message: "no" }],
        warn: () => ["careful"],
      },
    });
    expect(response).toMatchObject({ allowed: true, patchType: "JSONPatch", warnings: ["careful"] });
    expect(patchOf(response)).toEqual([{ op: "add", path: "/data/a~1b~0c", value: "new" }]);
  });

  it("sends no patch when nothing differs, and does not call mutate without an object", async () => {
    const same = await ask({ handler: { mutate: ({ object }) => structuredClone(object) ?? {} } });
    expect(same.response).toEqual({ uid: "0000-1111", allowed: true });
    const fails: Partial<AdmissionHandler> = { mutate: () => Promise.reject(new Error("asked")) };
    const body = review({ operation: "DELETE", object: null, oldObject: configMap({}) });
    expect((await ask({ handler: fails, body })).response).toEqual({ uid: "0000-1111", allowed: true });
  });

  it("passes the request to handlers as plain, frozen data", async () => {
    let seen: unknown;
    await ask({
      handler: {
        validate: (request) => {
          seen = request;
          return [];
        },
      },
    });
    expect(seen).toEqual({
      uid: "0000-1111",
      kind: { group: "", version: "v1", kind: "ConfigMap" },
      subResource: undefined,
      name: "settings",
      namespace: "default",
      operation: "CREATE",
      userInfo: { username: "ada", uid: "", groups: ["engineers"] },
      object: configMap({ size: "3" }),
      oldObject: undefined,
      dryRun: false,
    });
    const careless = await ask({
      handler: {
        mutate: ({ object }) => {
          if (object !== undefined) object["data"] = {};
          return object ?? {};
        },
      },
    });
    expect(careless.response?.allowed).toBe(false);
  });

  it.each([
    ["throws", () => Promise.reject(new Error("password=hunter2")), 500, ""],
    [
      "throws synchronously",
      () => {
        throw new TypeError("x is undefined");
      },
      500,
      "",
    ],
    ["cannot reach something", () => Promise.reject(new Unavailable("db at 10.0.0.7")), 500, " (UNAVAILABLE)"],
  ])("fails closed and leaks nothing when a handler %s", async (_name, validate, code, detail) => {
    const { response, result, failure, httpStatus } = await ask({ handler: { validate } });
    expect({ result, httpStatus }).toEqual({ result: "failed", httpStatus: 200 });
    expect(failure).toBeInstanceOf(Error);
    const message = `the admission check /check failed${detail}, so the request is denied; see the log for the cause`;
    expect(response).toEqual({ uid: "0000-1111", allowed: false, status: { code, reason: "InternalError", message } });
  });

  it("denies when a handler times out, whether or not it observes its signal", async () => {
    const clock = new FakeClock();
    const asked = Promise.withResolvers<AbortSignal>();
    const validate: AdmissionHandler["validate"] = (_request, signal) => {
      asked.resolve(signal);
      return new Promise(() => undefined);
    };
    const handlers = admissionHandlersByPath([{ path: "/check", kind, validate }]);
    const body = Buffer.from(JSON.stringify(review()));
    const call = { method: "POST", url: "/check", contentType: "application/json", body };
    const answer = answerAdmissionCall(call, { handlers, clock, limitMs: 8_000 });
    const signal = await asked.promise;
    clock.advance(8_000);
    expect(await answer).toMatchObject({ result: "timeout", httpStatus: 200 });
    expect(JSON.parse((await answer).body)).toMatchObject({ response: { allowed: false, status: { code: 504 } } });
    expect(signal.aborted).toBe(true);
    expect(clock.pending).toBe(0);
  });

  it("denies a kind that the path does not handle", async () => {
    const body = review({ kind: { group: "apps", version: "v1", kind: "Deployment" } });
    const { response } = await ask({ body });
    expect(response).toMatchObject({
      allowed: false,
      status: { code: 400, message: "/check handles configmaps, not Deployment of apps/v1" },
    });
  });

  it.each<[string, Asked, number]>([
    ["an unknown path", { call: { url: "/other" } }, 404],
    ["another method", { call: { method: "GET" } }, 405],
    ["another content type", { call: { contentType: "text/plain" } }, 415],
    ["no content type", { call: { contentType: undefined } }, 415],
    ["text that is not JSON", { body: "{" }, 400],
    ["bytes that are not UTF-8", { call: { body: Buffer.from([0x22, 0xff, 0x22]) } }, 400],
    ["other JSON", { body: [] }, 400],
    ["another version", { body: { ...review(), apiVersion: "admission.k8s.io/v1beta1" } }, 400],
    ["a review without a request", { body: { ...review(), request: undefined } }, 400],
    ["a request without a uid", { body: review({ uid: undefined }) }, 400],
    ["an unknown operation", { body: review({ operation: "EAT" }) }, 400],
    ["an object that is not an object", { body: review({ object: "x" }) }, 400],
    ["an object without metadata", { body: review({ object: {} }) }, 400],
  ])("answers %s without a verdict", async (_name, asked, httpStatus) => {
    expect(await ask(asked)).toMatchObject({ httpStatus, contentType: "text/plain", result: "malformed" });
  });

  it("accepts a content type with parameters", async () => {
    expect(await ask({ call: { contentType: "Application/JSON; charset=utf-8" } })).toMatchObject({ httpStatus: 200 });
  });

  it("sends patches that turn any object into any other", async () => {
    const key = fc.string({ minLength: 1, maxLength: 4 }).filter((text) => text !== "__proto__");
    const data = fc.dictionary(key, fc.jsonValue({ maxDepth: 3 }), { noNullPrototype: true });
    await fc.assert(
      fc.asyncProperty(data, data, async (before, after) => {
        const object = { ...configMap({}), data: before };
        const { response } = await ask({
          handler: { mutate: () => ({ ...object, data: after }) },
          body: review({ object }),
        });
        const submitted = JSON.parse(JSON.stringify(object)) as DynamicObject;
        const patched = jsonPatch.applyPatch(submitted, patchOf(response)).newDocument;
        expect(patched["data"]).toEqual(JSON.parse(JSON.stringify(after)));
      }),
      { numRuns: 300 },
    );
  });
});

describe("admissionHandlersByPath", () => {
  it("refuses two handlers for one path", () => {
    const handler = { path: "/a", kind };
    expect(() => admissionHandlersByPath([handler, handler])).toThrow(InvalidInput);
  });
});

describe("admissionLimitMs", () => {
  it.each([
    ["/x", 8_000],
    ["/x?timeout=10s", 8_000],
    ["/x?timeout=30s", 8_000],
    ["/x?timeout=5s", 4_000],
    ["/x?timeout=soon", 8_000],
  ])("allows %s %d ms", (url, limitMs) => {
    expect(admissionLimitMs(url, 8_000)).toBe(limitMs);
  });
});
