import { ProviderConfig, namespaces, TenantCluster } from "@butler/api";
import type { Terminal } from "@butler/cli-kit";
import { readList, type Session } from "@butler/cli-session";
import { AlreadyExists } from "@butler/kube";
import { ButlerError, Forbidden, NotFound } from "@butler/std";
import { readTeam, readTeams } from "../team/team-source.ts";
import { optionalName } from "./arguments.ts";
import { buildCluster } from "./build-cluster.ts";
import {
  type Answers,
  type Question,
  questionText,
  readAnswer,
  sizeQuestions,
  standardsOf,
} from "./interview-questions.ts";
import { refusalReasons } from "@butler/changes";

/** Asks the user about a new cluster. Values they skip stay unset. */
export async function interview(terminal: Terminal, session: Session): Promise<Answers> {
  terminal.say("Creating a cluster. Press Enter to accept the value in brackets, or Ctrl-C to cancel.");
  const team = await askTeam(terminal, session);
  const environment = await askEnvironment(terminal, session, team);
  const { name, decided } = await askName(terminal, session, { team, environment });
  const providers = await readProviders(session, team);
  const answers: Answers = { name, ...given({ team, environment }) };
  for (const question of sizeQuestions(standardsOf(decided), providers)) {
    const value = await ask(terminal, question);
    if (value !== undefined) answers[question.key] = value;
  }
  return answers;
}

/** Repeats a question until the answer is valid. */
async function ask(terminal: Terminal, question: Question): Promise<string | undefined> {
  for (;;) {
    const reading = readAnswer(question, await terminal.ask(questionText(question)));
    if ("value" in reading) return reading.value;
    terminal.say(reading.fault);
  }
}

async function askTeam(terminal: Terminal, session: Session): Promise<string | undefined> {
  const known = await ifAllowed(() => readTeams(session));
  const names = known?.map(({ name }) => name) ?? [];
  const [only, ...others] = names;
  const { contextNamespace } = session;
  const ofContext = contextNamespace !== undefined && (known === undefined || names.includes(contextNamespace));
  const standard = ofContext
    ? { value: contextNamespace, from: "current context" }
    : only !== undefined && others.length === 0
      ? { value: only, from: "only choice" }
      : undefined;
  const choices = names.length > 1 ? names : undefined;
  const isRequired = standard === undefined && names.length > 0;
  return (await ask(terminal, { key: "team", title: "Team", choices, standard, isRequired })) ?? standard?.value;
}

async function askEnvironment(
  terminal: Terminal,
  session: Session,
  team: string | undefined,
): Promise<string | undefined> {
  const found = team === undefined ? undefined : await ifAllowed(() => readTeam(session, team));
  const choices = found?.environments.map(({ name }) => name) ?? [];
  if (found !== undefined && choices.length === 0) return undefined;
  const [only, ...others] = choices;
  const standard = only !== undefined && others.length === 0 ? { value: only, from: "only choice" } : undefined;
  const isRequired = choices.length > 0;
  const question: Question = { key: "environment", title: "Environment", choices, standard, isRequired };
  return (await ask(terminal, question)) ?? standard?.value;
}

interface Named {
  readonly name: string;
  /** The cluster as it would be stored, with all defaults; undefined when the dry run failed. */
  readonly decided: TenantCluster | undefined;
}

/** A name is valid when the API server accepts it in a dry run. */
async function askName(
  terminal: Terminal,
  session: Session,
  place: { readonly team: string | undefined; readonly environment: string | undefined },
): Promise<Named> {
  for (;;) {
    const name = (await ask(terminal, { key: "name", title: "Name", isRequired: true, faultOf: nameFault })) ?? "";
    const namespace = place.team ?? session.contextNamespace ?? namespaces.tenants;
    const wanted = buildCluster({ name, namespace, ...given(place) });
    try {
      const options = { dryRun: true, fieldManager: "butlerctl", signal: session.signal } as const;
      return { name, decided: await session.client.create(TenantCluster, wanted, options) };
    } catch (error) {
      if (error instanceof AlreadyExists) {
        terminal.say(`Cluster ${namespace}/${name} already exists.`);
        continue;
      }
      for (const reason of reasonsOf(error)) terminal.say(`This cluster would be denied: ${reason}`);
      return { name, decided: undefined };
    }
  }
}

function nameFault(text: string): string | undefined {
  try {
    optionalName(text, {});
    return /^[a-z]/.test(text) ? undefined : "A name must start with a letter.";
  } catch (error) {
    return error instanceof ButlerError ? (error.hint ?? error.message) : "Invalid name.";
  }
}

function reasonsOf(error: unknown): readonly string[] {
  if (error instanceof NotFound) return ["namespace not found"];
  const reasons = refusalReasons(error);
  if (reasons === undefined) throw error;
  return reasons;
}

/** The providers that the user can see. */
async function readProviders(session: Session, team: string | undefined): Promise<string[]> {
  const lists = await Promise.all(
    [namespaces.system, ...(team === undefined ? [] : [team])].map((namespace) =>
      ifAllowed(() => readList(session, ProviderConfig, { namespace })),
    ),
  );
  const names = lists.flatMap((list) => list ?? []).map(({ metadata }) => metadata.name);
  return [...new Set(names)].sort();
}

async function ifAllowed<T>(read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (error instanceof Forbidden || error instanceof NotFound) return undefined;
    throw error;
  }
}

function given<T extends object>(parts: T): { [key in keyof T]?: NonNullable<T[key]> } {
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined)) as {
    [key in keyof T]?: NonNullable<T[key]>;
  };
}
