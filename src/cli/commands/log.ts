import type { Folder, RunCommand } from '../command.js';
import { resolve } from 'node:path';
import { userFolders } from '../../api/files/folders.js';
import type { LogEntry } from '../../api/types.js';
import { oneLine, withoutAdvice } from '../../api/text.js';
import { findSession, newestSession } from '../../api/sessions/sessions.js';
import { readLog } from '../../api/sessions/journal.js';
import { filled } from '../arguments/flag-readers.js';
import { hangLine } from '../output/hang-line.js';
import { openStdout } from '../output/output-writer.js';
import { loadTextWidth } from '../output/text-width.js';
import { callLine } from '../summaries/call-line.js';
import { inputSubject } from '../summaries/tool-subject.js';
import { followLog } from './follow-log.js';
import { printJson, printLines, timeOf } from '../output/print.js';

/** The shown part of a session. */
type LogChoices = {
  /** An ID; the newest session of the folder if undefined. */
  readonly session: string | undefined;
  /** Name, type or ID of an agent. */
  readonly agent: string | undefined;
  readonly isJson: boolean;
  /** Print new entries until the session ends. */
  readonly follows: boolean;
};

/** The name of every agent that is one tool call. */
const TOOL_STEP = 'tool';
const SUBJECT_WIDTH = 160;
const RESULT_LINES = 6;
const RESULT_WIDTH = 160;

/** `troupe log`. */
export const run: RunCommand = (line, world) => {
  return showLog(
    {
      session: line.words[0],
      agent: filled(line, '--agent'),
      isJson: line.given.has('--json'),
      follows: line.given.has('--follow'),
    },
    world,
  );
};

/**
 * Print the log of a session.
 *
 * @returns the exit code
 * @throws UsageError for an unknown session or agent
 */
export async function showLog(
  { session, agent, isJson, follows }: LogChoices,
  world: Folder,
): Promise<number> {
  const home = userFolders(world.env).troupe;
  const found =
    session === undefined ? newestSession(home, resolve(world.cwd)) : findSession(home, session);
  const batches = follows ? followLog(found, { agent }) : [{ all: readLog(found, { agent }) }];
  if (isJson) await printJson(toJson(batches, found.id));
  else {
    const { columns } = openStdout();
    await printLines(toText(batches, found.id, { columns, of: (await loadTextWidth()).of }));
  }
  return 0;
}

async function* toJson(batches: Batches, sessionId: string): AsyncIterable<object> {
  for await (const { all, fresh = all } of batches)
    yield* fresh.map((entry) => ({ sessionId, ...entry }));
}

/** The width of the terminal, if there is one, and the measure of a text. */
type Screen = { readonly columns: number | undefined; readonly of: (text: string) => number };

/** The text of `/export`: the log of a session, without a limit of width. */
export async function* exportLog(session: string, env: Folder['env']): AsyncIterable<string> {
  const found = findSession(userFolders(env).troupe, session);
  const { of } = await loadTextWidth();
  for await (const line of toText([{ all: readLog(found, {}) }], found.id, {
    columns: undefined,
    of,
  }))
    yield `${line}\n`;
}

async function* toText(batches: Batches, sessionId: string, screen: Screen): AsyncIterable<string> {
  yield `session ${sessionId}`;
  let day = '';
  for await (const { all, fresh = all } of batches) {
    const agents = { names: nameAgents(all), prompted: promptedAgents(all) };
    const lines = linesOf(fresh, { ...agents, lastDay: day, screen });
    day = lines.day;
    yield* lines.text;
  }
}

/** All entries, and the new ones if not all are new. */
type Batch = { readonly all: readonly LogEntry[]; readonly fresh?: readonly LogEntry[] };
type Batches = AsyncIterable<Batch> | Iterable<Batch>;

function linesOf(
  entries: readonly LogEntry[],
  {
    names,
    prompted,
    lastDay,
    screen: { columns: width = Infinity, of },
  }: {
    readonly names: ReadonlyMap<string, string>;
    readonly prompted: ReadonlySet<string>;
    readonly lastDay: string;
    readonly screen: Screen;
  },
): { readonly text: readonly string[]; readonly day: string } {
  const nameWidth = Math.max(0, ...[...names.values()].map((name) => name.length));
  let day = lastDay;
  const lines = entries.flatMap((entry): readonly string[] => {
    const text = textOf(entry, prompted);
    if (text === undefined) return [];
    const [date = '', time = ''] = timeOf(entry.at).split(' ');
    const heading = date === day ? [] : [date];
    day = date;
    const name = 'agentId' in entry ? (names.get(entry.agentId) ?? '') : '';
    const indent = time.length + nameWidth + 4;
    const margin = ' '.repeat(indent > width / 2 ? 2 : indent);
    const [first = '', ...others] = text.split('\n');
    const shown = [
      `${time}  ${name.padEnd(nameWidth)}  ${first}`,
      ...others.map((line) => `${margin}${line}`.trimEnd()),
    ];
    return [...heading, ...shown.map((line) => hangLine(line, { width, of, indent }))];
  });
  return { text: lines, day };
}

/** The name of each agent, or the call of a tool step; agents of one name get the end of their IDs. */
function nameAgents(entries: readonly LogEntry[]): ReadonlyMap<string, string> {
  const agents = new Map(
    entries.flatMap((entry) => ('agentId' in entry ? [[entry.agentId, entry.agent] as const] : [])),
  );
  for (const entry of entries)
    if (entry.type === 'tool_use' && agents.get(entry.agentId) === TOOL_STEP)
      agents.set(entry.agentId, `${entry.tool}(${inputSubject(entry.input)})`);
  const all = [...agents.values()];
  return new Map(
    [...agents].map(([id, name]) => {
      const isShared = all.indexOf(name) !== all.lastIndexOf(name);
      return [id, oneLine(isShared ? `${name}-${id.slice(-4)}` : name, 24)];
    }),
  );
}

/** The agents that ask a model: a workflow, a tool step and the host of a team get no prompt. */
function promptedAgents(entries: readonly LogEntry[]): ReadonlySet<string> {
  return new Set(entries.flatMap((entry) => (entry.type === 'mail' ? [entry.agentId] : [])));
}

/** Undefined for entries that people do not need: calls that rules and modes allowed, or passed on as requests. */
function textOf(entry: LogEntry, prompted: ReadonlySet<string>): string | undefined {
  switch (entry.type) {
    case 'started': {
      const { model, script = model } = entry;
      const used = script === model ? model : `${model}:${script}`;
      return `started as ${entry.agentType}${prompted.has(entry.agentId) ? ` with ${used}` : ''}`;
    }
    case 'resumed':
      return `resumed with ${entry.model}`;
    case 'forked':
      return `is a copy of ${entry.from}`;
    case 'mail':
      return `> ${entry.kind} from ${entry.from}: ${entry.text}`;
    case 'thinking':
      return `(thinks) ${entry.text}`;
    case 'text':
      return entry.text;
    case 'tool_use':
      return callLine(entry.tool, entry.input, SUBJECT_WIDTH);
    case 'tool_result':
      return entry.isError
        ? `${entry.tool} failed: ${shorten(withoutAdvice(entry.text))}`
        : `${entry.tool} returned: ${shorten(entry.text)}`;
    case 'decision': {
      const { tool, behavior, by, waitedMs, isUnanswered } = entry;
      if (by === 'rules' && behavior !== 'deny') return undefined;
      if (behavior === 'ask') return `${tool}: ${by} asks for approval`;
      const waited = waitedMs === undefined ? '' : ` after ${waitedMs} ms`;
      const said = WORDS[behavior] ?? behavior;
      return isUnanswered === true
        ? `${tool}: ${said}${waited}: nobody was there to approve it`
        : `${tool}: ${said} by ${by}${waited}`;
    }
    case 'failure':
      return `the model could not answer: ${entry.message} (${entry.code})`;
    case 'ended':
      return `ended: ${entry.status}`;
    case 'unread':
      return `never read: message from ${entry.from}: ${entry.text}`;
    case 'lost':
      return `task ${entry.taskId}: ${entry.message}`;
    case 'damaged':
      return `damaged: ${entry.message}`;
    default:
      return entry satisfies never;
  }
}

const WORDS: Readonly<Record<string, string>> = { allow: 'allowed', deny: 'denied' };

function shorten(text: string): string {
  const lines = text.trimEnd().split('\n');
  const shown = lines
    .slice(0, RESULT_LINES)
    .map((line) =>
      [...line].length > RESULT_WIDTH ? `${[...line].slice(0, RESULT_WIDTH).join('')}…` : line,
    );
  const left = lines.length - shown.length;
  return left === 0 ? shown.join('\n') : [...shown, `… ${left} more lines`].join('\n');
}
