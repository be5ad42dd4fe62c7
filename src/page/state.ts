import { computed, effect, signal } from '@preact/signals';
import type { Live, LiveNews } from '../cli/web/live-troupes.js';
import type { LinesOfSession } from '../cli/web/room-events.js';
import type { ListedSession, SessionNews } from '../cli/web/session-list.js';
import type { PastTask } from '../journal/entries/task-entries.js';
import { createPriceTable } from '../usage/prices.js';
import type { CostOf } from '../view/cost.js';
import { createPast, type Past } from '../view/past.js';
import type { ViewEvent } from '../view/view-event.js';
import { NO_VIEW, reduceView, type ViewState } from '../view/view-state.js';
import { follow, post, readEvents, takeToken, type ServerEvent } from './server.js';

/** Positions in the files of a journal, which the server gives as the ID of an event. */
type JournalPositions = Readonly<Record<string, readonly [number, number]>>;

/** The running troupes and their requests, as the server saw them last. */
export const live = signal<Live>({ troupes: [], requests: [], silent: [] });
export const sessions = signal<readonly ListedSession[]>([]);
export const chosenSession = signal<string | undefined>(undefined);
export const chosenTask = signal<string | undefined>(undefined);
/** The view in the middle. */
export const chosenView = signal('');
/** The outcome of the last command of the person. */
export const notice = signal('');
/** The time that is shown, epoch ms; undefined: now. */
export const until = signal<number | undefined>(undefined);

/** The present state of the chosen session. */
const present = signal(NO_VIEW);
/** The chosen session up to a time, while an earlier time is shown. */
const past = signal<{ readonly states: Past; readonly to: number } | undefined>(undefined);
const seconds = signal(Date.now());

/** Whether a process of this machine runs the chosen session. */
export const isRunning = computed(() =>
  live.value.troupes.some(({ sessions: ids }) => ids.includes(chosenSession.value ?? '')),
);

/** Whether the chosen session can be changed: it runs, and no earlier time is shown. */
export const isNow = computed(() => isRunning.value && until.value === undefined);

/** Whether the end of a session is shown whose process has ended before it. */
export const isCutOff = computed(() => {
  const session = sessions.value.find(({ id }) => id === chosenSession.value);
  return session?.status === 'crashed' && until.value === undefined;
});

/** The first and the last time of the chosen session. */
export const times = computed(() => {
  const { from, at } = present.value;
  return { from: Number.isFinite(from) ? from : 0, to: at };
});

/** The state of the shown time. */
export const view = computed((): ViewState => {
  const time = until.value;
  return time === undefined || past.value === undefined
    ? present.value
    : past.value.states.at(time);
});

/** The shown time: that of the clock if the session runs. */
export const shownTime = computed(() => {
  const { at } = view.value;
  return isNow.value ? Math.max(at, seconds.value) : (until.value ?? at);
});

setInterval(() => (seconds.value = Date.now()), 1_000);

/** Show the session at a time; undefined: now. */
export function travelTo(time: number | undefined): void {
  until.value = time;
  if (time === undefined) past.value = undefined;
  else void loadPast(time);
}

/** Show the session before or after its next change. */
export async function travelBy(direction: -1 | 1): Promise<void> {
  const from = until.value ?? times.value.to;
  const next = (await loadPast(from))?.next(from, direction);
  travelTo(next ?? (direction === 1 ? undefined : until.value));
}

let loading: Promise<Past | undefined> | undefined;

/** Read the lines of the chosen session up to a time, once for all earlier times. */
async function loadPast(time: number): Promise<Past | undefined> {
  if (past.value !== undefined && time <= past.value.to) return past.value.states;
  const session = chosenSession.value;
  const { to } = times.value;
  loading ??= readPast(session).finally(() => (loading = undefined));
  const states = await loading;
  if (chosenSession.value !== session) return undefined;
  if (states === undefined)
    notice.value = 'The server does not answer: earlier times cannot be shown.';
  else past.value = { states, to };
  return states;
}

async function readPast(session: string | undefined): Promise<Past | undefined> {
  const lines: ViewEvent[] = [];
  try {
    const isWhole = await readEvents(await post('/past', { session }), ({ event, data }) => {
      if (event === 'lines') for (const one of (data as LinesOfSession).events) lines.push(one);
    });
    return isWhole ? createPast(lines) : undefined;
  } catch {
    return undefined; // the caller says so
  }
}

/** The task that is shown: the chosen one, or that of the main agent. */
export const shownTask = computed((): PastTask | undefined => {
  const all = [...view.value.tasks.values()];
  return (
    all.find(({ state }) => state.id === chosenTask.value) ??
    all.find(({ agentId }) => agentId !== undefined) ??
    all[0]
  );
});

/** The agent of the shown task. */
export const shownAgent = computed(() => view.value.agents.get(shownTask.value?.agentId ?? ''));

/** Show a task, and go to it in a window that has all parts below each other. */
export function openTask(id: string): void {
  chosenTask.value = id;
  if (matchMedia('(max-width: 52rem)').matches) document.querySelector('.middle')?.scrollIntoView();
}

/** Show the task of an agent. */
export function openAgent(id: string): void {
  const task = view.value.agents.get(id)?.taskId;
  if (task !== undefined) openTask(task);
}

/** The name of an agent, or of another sender. */
export function nameOf(sender: string): string {
  const { agents } = view.value;
  const tasks: ReadonlyMap<string, PastTask> = view.value.tasks;
  const task = tasks.get(sender);
  const agent = agents.get(sender) ?? agents.get(task?.agentId ?? '');
  return agent?.name ?? task?.state.description ?? sender;
}

const prices = createPriceTable();
export const costOf: CostOf = ({ model, usage }) => prices.costUsd(model, usage);

/** The kept part of a session that runs: its whole past is read on demand. */
const BOUND = { entries: 200, costOf };

/** The least time between two changes of the view: each one draws the page anew. */
const DRAW_EVERY_MS = 250;

let opened = new AbortController();

/** Show a session from its first line, and follow it while it runs. */
export function openSession(id: string | undefined, task?: string): void {
  opened.abort();
  opened = new AbortController();
  chosenSession.value = id;
  chosenTask.value = task;
  loading = undefined; // it reads another session
  travelTo(undefined);
  present.value = NO_VIEW;
  let from: JournalPositions = {};
  const { signal: left } = opened;
  const takeLines = inBatches<ViewEvent>((events) => {
    if (!left.aborted) present.value = reduceView(present.value, events, BOUND);
  });
  const onEvent = ({ event, id: position = '', data }: ServerEvent): void => {
    switch (event) {
      case 'live':
        return takeLive(data as LiveNews);
      case 'sessions':
        return takeSessions(data as SessionNews);
      case 'lines':
        takeLines((data as LinesOfSession).events);
        from = { ...from, ...(JSON.parse(position) as JournalPositions) };
        return;
      case 'failed':
        notice.value = `The server cannot tell all: ${String(data)}`;
        return;
      default: // of a newer server
    }
  };
  const body = () => ({ ...(id === undefined ? {} : { session: id }), from });
  const onGone = (): void => openSession(undefined);
  const known = () => live.value.requests.map(({ requestId }) => requestId);
  void follow(body, { onEvent, onGone, known, left });
}

/** Hand values on in batches: the first ones at once. */
function inBatches<Value>(take: (values: readonly Value[]) => void) {
  let waiting: Value[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;
  const flush = (): void => {
    const values = waiting;
    waiting = [];
    timer = undefined;
    if (values.length === 0) return;
    timer = setTimeout(flush, DRAW_EVERY_MS);
    take(values);
  };
  return (values: readonly Value[]): void => {
    for (const value of values) waiting.push(value);
    if (timer === undefined) flush();
  };
}

/** Take a look at the running troupes: the page has the requests that are not among it. */
function takeLive({ requests: { ids, fresh }, ...rest }: LiveNews): void {
  const known = new Map([...live.value.requests, ...fresh].map((one) => [one.requestId, one]));
  live.value = { ...rest, requests: ids.flatMap((id) => known.get(id) ?? []) };
}

/** Take changes of the list, and open the newest session if none is chosen. */
function takeSessions({ ids, changed }: SessionNews): void {
  const known = new Map([...sessions.value, ...changed].map((one) => [one.id as string, one]));
  sessions.value = ids.flatMap((id) => known.get(id) ?? []);
  const [newest] = ids;
  if (chosenSession.value === undefined && newest !== undefined) openSession(newest);
}

/** Open what the address names, and keep it up to date: a page that is loaded again shows the same. */
export function followAddress(): void {
  const address = new URLSearchParams(location.hash.slice(1));
  takeToken(address);
  chosenView.value = address.get('view') ?? '';
  openSession(address.get('session') ?? undefined, address.get('task') ?? undefined);
  effect(() => {
    const shown = { session: chosenSession.value, task: chosenTask.value, view: chosenView.value };
    const named = Object.entries(shown).filter((entry): entry is [string, string] =>
      Boolean(entry[1]),
    );
    const hash = new URLSearchParams(named).toString();
    history.replaceState(null, '', `${location.pathname}${hash === '' ? '' : `#${hash}`}`);
  });
  addEventListener('hashchange', () => location.reload());
}

/** Send a command to the server, and show what became of it. */
export async function command(path: string, body: object, done: string): Promise<boolean> {
  const { isDone, text } = await attempt(path, body);
  notice.value = text === '' && isDone ? done : text;
  return isDone;
}

/** Send a command to the server. @returns its words about it, or the reason for a refusal */
export async function attempt(
  path: string,
  body: object,
): Promise<{ readonly isDone: boolean; readonly text: string }> {
  const answer = await post(path, body).catch(() => undefined);
  if (answer === undefined)
    return { isDone: false, text: 'The server does not answer: nothing was done.' };
  const said = (await answer.json().catch(() => ({}))) as { told?: string; message?: string };
  return answer.ok
    ? { isDone: true, text: said.told ?? '' }
    : { isDone: false, text: said.message ?? `Refused: ${answer.status}` };
}
