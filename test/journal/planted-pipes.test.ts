import { execFileSync } from 'node:child_process';
import { mkdirSync, statSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { z } from 'zod';
import { keepPrompt, readPrompt } from '../../src/actors/services/frozen-prompt.js';
import { readOutput } from '../../src/api/sessions/journal.js';
import { listListeners } from '../../src/cli/control/running.js';
import { createTaskId } from '../../src/core/ids.js';
import { createJournal } from '../../src/journal/journal.js';
import { readJournal } from '../../src/journal/read-journal.js';
import { createTaskIndex } from '../../src/journal/readers/task-index.js';
import { projectFolder } from '../../src/journal/sessions/find-session.js';
import { createFiles } from '../support/files.js';

const Line = z.looseObject({ type: z.string() });
const ID = '00000000-0000-4000-8000-000000000000';

let home: string;
let directory: string;
beforeEach(async () => {
  home = await createFiles({});
  directory = join(projectFolder(home, '/work'), ID);
  mkdirSync(directory, { recursive: true });
});

/** @returns the path of the pipe, in the folder of the session */
function plantPipe(name: string, folder = directory): string {
  const path = join(folder, name);
  execFileSync('mkfifo', [path]);
  return path;
}

function openJournal() {
  const journal = createJournal({
    directory,
    sharedFolder: home,
    sessionId: ID,
    now: () => 1,
  });
  onTestFinished(() => journal.close());
  return journal;
}

describe('a pipe in the home of Troupe', () => {
  it('is refused in the place of a journal, and so are devices and folders', async () => {
    const device = join(directory, 'device.jsonl');
    symlinkSync('/dev/zero', device);
    for (const file of [plantPipe('audit.jsonl'), device, directory])
      await expect(readJournal(file, Line)).rejects.toThrow(`${file}:1: it is not a regular file`);
  });

  it('is refused in the place of a journal to append to', () => {
    plantPipe('audit.jsonl');
    expect(() => openJournal().append('audit.jsonl', { type: 'x' })).toThrow(
      'The journal cannot be written: it is not a regular file (audit.jsonl)',
    );
  });

  it('has no tasks', () => {
    const index = createTaskIndex(plantPipe('tasks.jsonl'), (id) => id);
    expect(index.find(createTaskId('local_agent'))).toBeUndefined();
  });

  it('is refused in the place of a prompt, and replaced when the prompt is written', async () => {
    const prompt = { system: ['Be brief.'], tools: [] };
    const digest = keepPrompt(openJournal(), prompt);
    const file = join(home, 'prompts', `${digest}.json`);
    const text = await readFile(file, 'utf8');
    execFileSync('rm', [file]);
    plantPipe(`${digest}.json`, join(home, 'prompts'));
    expect(() => readPrompt(directory, digest)).toThrow(`${file}:1: it is not a regular file`);
    keepPrompt(openJournal(), prompt);
    expect(statSync(file).isFile()).toBe(true);
    expect(await readFile(file, 'utf8')).toBe(text);
    expect(readPrompt(directory, digest)).toEqual(prompt);
  });

  it('has no output', async () => {
    mkdirSync(join(directory, 'output'));
    plantPipe('b1', join(directory, 'output'));
    expect(await readOutput(home, { sessionId: ID, task: 'b1', from: 0 })).toEqual({
      text: '',
      next: 0,
    });
  });

  it('is no running troupe', () => {
    mkdirSync(join(home, 'run'));
    plantPipe('1-a.json', join(home, 'run'));
    expect(listListeners(home)).toEqual([]);
  });
});

describe('a journal that is too long for a string', () => {
  it('is refused unread', async () => {
    const file = join(directory, 'audit.jsonl');
    writeFileSync(file, '');
    truncateSync(file, 600_000_000);
    await expect(readJournal(file, Line)).rejects.toThrow(
      `${file}: The file has more than 536 MB.`,
    );
  });
});
