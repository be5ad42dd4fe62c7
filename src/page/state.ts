import { computed, signal } from '@preact/signals';
import type { Live } from '../cli/web/live-troupes.js';
import type { SessionSummary } from '../journal/sessions/list-sessions.js';
import { createPriceTable } from '../usage/prices.js';
import type { CostOf } from '../view/select-tree.js';
import type { ViewEvent } from '../view/view-event.js';
import { NO_VIEW, reduceView, type ViewState } from '../view/view-state.js';
import { follow, post } from './server.js';

/** The running troupes and their requests, as the server saw them last. */
export const live = signal<Live>({ troupes: [], requests: [], silent: [] });
export const sessions = signal<readonly SessionSummary[]>([]);
export const chosenSession = signal<string | undefined>(undefined);
export const chosenAgent = signal<string | undefined>(undefined);
/** The outcome of the last command of the person. */
export const notice = signal('');
/** The time that is shown, epoch ms; undefined: now. */
export const until = signal<number | undefined>(undefined);

/** All lines of the chosen session, and the state after them. */
const lines = signal<{ readonly events: readonly ViewEvent[]; readonly state: ViewState }>({
  events: [],
  state: NO_VIEW,
});

/** The first and the last time of the chosen session. */
export const times = computed(() => {
  const { events, state } = lines.value;
  const first = events.reduce(
    (least, event) => (event.file === 'damaged' ? least : Math.min(least, event.entry.timestamp)),
    Infinity,
  );
  return { from: Number.isFinite(first) ? first : 0, to: state.at };
});

/** The state of the shown time. */
export const view = computed(() => {
  const { events, state } = lines.value;
  const time = until.value;
  if (time === undefined) return state;
  const earlier = events.filter(
    (event) => event.file === 'damaged' || event.entry.timestamp <= time,
  );
  return reduceView(NO_VIEW, earlier);
});

/** The agent whose conversation is shown: the chosen one, or the main agent. */
export const shownAgent = computed(() => {
  const { agents, tasks } = view.value;
  const main = [...tasks.values()].find(({ agentId }) => agentId !== undefined)?.agentId;
  return agents.get(chosenAgent.value ?? main ?? '');
});

/** The name of an agent, or of another sender. */
export function nameOf(sender: string): string {
  return view.value.agents.get(sender)?.name ?? sender;
}

const prices = createPriceTable();
export const costOf: CostOf = ({ model, usage }) => prices.costUsd(model, usage);

let opened: AbortController | undefined;

/** Show a session from its first line, and follow it while it runs. */
export function openSession(id: string): void {
  opened?.abort();
  opened = new AbortController();
  const { signal: left } = opened;
  chosenSession.value = id;
  chosenAgent.value = undefined;
  until.value = undefined;
  lines.value = { events: [], state: NO_VIEW };
  const onData = (data: unknown): void => {
    if (left.aborted) return;
    const { isFirst, events } = data as Batch;
    const known = isFirst ? { events: [], state: NO_VIEW } : lines.value;
    lines.value = {
      events: [...known.events, ...events],
      state: reduceView(known.state, events),
    };
  };
  const session = encodeURIComponent(id);
  void follow((lastId) => `/session?id=${session}&last=${lastId}`, { onData, left });
}

/** A part of a session's journal; the first one begins anew, after a restart of the server too. */
type Batch = { readonly isFirst: boolean; readonly events: readonly ViewEvent[] };

/** Follow the running troupes, and open the newest session if none is chosen. */
export function connect(): void {
  const onData = (data: unknown): void => {
    live.value = data as Live;
    const running = live.value.troupes.flatMap((troupe) => troupe.sessions).join();
    if (running !== listed) void loadSessions().catch(() => (listed = undefined));
    listed = running;
  };
  void follow(() => '/live', { onData, left: new AbortController().signal });
}

/** The sessions that ran when the list was loaded last. */
let listed: string | undefined;

async function loadSessions(): Promise<void> {
  const answer = await post('/sessions', {});
  if (answer.ok) sessions.value = (await answer.json()) as readonly SessionSummary[];
  const [newest] = sessions.value;
  if (chosenSession.value === undefined && newest !== undefined) openSession(newest.id);
}

/** Send a command to the server, and show what became of it. */
export async function command(path: string, body: object, done: string): Promise<boolean> {
  const answer = await post(path, body).catch(() => undefined);
  if (answer === undefined) {
    notice.value = 'The server does not answer: nothing was done.';
    return false;
  }
  const said = (await answer.json().catch(() => ({}))) as { told?: string; message?: string };
  notice.value = answer.ok ? (said.told ?? done) : (said.message ?? `Refused: ${answer.status}`);
  return answer.ok;
}
