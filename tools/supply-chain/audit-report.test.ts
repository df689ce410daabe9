import { describe, expect, it } from "vitest";
import { type AuditVerdict, judgeAudit } from "./audit-report.ts";

const advisory = { title: "Prototype pollution", url: "https://example.com/1", severity: "high" };
const report = (vulnerabilities: object): string => JSON.stringify({ auditReportVersion: 2, vulnerabilities });

describe("the report of npm audit", () => {
  it.each<[string, string, AuditVerdict]>([
    ["nothing found", report({}), { type: "clean" }],
    ["only moderate advisories", report({ a: { severity: "moderate", via: [advisory] } }), { type: "clean" }],
    [
      "a severe one, and what it affects",
      report({ a: { severity: "high", via: [advisory] }, b: { severity: "critical", via: ["a"] } }),
      { type: "vulnerable", found: ["a: high; Prototype pollution https://example.com/1", "b: critical"] },
    ],
    [
      "a registry without advisories",
      JSON.stringify({ message: "405 Method Not Allowed", error: {} }),
      { type: "unavailable", why: "405 Method Not Allowed" },
    ],
    ["no output", "", { type: "unavailable", why: "npm printed no report" }],
    ["text", "npm error network", { type: "unavailable", why: "npm printed no report" }],
    ["a list", "[]", { type: "unavailable", why: "npm printed no report" }],
  ])("%s", (_title, output, expected) => {
    expect(judgeAudit(output)).toEqual(expected);
  });
});
