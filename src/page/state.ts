import { computed, signal } from '@preact/signals';
import type { Live } from '../cli/web/live-troupes.js';
import type { LinesOfSession } from '../cli/web/room-events.js';
import type { ListedSession, SessionNews } from '../cli/web/session-list.js';
import { createPriceTable } from '../usage/prices.js';
import type { CostOf } from '../view/cost.js';
import type { ViewEvent } from '../view/view-event.js';
import { NO_VIEW, reduceView, type ViewState } from '../view/view-state.js';
import { follow, post, readEvents, type ServerEvent } from './server.js';

/** Positions in the files of a journal, which the server gives as the ID of an event. */
type JournalPositions = Readonly<Record<string, readonly [number, number]>>;

/** The running troupes and their requests, as the server saw them last. */
export const live = signal<Live>({ troupes: [], requests: [], silent: [] });
export const sessions = signal<readonly ListedSession[]>([]);
export const chosenSession = signal<string | undefined>(undefined);
export const chosenAgent = signal<string | undefined>(undefined);
/** The outcome of the last command of the person. */
export const notice = signal('');
/** The time that is shown, epoch ms; undefined: now. */
export const until = signal<number | undefined>(undefined);

/** The present state of the chosen session. */
const present = signal(NO_VIEW);
/** All lines of the chosen session, while an earlier time is shown. */
const past = signal<readonly ViewEvent[] | undefined>(undefined);

/** The first and the last time of the chosen session. */
export const times = computed(() => {
  const { from, at } = present.value;
  return { from: Number.isFinite(from) ? from : 0, to: at };
});

/** The state of the shown time. */
export const view = computed((): ViewState => {
  const time = until.value;
  const lines = past.value;
  if (time === undefined || lines === undefined) return present.value;
  const earlier = lines.filter(
    (event) => event.file === 'damaged' || event.entry.timestamp <= time,
  );
  return reduceView(NO_VIEW, earlier);
});

/** Show the session at a time; undefined: now. Its lines are read once for all earlier times. */
export function travelTo(time: number | undefined): void {
  until.value = time;
  if (time === undefined) {
    past.value = undefined;
    return;
  }
  if (past.value !== undefined || isReadingPast) return;
  isReadingPast = true;
  void readPast(chosenSession.value)
    .catch(() => (notice.value = 'The server does not answer: the past cannot be shown.'))
    .finally(() => (isReadingPast = false));
}

let isReadingPast = false;

async function readPast(session: string | undefined): Promise<void> {
  const lines: ViewEvent[] = [];
  await readEvents(await post('/past', { session }), ({ data }) => {
    for (const event of (data as LinesOfSession).events) lines.push(event);
  });
  if (until.value !== undefined && chosenSession.value === session) past.value = lines;
}

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

/** The kept part of a session that runs: its whole past is read on demand. */
const BOUND = { entries: 200, costOf };

let opened = new AbortController();

/** Show a session from its first line, and follow it while it runs. */
export function openSession(id: string | undefined): void {
  opened.abort();
  opened = new AbortController();
  chosenSession.value = id;
  chosenAgent.value = undefined;
  travelTo(undefined);
  present.value = NO_VIEW;
  let from: JournalPositions = {};
  const onEvent = ({ event, id: position = '', data }: ServerEvent): void => {
    switch (event) {
      case 'live':
        live.value = data as Live;
        return;
      case 'sessions':
        return takeSessions(data as SessionNews);
      case 'lines':
        present.value = reduceView(present.value, (data as LinesOfSession).events, BOUND);
        from = { ...from, ...(JSON.parse(position) as JournalPositions) };
        return;
      default: // of a newer server
    }
  };
  const body = () => ({ ...(id === undefined ? {} : { session: id }), from });
  void follow(body, { onEvent, left: opened.signal });
}

/** Take changes of the list, and open the newest session if none is chosen. */
function takeSessions({ ids, changed }: SessionNews): void {
  const known = new Map([...sessions.value, ...changed].map((one) => [one.id as string, one]));
  sessions.value = ids.flatMap((id) => known.get(id) ?? []);
  const [newest] = ids;
  if (chosenSession.value === undefined && newest !== undefined) openSession(newest);
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
