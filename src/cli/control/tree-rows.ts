import type { ToldActor } from '../../api/types.js';
import { totalTokens } from '../../api/messages.js';
import { oneLine } from '../../api/text.js';
import { describeAge } from '../describe-time.js';
import { toTable, type Column } from '../table.js';
import { agentLabel } from '../tool-subject.js';

const LABEL_WIDTH = 48;
const WAIT_WIDTH = 100;

const HEAD = ['who', 'state', 'since', 'does or waits for', 'tokens', 'cost', 'id'] as const;

/** By the names of {@link HEAD}: what people cannot do without is narrowed last and never left out. */
const COLUMNS: readonly Column[] = [
  { least: 16 },
  { isOptional: true },
  { isOptional: true },
  { least: 22, wraps: true },
  { isOptional: true },
  { isOptional: true },
  { isOptional: true },
];

/** A running troupe as `troupe ps` shows it. */
export type ShownTroupe = {
  readonly pid: number;
  readonly cwd: string;
  /** Epoch ms. */
  readonly startedAt: number;
  readonly tree: ToldActor;
};

/**
 * Running troupes as one table, parents first. An agent is one line: what its tool calls do stands there. Tokens and cost of
 * a task are those of everything below it too.
 */
export function toTreeTable(
  troupes: readonly ShownTroupe[],
  { now, width }: { readonly now: number; readonly width: number | undefined },
): Promise<readonly string[]> {
  const rows = troupes.flatMap((troupe) => toTreeRows(troupe, now));
  return toTable([HEAD, ...rows], { columns: COLUMNS, width });
}

type Row = readonly string[];

function toTreeRows({ pid, cwd, startedAt, tree }: ShownTroupe, now: number): readonly Row[] {
  const say = namesOf(tree);
  const asked = askedByCalls(tree);
  const rows: Row[] = [
    [
      'troupe',
      shortState(tree),
      describeAge(now - startedAt),
      `in ${oneLine(cwd, Infinity)}`,
    ].concat(['', '', `pid ${pid}`]),
  ];
  const visit = (actor: ToldActor, below: string): void => {
    const shown = actor.children.filter((child) => !isFolded(child, asked));
    for (const [index, child] of shown.entries()) {
      const isLast = index === shown.length - 1;
      rows.push(toRow(child, { branch: `${below}${isLast ? '└─ ' : '├─ '}`, now, say }));
      visit(child, `${below}${isLast ? '   ' : '│  '}`);
    }
  };
  visit(tree, '');
  return rows;
}

/** What stands in the line of an agent: its own actor, and what its tool calls ask for. */
function isFolded({ kind, id }: ToldActor, asked: string): boolean {
  return (
    isWorker(kind) || kind === 'toolCall' || (kind === 'permissionRequest' && asked.includes(id))
  );
}

function isWorker(kind: string): boolean {
  return kind === 'agent' || kind === 'workflow';
}

function toRow(
  actor: ToldActor,
  { branch, now, say }: { readonly branch: string; readonly now: number; readonly say: Say },
): Row {
  const { kind, label, usage, pid, id } = actor;
  const worker = actor.children.find((child) => isWorker(child.kind));
  const isActive = actor.state.startsWith('running.active') || actor.state === 'running';
  const shown = isActive && worker !== undefined ? worker : actor;
  const words = KIND_WORDS[kind];
  return [
    branch +
      oneLine(words === undefined || words === label ? label : `${words} ${label}`, LABEL_WIDTH),
    shortState(shown),
    describeAge(now - shown.since),
    oneLine(activityOf(actor, worker, say), WAIT_WIDTH),
    usage === undefined ? '' : String(totalTokens(usage.usage)),
    usage === undefined ? '' : usage.costUsd === undefined ? '?' : `$${usage.costUsd.toFixed(4)}`,
    oneLine(pid === undefined ? id : `${id} (pid ${pid})`, Infinity),
  ];
}

/** What cannot be told from its name alone. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  mcpConnection: 'MCP server',
  permissionRequest: 'request',
  scheduler: 'scheduler',
  cronEntry: 'cron',
  remoteTrigger: 'trigger',
  deadLetter: 'dead letter',
};

/** Its sub-states are for `--json`. */
function shortState({ state }: ToldActor): string {
  return oneLine(state.split('.')[0] ?? '', Infinity);
}

/** What an actor does and what it waits for, in words: ids are replaced by names. */
function activityOf(actor: ToldActor, worker: ToldActor | undefined, say: Say): string {
  const calls = (worker ?? actor).children.filter(({ kind }) => kind === 'toolCall');
  const done = calls.map((call) => describeCall(call, say));
  if (worker === undefined) return (done.length > 0 ? done : actor.waitingFor.map(say)).join('; ');
  const isOfCall = (wait: string): boolean => calls.some(({ id }) => wait === `tool call ${id}`);
  const waits = worker.waitingFor.filter((wait) => !isOfCall(wait));
  return [...done, ...waits.map(say)].join('; ');
}

function describeCall({ label, state, waitingFor }: ToldActor, say: Say): string {
  if (state === 'executing') {
    const waits = waitingFor.filter((wait) => !/^the (?:end of|result of) /.test(wait));
    return [label, ...waits.map(say)].join(': ');
  }
  const waits = waitingFor.map((wait) =>
    say(wait.replace(/^a decision on \S+ by/, 'a decision by')),
  );
  const asks = state === 'deciding.asking' ? 'asks: ' : '';
  return `${asks}${label}${waits.length === 0 ? '' : ` (${waits.join('; ')})`}`;
}

/** Says a wait in words that people know. */
type Say = (wait: string) => string;

function namesOf(tree: ToldActor): Say {
  const names = new Map<string, string>();
  const visit = ({ id, label, children }: ToldActor): void => {
    names.set(id, /\s/.test(label) ? `"${oneLine(label, LABEL_WIDTH)}"` : label);
    children.forEach(visit);
  };
  visit(tree);
  return (wait) =>
    withShortTimes(wait).replace(/[\w-]+/g, (word) => names.get(word) ?? agentLabel(word));
}

/** All that the tool calls of a tree wait for. */
function askedByCalls({ kind, waitingFor, children }: ToldActor): string {
  return [...(kind === 'toolCall' ? waitingFor : []), ...children.map(askedByCalls)].join('\n');
}

/** A moment that has passed stands in the column `since` already; one to come is shown as the time of this day. */
function withShortTimes(wait: string): string {
  return wait.replace(/, (?:asked|last heard) at \S+Z/, '').replace(ISO_TIME, (iso) => {
    const date = new Date(iso);
    const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
    return parts.map((part) => String(part).padStart(2, '0')).join(':');
  });
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
