import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import type { Hop, PermissionRequest } from '../../src/core/events.js';
import { agent, answer, bash, requestsOf, results, textOf, write } from '../e2e/support/answers.js';
import { journalLines } from '../e2e/support/journal-files.js';
import { findActor, ps } from '../e2e/support/live-tree.js';
import { createPlace } from '../e2e/support/place.js';
import { ASKS, isAskFor, reply, say } from '../e2e/support/stream-client.js';
import type { Line } from '../e2e/support/troupe-process.js';
import { createGate } from '../support/gate.js';
import { linesOf } from '../support/journals.js';
import { createChangeTool } from '../support/probe-tools.js';
import { agentCall, playParts } from '../support/scripts.js';
import { ASK_FIRST, createTroupe, defineAgent } from '../support/troupe.js';

const report: string[] = [];
afterAll(() => console.log(['live permission path', ...report].join('\n  ')));

const isTaskStart = (description: string) => (line: Line) =>
  line['subtype'] === 'task_started' && line['description'] === description;

describe('promise 2: live permission path', () => {
  it('brings an ask from three deep to the client while siblings work; what is denied above is not asked', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    execFileSync('mkfifo', [place.at('never')]);
    await mkdir(join(place.home, '.claude'));
    const hook = { type: 'command', command: 'echo not here >&2; exit 2', if: 'Bash(touch hook*)' };
    await writeFile(
      join(place.home, '.claude/settings.json'),
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
    );
    const agents = {
      strict: { description: 'Never asks.', prompt: 'Work.', permissionMode: 'dontAsk' },
      reader: { description: 'Only reads.', prompt: 'Work.', disallowedTools: ['Write'] },
      lax: { description: 'Would do all.', prompt: 'Work.', permissionMode: 'bypassPermissions' },
    };
    const starts = (prompt: string, type = 'general-purpose', isBackgrounded = false) =>
      agent(prompt, { subagent_type: type, run_in_background: isBackgrounded });
    const waits = (description: string, isBackgrounded = false) =>
      bash(`read -r line <${place.at('never')}`, {
        description,
        run_in_background: isBackgrounded,
      });
    const api = await place.api({
      handler: answer({
        go: [
          {
            tools: [
              starts('sibling', 'worker', true),
              starts('strict', 'strict', true),
              starts('reader', 'reader', true),
              starts('one', 'general-purpose', true),
            ],
          },
          { text: 'Waiting.' },
        ],
        sibling: [{ tools: [waits('the sibling works')] }, { text: 'Never.' }],
        strict: [{ tools: [starts('below strict', 'lax')] }, { text: 'Strict.' }],
        'below strict': [{ tools: [starts('deep in strict', 'lax')] }, { text: 'Done.' }],
        'deep in strict': [{ tools: [write(place.at('strict.txt'), 'x')] }, { text: 'Done.' }],
        reader: [{ tools: [starts('below reader', 'lax')] }, { text: 'Reader.' }],
        'below reader': [{ tools: [starts('deep in reader', 'lax')] }, { text: 'Done.' }],
        'deep in reader': [{ tools: [write(place.at('reader.txt'), 'x')] }, { text: 'Done.' }],
        one: [{ tools: [waits('one works', true), starts('two')] }, { text: 'One.' }],
        two: [{ tools: [starts('three')] }, { text: 'Two.' }],
        three: [
          { tools: [bash('touch ruled')] },
          { tools: [bash('touch hooked')] },
          { tools: [bash('touch asked')] },
          { text: 'Three.' },
        ],
      }),
    });
    const troupe = place.start(
      [...ASKS, '--agents', JSON.stringify(agents), '--allowedTools', 'Bash(read *)'].concat([
        '--disallowedTools',
        'Bash(touch ruled)',
      ]),
      { api, input: 'open' },
    );
    troupe.send(say('go'));

    const ask = await troupe.line('the ask', isAskFor('touch asked'));
    const arrivedAt = Date.now();
    const three = troupe.lines.find(isTaskStart('three'));
    expect(three).toMatchObject({ spawn_depth: 3 });
    expect(ask['request']).toMatchObject({
      tool_name: 'Bash',
      input: { command: 'touch asked' },
      agent_id: three?.['task_id'],
    });
    const seen = await ps(place);
    const shown = findActor(seen, ({ kind }) => kind === 'permissionRequest');
    expect([shown?.id, shown?.waitingFor]).toEqual([ask['request_id'], ['a decision by stdio']]);
    const works = ['the sibling works', 'one works'].map(
      (label) => findActor(seen, (actor) => actor.label === label)?.state,
    );
    expect(works).toEqual(['running.active', 'running.active']);

    troupe.send(reply(ask, { behavior: 'allow' }));
    const ended = (description: string): Promise<Line> => {
      const id = troupe.lines.find(isTaskStart(description))?.['task_id'];
      return troupe.line(
        `the end of ${description}`,
        (line) => line['subtype'] === 'task_notification' && line['task_id'] === id,
      );
    };
    const ends = await Promise.all(['three', 'strict', 'reader'].map(ended));
    expect(ends.map(({ status }) => status)).toEqual(['completed', 'completed', 'completed']);

    const audit = await journalLines(await place.session(), 'audit.jsonl');
    const answers = audit.filter(({ type }) => type === 'permission.answered');
    expect(answers).toHaveLength(1);
    const { by, agentId, path } = answers[0] as unknown as {
      by: string;
      agentId: string;
      path: readonly Hop[];
    }; // as audit.jsonl has it
    const tasks = ['three', 'two', 'one'].map(
      (name) => troupe.lines.find(isTaskStart(name))?.['task_id'],
    );
    const sessionTask = findActor(seen, ({ kind }) => kind === 'session')?.id;
    const use = (ask['request'] as { tool_use_id: string }).tool_use_id;
    expect([by, ...path.map(({ actor, verdict }) => `${actor} ${verdict}`)]).toEqual([
      'stdio',
      `${use} asked`,
      ...[agentId, ...tasks, sessionTask, 'orchestrator'].map((actor) => `${actor} passed on`),
      'desk allowed',
    ]);
    const times = path.map(({ at }) => at);
    expect(times).toEqual(times.toSorted((a, b) => a - b));
    const [askedAt = 0] = times;
    const climbedMs = (times.at(-2) ?? Infinity) - askedAt;
    expect(climbedMs).toBeLessThan(250);

    const told = (prompt: string): readonly string[] =>
      requestsOf(api, prompt).flatMap((request) =>
        results(request).map(({ content, is_error }) => `${is_error ?? false} ${textOf(content)}`),
      );
    expect(told('three')).toEqual([
      expect.stringMatching(/^true .*denied by the rule Bash\(touch ruled\)/),
      expect.stringMatching(/^true .*denied by the hook .*not here/),
      expect.stringMatching(/^false /),
    ]);
    expect(told('deep in strict')).toEqual([
      expect.stringMatching(/^true .*nobody is asked in the mode dontAsk/),
    ]);
    expect(told('deep in reader')).toEqual([expect.stringMatching(/^true No tool named "Write"/)]);
    expect(await place.files()).toEqual(['asked', 'never']);
    expect(troupe.lines.filter(({ type }) => type === 'control_request')).toHaveLength(1);
    expect(api.problems).toEqual([]);
    report.push(
      `over stdio: 1 ask of 5 uses at depth 3, ${path.length} hops in ${climbedMs} ms, at the client after ${arrivedAt - askedAt} ms`,
      `2 siblings worked meanwhile; a rule, a hook, a mode and a missing tool of ancestors denied 4 uses`,
    );
    troupe.kill('SIGTERM');
    expect((await troupe.ended).code).toBe(143);
  });

  it('shows every ask to every surface, and takes an answer by its id from any of them', async () => {
    const { tool, ran } = createChangeTool();
    const names = ['ann', 'ben', 'cleo'];
    const { troupe } = await createTroupe(
      playParts({
        main: [
          { tools: names.map((name) => agentCall('lead', { name, background: true })) },
          { text: 'Done.' },
        ],
        lead: [
          ({ origin }) => ({ tools: [agentCall('worker', { name: `${origin.name}’s worker` })] }),
          { text: 'Led.' },
        ],
        worker: [
          ({ origin }) => ({ tools: [agentCall('sub', { name: `${origin.name}’s sub` })] }),
          { text: 'Worked.' },
        ],
        sub: [
          ({ origin }) => ({
            tools: [{ name: 'Change', input: { what: origin.name?.split('’')[0] } }],
          }),
          { text: 'Changed.' },
        ],
      }),
      {
        agents: ['lead', 'worker', 'sub'].map((name) => defineAgent(name)),
        tools: [tool],
        permissions: ASK_FIRST,
      },
    );
    const shown: Record<'screen' | 'phone', PermissionRequest[]> = { screen: [], phone: [] };
    let withdrawn = 0;
    const all = createGate();
    const attach = (surface: 'screen' | 'phone') =>
      troupe.approvals.onRequest(
        (request, { signal }) => {
          shown[surface].push(request);
          if (shown[surface].length === names.length) all.open();
          return new Promise((resolve) => {
            signal.addEventListener('abort', () => {
              withdrawn += 1;
              resolve(undefined);
            });
          });
        },
        { by: `the ${surface}` },
      );
    attach('screen');
    const session = troupe.session({ prompt: 'Go.' });
    await all.opened;
    attach('phone'); // later than the asks
    const whatOf = ({ input }: PermissionRequest): string => String(input['what']);
    expect(shown.phone.map(whatOf)).toEqual(shown.screen.map(whatOf));
    const receipts = await Promise.all(
      shown.phone
        .toReversed()
        .map((request) =>
          troupe.approvals.decide(
            request.requestId,
            whatOf(request) === 'ben'
              ? { behavior: 'deny', message: 'not this one' }
              : { behavior: 'allow' },
            'the phone',
          ),
        ),
    );
    expect(receipts).toEqual(names.map(() => ({ status: 'accepted' })));
    expect((await session.outcome).status).toBe('completed');
    expect(ran.toSorted()).toEqual(['ann', 'cleo']);
    expect(withdrawn).toBe(2 * names.length);
    const answered = await linesOf(session, 'audit.jsonl', 'permission.answered');
    expect(
      answered
        .map(({ by, input, behavior }) => `${JSON.stringify(input)} ${by}: ${behavior}`)
        .toSorted(),
    ).toEqual([
      '{"what":"ann"} the phone: allow',
      '{"what":"ben"} the phone: deny',
      '{"what":"cleo"} the phone: allow',
    ]);
    report.push(`in process: ${receipts.length} asks open at once on 2 surfaces, answered by id`);
  });
});
