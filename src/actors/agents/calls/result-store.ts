import { existsSync } from 'node:fs';
import type { TaskId } from '../../../core/ids.js';
import type { SessionFiles } from '../../../journal/journal.js';

/** Writes the text of a result to a new file of the session, and resolves with its absolute path. */
export type ResultStore = (text: string) => Promise<string>;

/** The files are numbered, since any text may be an ID; a run over the same journal continues the numbers. */
export function createResultStore(journal: SessionFiles, taskId: TaskId): ResultStore {
  let stored = 0;
  return (text) => {
    let file: string;
    do file = `output/${taskId}-${(stored += 1)}.txt`;
    while (existsSync(journal.pathOf(file)));
    journal.appendText(file, text);
    return Promise.resolve(journal.pathOf(file));
  };
}
