import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { UsageError } from '../../../src/core/errors.js';
import { readLog } from '../../../src/journal/readers/read-log.js';
import { createFiles } from '../../support/files.js';
import {
  endSession,
  writeSession,
  writeTurn,
  type PastSession,
} from '../../support/past-session.js';

const cwd = '/work/place';
const use = { type: 'tool_use', id: 'toolu_1', name: 'Bash', input: { command: 'ls' } };

/** A session in which one tool was used after it was asked for, and a worker looked at something meanwhile. */
async function writeWork(): Promise<PastSession & { readonly worker: string }> {
  const session = writeSession(await createFiles({}), { cwd });
  const { journal, agentId, taskId } = session;
  const main = `agents/${agentId}.jsonl` as const;
  const blocks = [{ type: 'text', text: 'Let me look.' }, use];
  journal.append(main, { type: 'step.done', key: 'turn:1/said:0', result: { blocks } });
  writeTurn(session, 1, blocks);
  const asked = { agentId, taskId, toolName: 'Bash', toolUseId: 'toolu_1', input: use.input };
  journal.append('audit.jsonl', { type: 'permission.judged', ...asked, behavior: 'ask' });
  const worker = 'aada-0123456789abcdef';
  const file = `agents/${worker}.jsonl` as const;
  const started = { agentId: worker, taskId: 'a00000001', agentType: 'worker', name: 'ada' };
  const rest = { model: 'm', permissionMode: 'bubble', cwd, prompt: 'digest' };
  journal.append(file, { type: 'agent.started', ...started, ...rest });
  writeTurn({ ...session, agentId: worker }, 1, [{ type: 'text', text: 'Nothing here.' }]);
  const answered = { ...asked, behavior: 'allow', by: 'person', waitedMs: 5 };
  journal.append('audit.jsonl', { type: 'permission.answered', ...answered });
  const result = { type: 'tool_result', tool_use_id: 'toolu_1', content: 'a\nb', is_error: true };
  journal.append(main, { type: 'step.begun', key: 'turn:1/tool:toolu_1', note: use });
  journal.append(main, { type: 'step.done', key: 'turn:1/tool:toolu_1', result });
  endSession(session);
  return { ...session, worker };
}

describe('readLog', () => {
  it('tells everything of all agents in the order of time, each once', async () => {
    const session = await writeWork();
    const main = { agentId: session.agentId, agent: 'main' };
    const ada = { agentId: session.worker, agent: 'ada' };
    const bash = { toolUseId: 'toolu_1', tool: 'Bash' };
    const log = readLog(session);
    expect(log.map(({ at: _at, ...entry }) => entry)).toEqual([
      { type: 'started', ...main, agentType: 'main', model: 'm' },
      { type: 'mail', ...main, kind: 'prompt', from: 'user', text: 'go' },
      { type: 'text', ...main, text: 'Let me look.' },
      { type: 'tool_use', ...main, ...bash, input: use.input },
      { type: 'decision', ...main, ...bash, behavior: 'ask', by: 'rules', input: use.input },
      { type: 'started', ...ada, agentType: 'worker', model: 'm' },
      { type: 'text', ...ada, text: 'Nothing here.' },
      {
        type: 'decision',
        ...main,
        ...bash,
        behavior: 'allow',
        by: 'person',
        waitedMs: 5,
        input: use.input,
      },
      { type: 'tool_result', ...main, ...bash, text: 'a\nb', isError: true },
      { type: 'ended', ...main, status: 'completed' },
    ]);
    expect(log.map(({ at }) => at)).toEqual(log.map(({ at }) => at).toSorted((a, b) => a - b));
  });

  it('shows one agent by its name, type or ID', async () => {
    const session = await writeWork();
    for (const agent of ['ada', 'worker', session.worker])
      expect(readLog(session, { agent }).map(({ type }) => type)).toEqual(['started', 'text']);
  });

  it('names the agents if none is called so', async () => {
    const session = await writeWork();
    expect(() => readLog(session, { agent: 'eve' })).toThrow(UsageError);
    expect(() => readLog(session, { agent: 'eve' })).toThrow(
      '--agent: no agent of this session has the name "eve". It has: main, ada.',
    );
  });

  it('names the tools that a search has found', async () => {
    const session = writeSession(await createFiles({}), { cwd });
    const found = ['CronList', 'WebFetch'];
    const content = found.map((tool_name) => ({ type: 'tool_reference', tool_name }));
    const result = { type: 'tool_result', tool_use_id: 'toolu_1', content };
    writeTurn(session, 1, [{ ...use, name: 'ToolSearch' }]);
    session.journal.append(`agents/${session.agentId}.jsonl`, {
      type: 'step.done',
      key: 'turn:1/tool:toolu_1',
      result,
    });
    expect(readLog(session).at(-1)).toMatchObject({
      type: 'tool_result',
      tool: 'ToolSearch',
      text: 'CronList\nWebFetch',
    });
  });

  it('tells why the model could not answer, and what was lost', async () => {
    const session = writeSession(await createFiles({}), { cwd });
    const { journal, agentId } = session;
    const failure = { code: 'MODEL_OVERLOADED', message: 'too much to do' };
    const message = { role: 'assistant', content: [] };
    journal.append(`agents/${agentId}.jsonl`, {
      type: 'step.done',
      key: 'turn:1/model',
      result: { message, stopReason: null, failure },
    });
    const lost = { id: 'b00000001', failure: { code: 'LOST', message: 'gone' } };
    journal.append('tasks.jsonl', { type: 'task.lost', ...lost });
    expect(readLog(session).slice(2)).toEqual([
      { type: 'failure', at: expect.any(Number), agentId, agent: 'main', ...failure },
      { type: 'lost', at: expect.any(Number), taskId: 'b00000001', message: 'gone' },
    ]);
  });

  it('puts a line that cannot be read in its place, with file and line, in every file', async () => {
    const session = await writeWork();
    const files = [
      session.file,
      ...['audit.jsonl', 'tasks.jsonl'].map((name) => join(session.directory, name)),
    ];
    for (const file of files) {
      const lines = readFileSync(file, 'utf8').split('\n');
      lines[1] = 'garbage';
      writeFileSync(file, lines.join('\n'));
    }
    const log = readLog(session);
    const damaged = log.flatMap((entry) => (entry.type === 'damaged' ? [entry.message] : []));
    expect(damaged.toSorted()).toEqual(
      files.map((file) => `${file}:2: not a JSON object`).toSorted(),
    );
    expect(log.map(({ type }) => type)).toContain('tool_result');
  });

  it('has nothing of a session without agents', async () => {
    expect(readLog({ directory: await createFiles({}) })).toEqual([]);
  });
});
