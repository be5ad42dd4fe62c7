import type { ToldActor } from '../../api/types.js';
import { totalTokens } from '../../api/messages.js';
import { oneLine } from '../../api/text.js';
import { describeAge } from '../output/describe-time.js';
import { toTable, type Column } from '../output/table.js';
import { agentLabel } from '../summaries/tool-subject.js';

const LABEL_WIDTH = 48;
const WAIT_WIDTH = 100;

const HEAD = ['who', 'state', 'since', 'what it does', 'tokens', 'cost', 'id'] as const;

/** In the order of {@link HEAD}. The most important columns are narrowed last and never left out. */
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
  /** Start of the process, epoch ms. */
  readonly startedAt: number;
  readonly tree: ToldActor;
};

/**
 * Show running troupes as one table, parents first. An agent and its tool calls are one line. Tokens and cost of a task
 * include everything below it.
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

/** The work and the waits of each task of a tree in words, by its ID. A task that neither works nor waits has none. */
export function describeActivities(tree: ToldActor): Readonly<Record<string, string>> {
  const say = namesOf(tree);
  const visit = (actor: ToldActor): readonly (readonly [string, string])[] => [
    [
      actor.id,
      oneLine(
        activityOf(
          actor,
          actor.children.find(({ kind }) => isWorker(kind)),
          say,
        ),
        WAIT_WIDTH,
      ),
    ],
    ...actor.children.filter(({ kind }) => !isWorker(kind) && kind !== 'toolCall').flatMap(visit),
  ];
  return Object.fromEntries(visit(tree).filter(([, words]) => words !== ''));
}

/** Whether an actor is part of the line of an agent: the agent itself, its tool calls and their requests. */
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

/** Kinds that the name of an actor does not show. */
const KIND_WORDS: Readonly<Record<string, string>> = {
  mcpConnection: 'MCP server',
  permissionRequest: 'request',
  scheduler: 'scheduler',
  cronEntry: 'cron',
  remoteTrigger: 'trigger',
  deadLetter: 'dead letter',
};

/** A state without its sub-states, which `--json` has. */
function shortState({ state }: ToldActor): string {
  return oneLine(state.split('.')[0] ?? '', Infinity);
}

/** Describe the work and the waits of an actor: IDs are replaced by names. */
function activityOf(actor: ToldActor, worker: ToldActor | undefined, say: Say): string {
  const calls = (worker ?? actor).children.filter(({ kind }) => kind === 'toolCall');
  const done = calls.map((call, index) => describeCall(call, index, say));
  if (worker === undefined && done.length > 0) return done.join('; ');
  const isOfCall = (wait: string): boolean => calls.some(({ id }) => wait === `tool call ${id}`);
  const waits = (worker ?? actor).waitingFor.filter((wait) => !isOfCall(wait));
  return [...done, ...describeWaits(waits.map(say))].join('; ');
}

/** @param before number of tool calls of the same reply that come first */
function describeCall(
  { label, state, progress, waitingFor }: ToldActor,
  before: number,
  say: Say,
): string {
  if (state === 'queued') {
    const earlier = before === 1 ? '1 earlier call' : `${before || 'the'} earlier calls`;
    return `${label}: waits for ${earlier}`;
  }
  const isShown = (wait: string): boolean =>
    state !== 'executing' || !/^the (?:end of|result of) /.test(wait);
  const waits = describeWaits(waitingFor.filter(isShown).map(say));
  return [label, ...(progress === undefined ? [] : [progress]), ...waits].join(': ');
}

/** Join waits: `waits for the MCP server docs; 2 unread messages`. */
function describeWaits(waits: readonly string[]): readonly string[] {
  return waits.length === 0
    ? []
    : [`${isUnread(waits[0] ?? '') ? '' : 'waits for '}${waits.join('; ')}`];
}

/** Messages that wait for the agent, not the agent for them. */
function isUnread(wait: string): boolean {
  return /^\d+ unread /.test(wait);
}

/** Replaces the IDs of a wait by names. */
type Say = (wait: string) => string;

function namesOf(tree: ToldActor): Say {
  const names = new Map<string, string>();
  const visit = ({ id, label, children }: ToldActor): void => {
    names.set(id, /\s/.test(label) ? `"${oneLine(label, LABEL_WIDTH)}"` : label);
    children.forEach(visit);
  };
  visit(tree);
  return (wait) =>
    withDecider(withShortTimes(wait)).replace(
      /[\w-]+/g,
      (word) => names.get(word) ?? agentLabel(word),
    );
}

/** Name the approver: `person` is the user, who also reads this. */
function withDecider(wait: string): string {
  return wait.replace(/^a decision (?:on \S+ )?by (.+)$/, (_, by: string) => {
    if (by === 'person') return 'you to answer';
    if (by === 'troupe approve') return by;
    return by === 'nobody'
      ? 'an approver: none is connected'
      : `a decision by ${by.replace(/\bperson\b/, 'you')}`;
  });
}

/** All waits of the tool calls of a tree. */
function askedByCalls({ kind, waitingFor, children }: ToldActor): string {
  return [...(kind === 'toolCall' ? waitingFor : []), ...children.map(askedByCalls)].join('\n');
}

/** Shorten times: the column `since` has a past one, and a coming one is shown as the time of this day. */
function withShortTimes(wait: string): string {
  return wait.replace(/, (?:asked|last heard) at \S+Z/, '').replace(ISO_TIME, (iso) => {
    const date = new Date(iso);
    const parts = [date.getHours(), date.getMinutes(), date.getSeconds()];
    return parts.map((part) => String(part).padStart(2, '0')).join(':');
  });
}

const ISO_TIME = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/;
