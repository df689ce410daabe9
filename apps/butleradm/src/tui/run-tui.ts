import { type Terminal, wantsColour } from "@butler/cli-kit";
import { type Session, type SessionOptions, withSession } from "@butler/cli-session";
import { loadKubeConfig } from "@butler/kube";
import { parseKeyText } from "@butler/resource";
import { followCluster } from "./live-data.ts";
import { type Effect, initialState, type TuiState } from "./model/state.ts";
import { perform } from "./perform.ts";
import { showScreen } from "./show-screen.ts";
import { Store } from "./store.ts";
import type { TenantCluster } from "@butler/api";
import { describeError } from "@butler/std";
import { type FactsSource, readFacts, why } from "@butler/diagnosis";
import type { Explanation } from "./tabs/tab.ts";

/** Shows the dashboard of a management cluster until the user quits. */
export async function runTui(terminal: Terminal, options: SessionOptions): Promise<void> {
  await withSession(terminal, options, async (session) => {
    const context = options.context ?? loadKubeConfig(options.kubeconfig).getCurrentContext();
    const stopping = new AbortController();
    const signal = AbortSignal.any([session.signal, stopping.signal]);
    const store = openStore({ session: { ...session, signal }, terminal, context, quit: () => stopping.abort() });
    const { client, transport } = session;
    const following = followCluster(
      {
        client,
        transport,
        clock: terminal.clock,
        onChange: (snapshot, connection) => store.dispatch({ type: "data", snapshot, connection }),
      },
      signal,
    );
    try {
      await showScreen({ store, signal, hasColours: wantsColour(true, terminal.environment) });
    } finally {
      stopping.abort();
      await following;
    }
    session.signal.throwIfAborted();
  });
}

interface StoreOptions {
  readonly session: Session;
  readonly terminal: Terminal;
  readonly context: string;
  readonly quit: () => void;
}

function openStore({ session, terminal, context, quit }: StoreOptions): Store {
  const { stdout } = process;
  const { clock } = terminal;
  const asked = new Set<string>();
  const act = (effect: Effect, state: TuiState): void => {
    if (effect.type === "quit") quit();
    else if (effect.type === "explain") void tellWhy(effect.key, state);
    else void change(effect);
  };
  const store = new Store(
    initialState({ size: { columns: stdout.columns, rows: stdout.rows }, nowMs: clock.now().getTime(), context }),
    act,
  );
  return store;

  async function change(effect: Extract<Effect, { type: "perform" }>): Promise<void> {
    store.dispatch({ type: "performed", ...(await perform(session.client, effect.change, session.signal)) });
  }

  /** Runs one diagnosis per object at a time. */
  async function tellWhy(key: string, { snapshot }: TuiState): Promise<void> {
    const { name, namespace } = parseKeyText(key);
    const cluster = snapshot.clusters.find(
      ({ metadata }) => metadata.name === name && metadata.namespace === namespace,
    );
    if (cluster === undefined || asked.has(key)) return;
    asked.add(key);
    const explanation = await explain(session, cluster, clock.now());
    asked.delete(key);
    store.dispatch({ type: "explained", key, explanation });
  }
}

/** Diagnoses a cluster. Errors are returned, never thrown. */
async function explain(source: FactsSource, cluster: TenantCluster, now: Date): Promise<Explanation> {
  try {
    return { state: "found", finding: why(await readFacts(source, cluster, now)) };
  } catch (error) {
    return { state: "failed", why: describeError(error) };
  }
}
