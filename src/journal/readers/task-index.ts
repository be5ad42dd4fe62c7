import { closeSync, fstatSync } from 'node:fs';
import type { AgentId, TaskId } from '../../core/ids.js';
import { tryParseJson } from '../../core/json/try-parse-json.js';
import { openRegularFile } from '../../files/regular-file.js';
import { readAt } from '../storage/read-at.js';
import { TaskEntry, toPastTasks, type PastTask } from '../entries/task-entries.js';

/**
 * The positions of each task's lines in a session's `tasks.jsonl`. A query reads only the lines since the last query
 * and the lines of the task, however long the file is. The first query reads the file.
 */
export interface TaskIndex {
  /** The task from the file; undefined if the file does not have it. */
  find(id: TaskId): PastTask | undefined;
  /** The newest task of this agent. */
  taskOfAgent(id: AgentId): TaskId | undefined;
}

/** @param outputFileOf path of a task's output */
export function createTaskIndex(file: string, outputFileOf: (id: TaskId) => string): TaskIndex {
  /** Begin and end of each line of a task, one after the other. */
  const lines = new Map<string, number[]>();
  const tasks = new Map<string, TaskId>();
  /** Number of indexed bytes. */
  let known = 0;

  const learn = (line: string, from: number): void => {
    const id = ID.exec(line)?.[1];
    if (id === undefined) return;
    const places = lines.get(id);
    if (places === undefined) lines.set(id, [from, from + line.length]);
    else places.push(from, from + line.length);
    const agentId = IS_FIRST.test(line) ? AGENT_ID.exec(line)?.[1] : undefined;
    if (agentId !== undefined) tasks.set(agentId, id as TaskId); // written by a task registry
  };

  /** A last line without its newline is being written: the next query reads it. */
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
    let descriptor: number | undefined;
    try {
      descriptor = openRegularFile(file);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
    if (descriptor === undefined) return undefined;
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
          return TaskEntry.safeParse(tryParseJson(line)).data ?? []; // a damaged line is reported when the session is resumed
        });
        return toPastTasks(entries, outputFileOf).get(id);
      }),
    taskOfAgent: (id) => withFile(() => tasks.get(id)),
  };
}

const FIRST_LOOK_BYTES = 1_048_576;

/** The first ID of a line: an outcome after it may have any fields. In a text the quotes would be escaped. */
const ID = /"id":"([^"\\]+)"/;
/** Constant fields are on a task's first line. */
const IS_FIRST = /"status":"\w+","kind":"/;
const AGENT_ID = /"agentId":"([^"\\]+)"/;
