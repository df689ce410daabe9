import {
  buildProvider,
  credentialFaults,
  foundRight,
  judgeProvider,
  ownedSecret,
  planCredentials,
  planProviderChange,
  type ProviderPlace,
  secretData,
  secretOf,
  storedAt,
} from "@butler/administration";
import { ProviderConfig } from "@butler/api";
import {
  createProvider,
  createTeamProvider,
  deleteProvider,
  deleteTeamProvider,
  type NewProvider,
  type ProviderChange,
  type ProviderTest,
  testProvider,
  testTeamProvider,
  updateProvider,
  updateTeamProvider,
  validateProvider,
} from "@butler/contract";
import { AlreadyExists } from "@butler/kube";
import { builtinKinds, type DynamicObject, isOwnedBy, keyOf, keyText, type ObjectKey } from "@butler/resource";
import { isRecord, ignoreNotFound, NotFound } from "@butler/std";
import { type Call, type Handler, handle } from "../http/handler.ts";
import { problemOf, RouteProblem } from "../http/problem.ts";
import { objectView } from "../views/object-view.ts";
import { teamIn } from "./teams.ts";
import type { HandlerContext } from "./handler-context.ts";
import { changeObject, createObject, replacement, tryObject } from "./writing.ts";

const { Secret } = builtinKinds;

type ProviderCall = Pick<Call<typeof deleteProvider>, "asPerson" | "signal" | "requestId">;

/** Timeout for rolling back a provider without its Secret; the request itself may have timed out by then. */
const longestUndoMs = 5_000;

/** Handlers that create, update, validate and delete providers of the platform and of teams. */
export function providerChangeHandlers(context: HandlerContext): Handler[] {
  return [...platformHandlers(context), ...teamHandlers(context)];
}

function platformHandlers(context: HandlerContext): Handler[] {
  return [
    handle(createProvider, (call) => {
      const objects = wanted(call.body, {});
      call.note({ ...keyOf(objects.config) });
      return make(context, call, objects);
    }),
    handle(testProvider, (call) => tried(call, call.body, {})),
    handle(updateProvider, (call) => change(context, call, { provider: find(context, call.params), body: call.body })),
    handle(deleteProvider, (call) => remove(call, find(context, call.params))),
    handle(validateProvider, async ({ params, asPerson, signal }) => {
      const provider = find(context, params);
      const place = storedAt(provider);
      const secret = place && (await asPerson.find(Secret, place, signal));
      return judgeProvider(provider, secret && keysOf(secret));
    }),
  ];
}

function teamHandlers(context: HandlerContext): Handler[] {
  const own = (call: Pick<Call<typeof deleteTeamProvider>, "subject" | "params" | "note">) => {
    const team = teamIn(call).metadata.name;
    call.note({ namespace: team, name: call.params.provider });
    // Only providers in the team's namespace belong to it; platform providers do not, even if the team can use them.
    return { team, provider: find(context, { namespace: team, name: call.params.provider }) };
  };
  return [
    handle(createTeamProvider, (call) => {
      const objects = wanted(call.body, { team: teamIn(call).metadata.name });
      call.note({ ...keyOf(objects.config) });
      return make(context, call, objects);
    }),
    handle(testTeamProvider, (call) => tried(call, call.body, { team: teamIn(call).metadata.name })),
    handle(updateTeamProvider, (call) => change(context, call, { ...own(call), body: call.body })),
    handle(deleteTeamProvider, (call) => remove(call, own(call).provider)),
  ];
}

function find({ state }: HandlerContext, { namespace, name }: ObjectKey): ProviderConfig {
  const provider = state.providers.get({ namespace, name });
  if (provider !== undefined) return provider;
  throw new RouteProblem("NOT_FOUND", `provider ${keyText({ namespace, name })} not found`);
}

function wanted(body: NewProvider, place: ProviderPlace) {
  refuse(credentialFaults(body.provider, body.credentials));
  return buildProvider(body, place);
}

function refuse(causes: ReturnType<typeof credentialFaults>): void {
  if (causes.length === 0) return;
  throw new RouteProblem("INVALID", causes.map(({ message }) => message).join("; "), { causes });
}

/**
 * Creates a provider with its Secret. The provider is created first, because it owns the Secret: if a step fails, no
 * orphaned credentials are left.
 */
async function make(
  { state }: HandlerContext,
  { asPerson, signal }: ProviderCall,
  { config, secret }: ReturnType<typeof buildProvider>,
) {
  const writing = { client: asPerson, state, signal };
  if (state.providers.get(keyOf(config)) !== undefined) {
    throw new RouteProblem("ALREADY_EXISTS", `provider ${keyText(keyOf(config))} already exists`);
  }
  if (secret === undefined) return objectView(await createObject(writing, ProviderConfig, config));
  await tryObject(writing, Secret, secret).catch((error: unknown) => {
    // A missing namespace is reported for the provider below.
    if (!(error instanceof NotFound)) refuseStrangeSecret(error, secret);
  });
  const made = await createObject(writing, ProviderConfig, config);
  try {
    await createObject(writing, Secret, ownedSecret(secret, made));
  } catch (error) {
    const undo = AbortSignal.timeout(longestUndoMs);
    // If the rollback fails too, the provider stays visible and can be deleted; report the first error.
    await asPerson.delete(ProviderConfig, keyOf(made), { uid: made.metadata.uid, signal: undo }).catch(() => undefined);
    return refuseStrangeSecret(error, secret);
  }
  return objectView(made);
}

/** An existing Secret of that name is not ours and is not overwritten. */
function refuseStrangeSecret(error: unknown, secret: DynamicObject): never {
  if (!(error instanceof AlreadyExists)) throw error;
  throw new RouteProblem("ALREADY_EXISTS", `Secret ${keyText(keyOf(secret))} already exists`, {
    hint: "Choose a different name, or delete the Secret if it is unused.",
  });
}

/** Problems of a dry run that are about the request itself. */
const judgements: ReadonlySet<string> = new Set(["REFUSED", "INVALID", "ALREADY_EXISTS", "NOT_FOUND"]);

/** Validates both objects with a server-side dry run. */
async function tried(call: ProviderCall, body: NewProvider, place: ProviderPlace): Promise<ProviderTest> {
  const [fault] = credentialFaults(body.provider, body.credentials);
  if (fault !== undefined) return { valid: false, category: "credentials", message: fault.message };
  const { config, secret } = buildProvider(body, place);
  const attempt = async (category: "settings" | "credentials", ask: () => Promise<unknown>) => {
    try {
      await ask();
      return undefined;
    } catch (error) {
      const { code, detail } = problemOf(error, call.requestId);
      if (!judgements.has(code)) throw error;
      return { valid: false, category, message: detail };
    }
  };
  const writing = { client: call.asPerson, signal: call.signal };
  const ofConfig = await attempt("settings", () => tryObject(writing, ProviderConfig, config));
  if (ofConfig !== undefined || secret === undefined) return ofConfig ?? foundRight;
  return (await attempt("credentials", () => tryObject(writing, Secret, secret))) ?? foundRight;
}

interface WantedChange extends ProviderPlace {
  readonly provider: ProviderConfig;
  readonly body: ProviderChange;
}

async function change(
  { state }: HandlerContext,
  { asPerson, signal }: ProviderCall,
  { provider, body, team }: WantedChange,
) {
  const { credentials, resourceVersion } = body;
  const key = keyOf(provider);
  const writing = { client: asPerson, state, signal };
  const patch = planProviderChange(provider, body, { team });
  if (credentials === undefined) {
    return objectView(await changeObject(writing, ProviderConfig, { key, patch, resourceVersion }));
  }
  refuse(credentialFaults(provider.spec.provider, credentials));
  const place = storedAt(provider);
  const secret = place && (await asPerson.find(Secret, place, signal));
  const plan = planCredentials(provider, secret);
  if (plan === "leave" && provider.spec.provider !== "local") {
    const where = place === undefined ? "its credentials Secret" : `Secret ${keyText(place)}`;
    throw new RouteProblem("CONFLICT", `cannot change the credentials: the provider does not own ${where}`, {
      hint: "Change the credentials in that Secret.",
    });
  }
  const changed = await changeObject(writing, ProviderConfig, { key, patch, resourceVersion });
  if (plan === "create") await createObject(writing, Secret, ownedSecret(secretOf(changed, credentials), changed));
  if (plan === "change" && secret !== undefined) {
    const data = replacement(secret["data"], secretData(credentials));
    await changeObject(writing, Secret, { key: keyOf(secret), patch: { data } });
  }
  return objectView(changed);
}

async function remove({ asPerson, signal }: ProviderCall, provider: ProviderConfig) {
  const key = keyOf(provider);
  const { uid } = provider.metadata;
  const place = storedAt(provider);
  const secret = place && (await asPerson.find(Secret, place, signal));
  await asPerson.delete(ProviderConfig, key, { uid, signal });
  const left = await asPerson.find(ProviderConfig, key, signal);
  // While finalizers hold the provider its credentials are needed; they are garbage-collected with it.
  const isGone = left?.metadata.uid !== uid;
  if (isGone && secret !== undefined && isOwnedBy(secret, provider)) {
    await asPerson.delete(Secret, keyOf(secret), { uid: secret.metadata.uid, signal }).catch(ignoreNotFound);
  }
  return { message: `${keyText(key)} is being deleted` };
}

/** The keys of a Secret that have content; the content stays where it is. */
function keysOf(secret: DynamicObject): string[] {
  const data = isRecord(secret["data"]) ? secret["data"] : {};
  return Object.keys(data).filter((key) => data[key] !== "");
}
