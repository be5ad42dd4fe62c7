import { execFile } from 'node:child_process';
import { readlinkSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import type { ModelEvent } from '../../src/model/model.js';
import { loadScriptFile } from '../../src/model/scripted/load-script.js';
import { createScriptedModel } from '../../src/model/scripted/scripted-model.js';
import { comparePrefix } from '../../src/testing/compare-prefix.js';
import type { FakeRequest } from '../../src/testing/fake-messages-api.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import { countProcesses, processesWith, until } from '../processes/processes.js';
import { createGate } from '../support/gate.js';
import { openScreen } from '../support/screen.js';
import {
  agent,
  answer,
  bash,
  firstPrompt,
  newestText,
  requestsOf,
  write,
} from './support/answers.js';
import { journalLines } from './support/journal-files.js';
import { createPlace } from './support/place.js';
import { COMMAND } from './support/troupe-process.js';

const WRONG_EDIT = `
version: 1
agents:
  - agent: coordinator
    steps:
      - tools:
          - name: Agent
            input: { subagent_type: worker, description: Repair it, prompt: Repair report.js. }
      - when: { user: 'is repaired' }
        text: All is repaired, all tests pass.
      - when: { tool: Agent }
        text: I wait.
  - agent: worker
    steps:
      - tools: [{ name: Read, input: { file_path: '\${cwd}/src/report.js' } }]
      - when: { tool: Read, isError: false }
        tools:
          - name: Edit
            input:
              file_path: '\${cwd}/src/report.js'
              old_string: line.length + 1 + word.length < width
              new_string: line.length + 2 + word.length < width
      - when: { tool: Edit, isError: false }
        text: report.js is repaired.
`;

/** Makes the tests of the copy take much longer than this test. */
const SLOW_TESTS = `
version: 1
agents:
  - agent: coordinator
    steps:
      - tools: [{ name: Read, input: { file_path: '\${cwd}/test/split.test.js' } }]
      - when: { tool: Read, isError: false }
        tools:
          - name: Edit
            input:
              file_path: '\${cwd}/test/split.test.js'
              old_string: import assert from 'node:assert/strict';
              new_string: import assert from 'node:assert/strict'; await new Promise((done) => setTimeout(done, 50_000));
      - when: { tool: Edit, isError: false }
        text: They are slow now.
`;

/** The working folder of a process; empty if it has ended. */
function folderOf(pid: number): string {
  try {
    return readlinkSync(`/proc/${pid}/cwd`);
  } catch {
    return '';
  }
}

/** The first session that a control room lists. */
async function firstSession(address: string): Promise<unknown> {
  const { origin, hash } = new URL(address);
  const listed = await fetch(`${origin}/events`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${hash.replace('#token=', '')}`,
      'content-type': 'application/json',
      origin,
    },
    body: '{}',
  });
  let text = '';
  for await (const piece of listed.body ?? []) {
    text += Buffer.from(piece).toString();
    const [, data] = /^event: sessions\ndata: (.*)\n\n/m.exec(text) ?? [];
    if (data === undefined) continue;
    const { changed } = JSON.parse(data) as { changed: readonly Record<string, unknown>[] };
    return { status: changed[0]?.['status'], prompt: changed[0]?.['prompt'] };
  }
  return undefined;
}

// the demo runs real test suites, which take their time on a busy machine
describe.concurrent('troupe demo', { timeout: 60_000 }, () => {
  it('has three workers repair a copy at the same time, and says who did what', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const demo = place.start(['demo', '--web']);
    const address = await vi.waitFor(() => {
      const [, found] = /shows the recorded session until Ctrl-C: (\S+)/.exec(demo.printed) ?? [];
      return found ?? Promise.reject(new Error(demo.printed));
    }, 50_000);
    expect(await firstSession(address)).toEqual({
      status: 'completed',
      prompt: expect.stringContaining('Some tests of this library fail.') as string,
    });
    demo.kill('SIGINT');
    const { code, stdout, stderr } = await demo.ended;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });

    // the tree while it runs
    for (const name of ['ada', 'ben', 'cleo'])
      expect(stdout).toMatch(new RegExp(`[├└]─ ${name} +acting`));
    // the report
    expect(stdout).toMatch(/allowed by demo[^]*path: ben → main → demo\n/);
    expect(stdout).toContain('git push origin main: denied by the rule Bash(git push *)');
    expect(stdout).toMatch(/11 pass, 0 fail: they pass/);
    const copy = /The repaired copy: +(\S+)/.exec(stdout)?.[1] ?? '';
    const journal = /The journal: +(\S+)/.exec(stdout)?.[1] ?? '';
    expect(copy.startsWith(place.temporary)).toBe(true);
    expect(journal).toBe(await place.session());

    // three processes at one instant
    const lines = await journalLines(journal, 'tasks.jsonl');
    const runs = lines
      .filter((line) => line.type === 'process.ended')
      .map((line) => line as unknown as { startedAt: number; endedAt: number; id: string });
    const owners = new Map(
      lines.flatMap((line) => ('parentId' in line ? [[line['id'], line['parentId']]] : [])),
    );
    const most = Math.max(
      ...runs.map(({ startedAt: at }) => {
        const open = runs.filter(({ startedAt, endedAt }) => startedAt <= at && at < endedAt);
        return new Set(open.map(({ id }) => owners.get(id))).size;
      }),
    );
    expect(most).toBe(3);

    // the tests of the copy pass, and nothing of it runs any more
    const { stdout: tests } = await promisify(execFile)(process.execPath, ['--test'], {
      cwd: copy,
      env: { PATH: process.env['PATH'] ?? '' },
    });
    expect(tests).toMatch(/pass 11[^]*fail 0/);
    expect(countProcesses(place.temporary)).toBe(0);
  });

  it.for([
    ['is drawn again in place with NO_COLOR', { NO_COLOR: '1' }, true],
    ['is plain lines at a terminal that cannot do that', { TERM: 'dumb' }, false],
  ] as const)('%s', async ([, more, isDrawn], { onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const screen = openScreen([process.execPath, COMMAND, 'demo'], {
      cwd: place.cwd,
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: place.home,
        TROUPE_HOME: place.troupeHome,
        TMPDIR: place.temporary,
        TERM: 'xterm-256color',
        ...more,
      },
      onTestFinished,
    });
    expect(await screen.ended).toBe(0);
    expect(screen.all()).toContain('11 pass, 0 fail: they pass');
    expect(screen.written.includes('\u001b[')).toBe(isDrawn);
  });

  it('leaves nothing behind if it is interrupted', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const demo = place.start(['demo']);
    await until('a command runs', () => countProcesses(place.temporary) > 0);
    demo.kill('SIGINT');
    const { code, stderr } = await demo.ended;
    expect({ code, stderr }).toEqual({ code: 130, stderr: '' });
    expect(await readdir(place.temporary)).toEqual([]);
  });

  it('leaves nothing behind if it is interrupted while the tests of the copy run', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'slow.yaml': SLOW_TESTS });
    const demo = place.start(['demo', '--model', 'scripted:slow.yaml']);
    // the path of the test is absolute or not, by the version of Node
    const tests = (): readonly number[] =>
      processesWith('test/split.test.js').filter((pid) =>
        folderOf(pid).startsWith(place.temporary),
      );
    await until('a test runs', () => tests().length > 0);
    demo.kill('SIGINT');
    expect(await demo.ended).toMatchObject({ code: 130, stderr: '' });
    expect(await readdir(place.temporary)).toEqual([]);
    await until('the tests have ended', () => tests().length === 0);
  });

  it('says where the work of a real model is if it is interrupted', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const asked = createGate();
    const never = createGate<FakeReply>();
    const api = await place.api({
      handler: () => {
        asked.open();
        return never.opened;
      },
    });
    const demo = place.start(['demo', '--model', 'claude-sonnet-4-5'], { api });
    await asked.opened;
    demo.kill('SIGINT');
    const { code, stderr } = await demo.ended;
    const [folder = ''] = await readdir(place.temporary);
    expect({ code, stderr }).toEqual({
      code: 130,
      stderr: `troupe: The demo was interrupted. Its work: ${join(place.temporary, folder)}\n`,
    });
  });

  it('exits with 1 if an edit was wrong, whatever the agents say', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    await place.write({ 'wrong.yaml': WRONG_EDIT });
    const { code, stdout } = await place.run(['demo', '--model', 'scripted:wrong.yaml']);
    expect(code).toBe(1);
    expect(stdout).toContain('All is repaired, all tests pass.');
    expect(stdout).toMatch(/8 pass, 3 fail: THEY DO NOT PASS/);
  });
});

/** The demo's own script behind the fake API: who asks is read off the request. */
async function playDemoScript({ body }: FakeRequest): Promise<FakeReply> {
  const system = JSON.stringify(body['system']);
  const cwd = /Working directory: ([^\\"]+)/.exec(system)?.[1] ?? '';
  const isCoordinator = system.includes('You are a coordinator');
  const names = { split: 'ada', calendar: 'ben', report: 'cleo' };
  const module = /src\/(split|calendar|report)\.js/.exec(firstPrompt(body))?.[1];
  const script = await loadScriptFile('examples/demo-script.yaml', { variables: { cwd } });
  const stream = await createScriptedModel(script, { variables: { cwd } }).stream(
    {
      model: body.model,
      maxTokens: 1,
      system: [],
      tools: [],
      messages: body.messages as never, // as the model edge sent them
      origin: {
        agentId: isCoordinator ? 'coordinator' : String(module),
        agentType: isCoordinator ? 'coordinator' : 'worker',
        ...(isCoordinator ? {} : { name: names[module as keyof typeof names] }),
      },
    },
    { signal: new AbortController().signal },
  );
  const events: ModelEvent[] = [];
  for await (const event of stream) events.push(event);
  return { events };
}

/** The suites of the demo run a dozen times; a test below shows that requests extend each other. */
const isDeep = process.env['TROUPE_DEEP'] !== undefined;

describe.runIf(isDeep)('troupe demo over HTTP', { timeout: 60_000 }, () => {
  it('sends requests that extend each other byte for byte, for each of its agents', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ handler: playDemoScript });
    const { code, stdout } = await place.run(['demo', '--model', 'claude-sonnet-5-5'], { api });
    expect({ code, problems: api.problems }).toEqual({ code: 0, problems: [] });
    expect(stdout).toMatch(/11 pass, 0 fail: they pass/);
    const prompts = new Set(api.requests.map(({ body }) => firstPrompt(body)));
    expect(prompts.size).toBe(4);
    for (const prompt of prompts) {
      const bodies = requestsOf(api, prompt).map(({ body }) => body);
      expect(bodies.length).toBeGreaterThan(3);
      expect(comparePrefix(bodies)).toBeUndefined();
    }
  });
});

describe.concurrent('a coordinator and three workers over HTTP', () => {
  it('send requests that extend each other byte for byte', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const names = ['ada', 'ben', 'cleo'];
    const prompt = (name: string): string => `You are ${name}: do your part.`;
    await place.write(Object.fromEntries(names.map((name) => [`${name}.txt`, `${name}\n`])));
    const worker = (name: string) => [
      {
        thinking: 'Look first.',
        text: 'Looking.',
        tools: [
          { name: 'Read', input: { file_path: place.at(`${name}.txt`) } },
          { name: 'Grep', input: { pattern: name } },
        ],
      },
      {
        tools: [
          {
            name: 'Edit',
            input: { file_path: place.at(`${name}.txt`), old_string: name, new_string: 'done' },
          },
          bash(`cat ${name}.txt`),
        ],
      },
      { tools: [bash(`touch ${name}.ok`), write('/etc/troupe-e2e', 'x')] },
      { text: `${name} has done its part.` },
    ];
    const api = await place.api({
      handler: answer({
        go: [
          {
            text: 'Three workers.',
            tools: names.map((name) =>
              agent(prompt(name), { subagent_type: 'worker', name, run_in_background: true }),
            ),
          },
          { text: 'I wait.' },
        ],
        ...Object.fromEntries(names.map((name) => [prompt(name), worker(name)])),
      }),
    });
    const { code, stderr } = await place.run(
      ['-p', 'go', '--agent', 'coordinator', '--permission-mode', 'acceptEdits'],
      { api },
    );
    expect({ code, stderr, problems: api.problems }).toEqual({
      code: 0,
      stderr:
        "troupe: denied: Write(/etc/troupe-e2e). Allow it: --allowedTools 'Edit(//etc/troupe-e2e)'\n",
      problems: [],
    });
    for (const conversation of ['go', ...names.map(prompt)]) {
      const bodies = requestsOf(api, conversation).map(({ body }) => body);
      expect(bodies.length).toBeGreaterThan(2);
      expect(comparePrefix(bodies)).toBeUndefined();
    }
    expect(new Set(api.requests.map(({ body }) => firstPrompt(body))).size).toBe(4);

    // each report is one block, in one request
    const told = requestsOf(api, 'go')
      .map((request) => newestText(request))
      .join('\n');
    for (const name of names)
      expect(told.split(`<result>${name} has done its part.</result>`)).toHaveLength(2);
    expect(await place.files()).toEqual(names.flatMap((name) => [`${name}.ok`, `${name}.txt`]));
  });
});
