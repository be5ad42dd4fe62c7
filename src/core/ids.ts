import { z } from 'zod';
import { UsageError } from './errors.js';

/**
 * A `TaskId` addresses a piece of work (kill, output, ps), an `AgentId` a conversation (message, transcript), a
 * `SessionId` a run of the program. The first letter of a task ID is its kind.
 */
export const TASK_ID_PREFIX = {
  local_bash: 'b',
  local_agent: 'a',
  remote_agent: 'r',
  in_process_teammate: 't',
  local_workflow: 'w',
  local_tool: 'u',
  monitor_mcp: 'm',
  dream: 'd',
  session: 's',
} as const;

/** ID of a task. */
export const TaskId = z
  .string()
  .regex(/^[abdmrstuw][0-9a-z]{8}$/, 'a task ID is a letter and 8 of [0-9a-z]')
  .brand<'TaskId'>();
export type TaskId = z.infer<typeof TaskId>;

/** ID of an agent. */
export const AgentId = z
  .string()
  .regex(/^a(?:.+-)?[0-9a-f]{16}$/, 'an agent ID is "a", an optional label and 16 hex digits')
  .brand<'AgentId'>();
export type AgentId = z.infer<typeof AgentId>;

/** ID of a session: a UUID. */
export const SessionId = z.uuid().brand<'SessionId'>();
export type SessionId = z.infer<typeof SessionId>;

/** Unique for each permission request; the same on every hop and in the audit. */
export const RequestId = z
  .string()
  .regex(/^ask_[0-9a-z]{12}$/)
  .brand<'RequestId'>();
export type RequestId = z.infer<typeof RequestId>;

/** Random text of [0-9a-z]. A UUID is the cheapest source of randomness: the platform makes many at a time. */
function randomText(length: number): string {
  let text = '';
  while (text.length < length)
    text += Number.parseInt(randomHex(12), 16).toString(36).padStart(8, '0').slice(-8);
  return text.slice(0, length);
}

/** @param digits at most 20: the other digits of a UUID have its version */
function randomHex(digits: number): string {
  const uuid = globalThis.crypto.randomUUID();
  return (uuid.slice(0, 8) + uuid.slice(24)).slice(0, digits);
}

/** Make a new ID of a task. It has a digit, so that no word is an ID. @throws UsageError for an unknown kind */
export function createTaskId(kind: keyof typeof TASK_ID_PREFIX): TaskId {
  if (!Object.hasOwn(TASK_ID_PREFIX, kind))
    throw new UsageError(
      `createTaskId: no task is a "${String(kind)}". Use ${Object.keys(TASK_ID_PREFIX).join(', ')}.`,
    );
  for (;;) {
    const text = randomText(8);
    if (/\d/.test(text)) return (TASK_ID_PREFIX[kind] + text) as TaskId; // matches the pattern by construction
  }
}

/** An ID is the name of a file. */
const LONGEST_LABEL = 64;

/**
 * Make a new ID of an agent.
 *
 * @param label readable part of the ID: the beginning of an agent's name or type; characters outside [0-9A-Za-z_] become `_`
 */
export function createAgentId(label?: string): AgentId {
  const middle =
    label === undefined ? '' : `${label.slice(0, LONGEST_LABEL).replace(/[^0-9A-Za-z_]+/g, '_')}-`;
  return `a${middle}${randomHex(16)}` as AgentId; // matches the pattern by construction
}

/** @param kind the beginning: `cron`, or the number of a process */
export function createShortId<Kind extends string>(kind: Kind): `${Kind}-${string}` {
  return `${kind}-${randomText(8)}`;
}

/** Hexadecimal digits that count the UUIDs of one source, at the end of each. */
const COUNT_DIGITS = 7;

/** Make a source of many UUIDs: they share random digits and differ by a count, which costs little. */
export function createUuids(): () => string {
  let shared = '';
  let count = 0;
  return () => {
    if (count % 16 ** COUNT_DIGITS === 0)
      shared = globalThis.crypto.randomUUID().slice(0, -COUNT_DIGITS);
    const digits = (count % 16 ** COUNT_DIGITS).toString(16).padStart(COUNT_DIGITS, '0');
    count += 1;
    return shared + digits;
  };
}

/** Make a new ID of a session. */
export function createSessionId(): SessionId {
  return globalThis.crypto.randomUUID() as string as SessionId; // a UUID by construction
}

export function createRequestId(): RequestId {
  return `ask_${randomText(12)}` as RequestId; // matches the pattern by construction
}

/** Return the text as the ID of an agent; null if it does not match the pattern, as the name of a teammate does not. */
export function toAgentId(text: string): AgentId | null {
  return AgentId.safeParse(text).data ?? null;
}

/** Return the text as the ID of a task; null if it does not match the pattern. */
export function toTaskId(text: string): TaskId | null {
  return TaskId.safeParse(text).data ?? null;
}

/** Return the text as the ID of a session; null if it does not match the pattern. */
export function toSessionId(text: string): SessionId | null {
  return SessionId.safeParse(text).data ?? null;
}
