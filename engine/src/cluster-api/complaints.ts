/** The fields of a pod that explain why it is not ready. */
export interface PodReport {
  readonly metadata: { readonly name: string };
  readonly status?: {
    readonly phase?: string;
    readonly conditions?: readonly { readonly type: string; readonly status: string; readonly message?: string }[];
    readonly containerStatuses?: readonly ContainerReport[];
  };
}

interface ContainerReport {
  readonly name: string;
  readonly ready: boolean;
  readonly restartCount: number;
  readonly state?: ContainerState;
  readonly lastState?: ContainerState;
}

interface ContainerState {
  readonly waiting?: Ending;
  readonly terminated?: Ending;
}

interface Ending {
  readonly reason?: string;
  readonly message?: string;
}

/** The fields of an event that explain a failure. */
export interface EventReport {
  readonly type?: string;
  readonly reason?: string;
  readonly message?: string;
}

const shownEvents = 3;

/** One line for each error of pods that are not ready. */
export function podComplaints(pods: readonly PodReport[], events: readonly EventReport[]): string[] {
  const warnings = events
    .filter(({ type }) => type === "Warning")
    .map(({ reason = "Warning", message = "" }) => `event ${reason}: ${message.trim()}`);
  const complaints = pods.length === 0 ? ["no pods"] : pods.flatMap(complaintsOf);
  return [...complaints, ...new Set(warnings.slice(-shownEvents))];
}

function complaintsOf({ metadata, status = {} }: PodReport): string[] {
  const { containerStatuses = [], conditions = [], phase = "Unknown" } = status;
  const unready = containerStatuses.filter(({ ready }) => !ready);
  const endings = unready.map((container) => `pod ${metadata.name}, ${container.name}: ${describe(container)}`);
  const unscheduled = conditions
    .filter(({ type, status: value }) => type === "PodScheduled" && value === "False")
    .map(({ message = "" }) => `pod ${metadata.name} is not scheduled: ${message}`);
  const all = [...unscheduled, ...endings];
  return all.length > 0 || phase === "Running" ? all : [`pod ${metadata.name} is ${phase}`];
}

function describe({ state = {}, lastState = {}, restartCount }: ContainerReport): string {
  const now = state.waiting ?? state.terminated;
  const told = [now, lastState.terminated].flatMap((ending) => (ending === undefined ? [] : [tell(ending)]));
  if (told.length === 0) return `running but not ready (${restartCount} restarts)`;
  return told.join("; last state: ");
}

function tell({ reason = "ended", message }: Ending): string {
  return message === undefined ? reason : `${reason}: ${message.trim()}`;
}
