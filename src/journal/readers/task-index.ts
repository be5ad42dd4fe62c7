import { closeSync, fstatSync, openSync } from 'node:fs';
import type { AgentId, TaskId } from '../../core/ids.js';
import { tryParseJson } from '../../core/json/try-parse-json.js';
import { readAt } from '../storage/read-at.js';
import { TaskEntry, toPastTasks, type PastTask } from '../entries/task-entries.js';

/**
 * Where the lines of each task stand in a session's `tasks.jsonl`. A question reads only what was written since the last
 * one, and the lines of the task that is asked for, however long the file is. Nothing is read before the first question.
 */
export interface TaskIndex {
  /** What the file says of a task; undefined if it does not name it. */
  find(id: TaskId): PastTask | undefined;
  /** The newest task that had this conversation. */
  taskOfAgent(id: AgentId): TaskId | undefined;
}

/** @param outputFileOf path of a task's output */
export function createTaskIndex(file: string, outputFileOf: (id: TaskId) => string): TaskIndex {
  /** Where each line of a task begins and ends, one after the other. */
  const lines = new Map<string, number[]>();
  const tasks = new Map<string, TaskId>();
  /** So many bytes are known. */
  let known = 0;

  const learn = (line: string, from: number): void => {
    const id = ID.exec(line)?.[1];
    if (id === undefined) return;
    const places = lines.get(id);
    if (places === undefined) lines.set(id, [from, from + line.length]);
    else places.push(from, from + line.length);
    const agentId = IS_FIRST.test(line) ? AGENT_ID.exec(line)?.[1] : undefined;
    if (agentId !== undefined) tasks.set(agentId, id as TaskId); // written by a task board
  };

  /** A last line without its newline is being written: it is read with the next question. */
  const readNew = (descriptor: number): void => {
    const { size } = fstatSync(descriptor);
    for (let length = FIRST_LOOK_BYTES; known < size;) {
      const text = readAt(descriptor, known, Math.min(size - known, length)).toString('latin1');
      const end = text.lastIndexOf('\n') + 1;
      if (end === 0 && known + length >= size) return;
      if (end === 0) length *= 4; // a line is longer
      for (let start = 0; start < end;) {
        const next = text.indexOf('\n', start) + 1;
        learn(text.slice(start, next - 1), known + start);
        start = next;
      }
      known += end;
    }
  };

  const withFile = <T>(read: (descriptor: number) => T): T | undefined => {
    let descriptor: number;
    try {
      descriptor = openSync(file, 'r');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    try {
      readNew(descriptor);
      return read(descriptor);
    } finally {
      closeSync(descriptor);
    }
  };

  return {
    find: (id) =>
      withFile((descriptor) => {
        const places = lines.get(id) ?? [];
        const entries = places.flatMap((from, index) => {
          const to = places[index + 1];
          if (index % 2 === 1 || to === undefined) return [];
          const line = readAt(descriptor, from, to - from).toString('utf8');
          return TaskEntry.safeParse(tryParseJson(line)).data ?? []; // a damaged line is named by whoever resumes the session
        });
        return toPastTasks(entries, outputFileOf).get(id);
      }),
    taskOfAgent: (id) => withFile(() => tasks.get(id)),
  };
}

const FIRST_LOOK_BYTES = 1_048_576;

/** The first one of a line: an outcome, behind it, may have any fields. In a text the quotes would be escaped. */
const ID = /"id":"([^"\\]+)"/;
/** What never changes stands on a task's first line. */
const IS_FIRST = /"status":"\w+","kind":"/;
const AGENT_ID = /"agentId":"([^"\\]+)"/;
