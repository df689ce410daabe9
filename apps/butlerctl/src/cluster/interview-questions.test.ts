import { annotations, TenantCluster } from "@butler/api";
import { parseObject } from "@butler/resource";
import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { buildCluster } from "./build-cluster.ts";
import {
  equivalentCommand,
  optionsOf,
  type Question,
  questionText,
  readAnswer,
  sizeQuestions,
  standardsOf,
} from "./interview-questions.ts";

const standard = { value: "v1.36.3", from: "team" };

describe("questions about a new cluster", () => {
  it.each<[Question, string]>([
    [{ key: "name", title: "Name", isRequired: true }, "Name: "],
    [{ key: "provider", title: "Provider" }, "Provider [default]: "],
    [{ key: "kubernetesVersion", title: "Version", standard }, "Version [v1.36.3, team default]: "],
    [{ key: "team", title: "Team", standard: { value: "a", from: "the only one" } }, "Team [a, the only one]: "],
    [{ key: "environment", title: "Env", choices: ["dev", "prod"], isRequired: true }, "Env (dev, prod): "],
  ])("%#", (question, text) => expect(questionText(question)).toBe(text));

  it.each<[string, Question, string, object]>([
    ["nothing is the default", { key: "name", title: "", standard, isRequired: true }, " ", { value: undefined }],
    ["nothing is open", { key: "name", title: "" }, "", { value: undefined }],
    ["nothing is no answer", { key: "name", title: "", isRequired: true }, "", { fault: expect.any(String) as string }],
    ["a choice", { key: "name", title: "", choices: ["a"] }, "a ", { value: "a" }],
    ["no choice", { key: "name", title: "", choices: ["a"] }, "b", { fault: "Must be one of: a." }],
    ["a fault", { key: "name", title: "", faultOf: () => "No." }, "b", { fault: "No." }],
  ])("%s", (_what, question, answer, reading) => expect(readAnswer(question, answer)).toEqual(reading));

  it.each([
    ["workers", "0", false],
    ["workers", "3", true],
    ["cpu", "four", false],
    ["memory", "8Gi", true],
    ["memory", "8", false],
    ["disk", "50GB", false],
    ["kubernetesVersion", "1.36.3", true],
    ["kubernetesVersion", "v1.20.0", false],
    ["kubernetesVersion", "newest", false],
    ["provider", "anything", true],
  ])("%s takes %s: %s", (key, answer, isTaken) => {
    const question = sizeQuestions({}, []).find((each) => each.key === key);
    expect(question && "value" in readAnswer(question, answer)).toBe(isTaken);
  });

  it("show the defaults of admission and their source", () => {
    const origins = { "spec.workers.replicas": { value: 5, from: "environment" } };
    const cluster = parseObject(TenantCluster, {
      apiVersion: TenantCluster.apiVersion,
      kind: "TenantCluster",
      metadata: { name: "a", annotations: { [annotations.valueOrigins]: JSON.stringify(origins) } },
      spec: {},
    });
    expect(standardsOf(cluster)).toMatchObject({
      "spec.workers.replicas": { value: "5", from: "environment" },
      "spec.workers.machineTemplate.cpu": { value: "4", from: "platform" },
    });
    expect(standardsOf(undefined)["spec.workers.replicas"]).toEqual({ value: "3", from: "platform" });
  });

  it("end with the equivalent command line", () => {
    const answers = { name: "blue", team: "it's", workers: "2", kubernetesVersion: "1.36.3", memory: "4Gi" };
    const command = equivalentCommand(answers, ["--context", "a b"]);
    expect(command).toBe(
      "butlerctl --context 'a b' cluster create blue --team 'it'\\''s' --kubernetes-version 1.36.3 --workers 2 --memory 4Gi",
    );
    const words = execFileSync("sh", ["-c", `printf '%s\\n' ${command}`], { encoding: "utf8" })
      .trim()
      .split("\n");
    expect(words).toContain("it's");
    expect(buildCluster({ ...optionsOf(answers), namespace: "n" })).toMatchObject({
      metadata: { name: "blue", namespace: "n" },
      spec: {
        kubernetesVersion: "v1.36.3",
        workers: { replicas: 2, machineTemplate: { memory: "4Gi" } },
        teamRef: { name: "it's" },
      },
    });
  });
});
