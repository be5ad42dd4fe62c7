import { cpSync, mkdirSync, readdirSync, renameSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSessionId } from '../../../src/core/ids.js';
import { listAgentFiles } from '../../../src/journal/storage/agent-files.js';
import { homeOf } from '../../../src/journal/sessions/find-session.js';
import { listSessions } from '../../../src/journal/sessions/list-sessions.js';
import { readLog } from '../../../src/journal/readers/read-log.js';
import { readMail } from '../../../src/journal/readers/read-mail.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { agentCall, playParts } from '../../support/scripts.js';
import { createTroupe, defineAgent } from '../../support/troupe.js';

describe('a session', () => {
  it('makes four files and folders before its first tool runs', async () => {
    const seen: string[][] = [];
    const { troupe, home } = await createTroupe(
      playParts({ main: [{ tools: [{ name: 'Look', input: {} }] }, { text: 'Done.' }] }),
      {
        tools: [
          buildTool({
            name: 'Look',
            inputSchema: z.object({}),
            isReadOnly: () => true,
            call: () => {
              const names = readdirSync(join(home, 'projects'), { recursive: true });
              seen.push(names.map((name) => basename(String(name))));
              return Promise.resolve({ data: '' });
            },
          }),
        ],
      },
    );
    const session = troupe.session({ prompt: 'Go.' });
    expect(await session.outcome).toMatchObject({ status: 'completed' });
    const { directory, sessionId, agentId } = session;
    const own = [sessionId, 'lock', 'audit.jsonl', `agent-${agentId}.jsonl`];
    expect(seen).toEqual([expect.arrayContaining(own)]);
    expect(seen[0]).toHaveLength(1 + own.length); // the project's folder
    expect(readdirSync(directory).toSorted()).toEqual([own[3], 'audit.jsonl', 'tasks.jsonl']);
  });

  it.each([1, 2])('that died before its tasks were written is resumed: %j agents', async (n) => {
    const steps = [{ tools: [agentCall('worker')] }, { text: 'Done.' }, { text: 'More.' }];
    const { troupe } = await createTroupe(
      playParts({ main: n === 1 ? steps.slice(1) : steps, worker: [{ text: 'Worked.' }] }),
      { agents: [defineAgent('worker')] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    const id = createSessionId();
    const directory = join(dirname(session.directory), id);
    cpSync(session.directory, directory, {
      recursive: true,
      filter: (path) => basename(path) !== 'tasks.jsonl',
    });
    expect(listAgentFiles(directory)).toHaveLength(n);
    const next = troupe.session({ resume: id, prompt: 'Continue.' });
    expect(await next.outcome).toMatchObject({ status: 'completed', result: 'More.' });
    expect(next.agentId).toBe(session.agentId);
  });
});

describe('what a session says', () => {
  it('is read off its journal: no file is made for it', async () => {
    const { troupe } = await createTroupe(
      playParts({ main: [{ text: 'Grüße.' }, { text: 'Bye.' }] }),
    );
    const session = troupe.session({ staysOpen: true });
    expect(await session.output()).toEqual({ text: '', next: 0 });
    await session.prompt('Go.');
    expect(await session.output()).toEqual({ text: 'Grüße.\n', next: 9 });
    await session.prompt('Continue.');
    session.end();
    await session.outcome;
    expect(await session.output({ from: 9 })).toEqual({ text: 'Bye.\n', next: 14 });
    expect(readdirSync(session.directory)).not.toContain('output');
  });

  it('is what it has said since it was continued', async () => {
    const { troupe } = await createTroupe(({ messages }) => ({ text: `${messages.length}` }));
    const first = troupe.session({ prompt: 'Go.' });
    await first.outcome;
    const second = troupe.session({ resume: first.sessionId, prompt: 'Continue.' });
    await second.outcome;
    expect(await second.output()).toEqual({ text: '3\n', next: 2 });
    expect(await first.output()).toEqual({ text: '1\n', next: 2 });
  });
});

describe('a prompt', () => {
  it('is written once for all sessions that share it', async () => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    const [first, second] = [troupe.session({ prompt: 'Go.' }), troupe.session({ prompt: 'Go.' })];
    await Promise.all([first.outcome, second.outcome]);
    expect(readdirSync(join(homeOf(first.directory), 'prompts'))).toHaveLength(1);
    for (const { directory } of [first, second])
      expect(readdirSync(directory)).not.toContain('prompts');
  });
});

/** The layout of journals of long ago: agents and prompts in folders of the session. */
function toOldLayout(directory: string): void {
  const files = listAgentFiles(directory);
  mkdirSync(join(directory, 'agents'));
  for (const { agentId, path } of files)
    renameSync(path, join(directory, 'agents', `${agentId}.jsonl`));
  renameSync(join(homeOf(directory), 'prompts'), join(directory, 'prompts'));
}

describe('a session of the older layout', () => {
  const createPast = async () => {
    const steps = [
      { tools: [agentCall('worker', { prompt: 'Work.' })] },
      { text: 'Done.' },
      { text: 'More.' },
    ];
    const { troupe, home } = await createTroupe(
      playParts({ main: steps, worker: [{ text: 'Worked.' }] }),
      { agents: [defineAgent('worker')] },
    );
    const session = troupe.session({ prompt: 'Go.' });
    await session.outcome;
    toOldLayout(session.directory);
    return { troupe, home, session };
  };

  it('is listed and told as any other', async () => {
    const { home, session } = await createPast();
    expect(listSessions({ home })).toMatchObject([
      { id: session.sessionId, status: 'completed', agents: 2, turns: 2, prompt: 'Go.' },
    ]);
    const said = readLog(session).flatMap((entry) => (entry.type === 'text' ? [entry.text] : []));
    expect(said).toEqual(['Worked.', 'Done.']);
    expect(readMail(session.directory).map(({ state }) => state)).toEqual(['read', 'read']);
  });

  it('is continued in its own files, and so is a fork of it', async () => {
    const { troupe, session } = await createPast();
    const { sessionId } = session;
    const next = troupe.session({ resume: sessionId, prompt: 'Continue.' });
    expect(await next.outcome).toMatchObject({ status: 'completed', result: 'More.' });
    const fork = troupe.session({ resume: sessionId, forks: true, prompt: 'Continue.' });
    await fork.outcome;
    for (const { directory, agentId } of [next, fork]) {
      expect(readdirSync(directory).filter((name) => name.startsWith('agent-'))).toEqual([]);
      expect(readdirSync(join(directory, 'agents'))).toContain(`${agentId}.jsonl`);
    }
  });
});
