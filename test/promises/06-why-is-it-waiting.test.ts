import { execFileSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { afterAll, describe, expect, it } from 'vitest';
import type { InspectedActor } from '../../src/actors/contract/inspected-actor.js';
import type { FakeReply } from '../../src/testing/fake-reply.js';
import { agent, answer, bash, firstPrompt, write } from '../e2e/support/answers.js';
import { findActor, ps, psUntil, type Seen } from '../e2e/support/live-tree.js';
import { createPlace } from '../e2e/support/place.js';
import { ASKS, say as prompt } from '../e2e/support/stream-client.js';
import { createGate } from '../support/gate.js';
import { allActors } from '../support/inspected.js';
import { fixture } from '../support/mcp/servers.js';
import { teammateCall } from '../support/team-script.js';

const report: string[] = [];
afterAll(() => console.log(['why is it waiting', ...report].join('\n  ')));

const IN_FRONT = { run_in_background: false };
const SILENT: FakeReply = { connection: 'silent' };
const retryLater = (status: number): FakeReply => ({ status, headers: { 'retry-after': '300' } });

describe('promise 6: why is it waiting?', () => {
  it('says for each actor of one tree what it waits for and since when', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    execFileSync('mkfifo', [place.at('never')]);
    const waits = `read -r line <${place.at('never')}`;
    await mkdir(join(place.home, '.claude'));
    const hook = { type: 'command', command: waits, if: 'Bash(touch hooked)' };
    await writeFile(
      join(place.home, '.claude/settings.json'),
      JSON.stringify({ hooks: { PreToolUse: [{ hooks: [hook] }] } }),
    );
    const { command, args = [] } = fixture();
    const again = `[ -e again ] && exec sleep 600; touch again; exec ${command} ${args.join(' ')}`;
    await place.write({
      'servers.json': JSON.stringify({
        mcpServers: { f: { command: '/bin/sh', args: ['-c', again] } },
      }),
    });
    const agents = {
      cheap: { description: 'Another model.', prompt: 'Work.', model: 'haiku' },
      dear: { description: 'A third model.', prompt: 'Work.', model: 'opus' },
      capped: { description: 'With a budget.', prompt: 'Work.', taskBudget: { tokens: 50_000 } },
    };
    const starts = (name: string, type = 'worker', more: object = {}) =>
      agent(name, { name, subagent_type: type, run_in_background: true, ...more });
    const isLimited = createGate();
    const alone = (reply: FakeReply) => [reply, { text: 'Never.' }];
    const say = answer({
      go: [
        { tools: [{ name: 'TeamCreate', input: { team_name: 'crew' } }] },
        {
          tools: [
            teammateCall('ready', { prompt: 'ready' }),
            starts('asking'),
            starts('silent'),
            starts('talking'),
            starts('refused', 'cheap'),
            starts('overloaded', 'dear'),
            starts('capped', 'capped'),
            starts('owner', 'general-purpose'),
            starts('shell'),
            starts('queueing'),
            starts('hooked'),
            starts('crashing'),
          ],
        },
        async () => {
          await isLimited.opened;
          return { tools: [starts('limited', 'cheap')] };
        },
        { text: 'Waiting.' },
      ],
      asking: alone({ tools: [write(place.at('a.txt'), 'a')] }),
      silent: [SILENT],
      talking: [
        { text: 'Never.', gate: (index) => (index === 3 ? new Promise(() => {}) : undefined) },
      ],
      refused: [retryLater(429)],
      overloaded: [retryLater(529)],
      capped: alone({
        tools: ['half1', 'half2'].map((name) => starts(name, 'worker', IN_FRONT)),
      }),
      half1: [SILENT],
      half2: [SILENT],
      owner: alone({ tools: [starts('child', 'worker', IN_FRONT)] }),
      child: [SILENT],
      shell: alone({ tools: [bash(waits, { description: 'reads' })] }),
      queueing: alone({ tools: [bash(waits, { description: 'in front' }), bash('true')] }),
      hooked: alone({ tools: [bash('touch hooked')] }),
      crashing: [
        { tools: [{ name: 'mcp__f__crash', input: {} }] },
        { tools: [{ name: 'mcp__f__slow', input: {} }] },
        { text: 'Crashed.' },
      ],
      limited: [SILENT],
      two: [{ tools: [starts('first'), starts('second')] }, { text: 'Waiting.' }],
      first: [SILENT],
      second: [SILENT],
    });
    const api = await place.api({
      handler: (request) =>
        firstPrompt(request.body).endsWith('\nready') ? { text: 'Ready.' } : say(request),
    });
    const flags = ['--mcp-config', 'servers.json', '--agents', JSON.stringify(agents)];
    const rules = ['--allowedTools', 'Bash(read *),Bash(true),mcp__f'];
    const startedAt = Date.now();
    const troupe = place.start([...ASKS, ...flags, ...rules], { api, input: 'open' });
    const full = place.start([...ASKS, '--max-concurrent-agents', '1'], { api, input: 'open' });
    const idle = place.start(ASKS, { api, input: 'open' });
    troupe.send(prompt('go'));
    full.send(prompt('two'));
    idle.send({ type: 'control_request', request_id: '1', request: { subtype: 'initialize' } });
    await psUntil(place, (seen) =>
      findActor(
        seen,
        ({ label, waitingFor }) =>
          label === 'refused' && waitingFor[0]?.startsWith('the rate') === true,
      ),
    );
    isLimited.open();

    const expected = {
      [troupe.pid]: [
        'agent asking, acting: Write',
        'agent capped, acting: Agent | Agent',
        'agent child, sampling: the first event of the model, requested at TIME',
        'agent crashing, acting: mcp__f__slow',
        'agent half, sampling: the budget of capped: running model requests have reserved the rest of it',
        'agent half, sampling: the first event of the model, requested at TIME',
        'agent hooked, acting: Bash',
        'agent limited, sampling: the rate limit of claude-haiku-5-5 until TIME',
        'agent main, idle.waiting: 12 sub-agents | input',
        'agent overloaded, sampling: retry 1 of the model request at TIME (529)',
        'agent owner, acting: Agent',
        'agent queueing, acting: Bash | Bash',
        'agent ready, idle.open: mail',
        'agent refused, sampling: the rate limit of claude-haiku-5-5 until TIME | retry 1 of the model request at TIME (429)',
        'agent shell, acting: Bash',
        'agent silent, sampling: the first event of the model, requested at TIME',
        'agent talking, sampling: the next event of the model, the last one came at TIME',
        'local_bash in front, running.active: the end of process PID',
        'local_bash reads, running.active: the end of process PID',
        'mcpConnection f, reconnecting.trying: an answer to reconnection attempt 1 (it ended (by SIGKILL))',
        'permissionRequest ASK, waiting: a decision by stdio',
        'toolCall Agent, executing: the end of child',
        'toolCall Agent, executing: the end of half',
        'toolCall Agent, executing: the end of half',
        'toolCall Bash, deciding.gathering: the hook read -r line <never',
        'toolCall Bash, executing: the end of in front',
        'toolCall Bash, executing: the end of reads',
        'toolCall Bash, queued: the calls before it',
        'toolCall Write, deciding.asking: a decision on ASK by stdio',
        'toolCall mcp__f__slow, executing: the result of its tool',
      ],
      [full.pid]: [
        'agent first, sampling: the first event of the model, requested at TIME',
        'agent main, idle.waiting: 2 sub-agents | input',
        'local_agent second, pending: a slot (1 of 1 in the queue)',
      ],
      [idle.pid]: ['agent main, idle.open: input'],
    };
    const linesOf = (seen: readonly Seen[]): Readonly<Record<number, readonly string[]>> =>
      Object.fromEntries(seen.map(({ pid, tree }) => [pid, waitsIn(tree, place.cwd)]));
    /** The server and the hook have begun: a process is seen a moment after what waits for it. */
    const haveProcesses = (now: readonly Seen[]): boolean =>
      ['mcpConnection f', 'local_agent hooked'].every(
        (one) =>
          findActor(
            now,
            ({ kind, label, pid }) => `${kind} ${label}` === one && pid !== undefined,
          ) !== undefined,
      );
    const seen = await psUntil(place, (now) =>
      isDeepStrictEqual(linesOf(now), expected) && haveProcesses(now) ? now : undefined,
    ).catch(() => ps(place)); // so that the failed test shows the differences
    expect(linesOf(seen)).toEqual(expected);

    const actors = seen.flatMap(({ tree }) => allActors(tree));
    const now = Date.now();
    expect(actors.filter(({ since }) => since < startedAt || since > now)).toEqual([]);
    const times = actors.flatMap(({ waitingFor }) =>
      waitingFor.flatMap((wait) => /(?:asked|heard) at (\S+Z)/.exec(wait)?.[1] ?? []),
    );
    expect(times.filter((time) => Date.parse(time) < startedAt || Date.parse(time) > now)).toEqual(
      [],
    );
    expect(await ps(place)).toEqual(seen); // an idle tree looks the same at any time
    report.push(
      `${actors.length} actors of ${seen.length} processes, ${Object.values(expected).flat().length} with a wait, ${times.length} model streams: as expected in two looks`,
    );
    for (const one of [idle, full, troupe]) one.kill('SIGTERM');
    expect(
      (await Promise.all([idle, full, troupe].map((one) => one.ended))).map(({ code }) => code),
    ).toEqual([143, 143, 143]);
  });
});

/**
 * Every actor that waits for something else than tasks below it, and what for, sorted. Ids stand as names, so that only
 * what differs between two runs is left out.
 */
function waitsIn(tree: InspectedActor, cwd: string): readonly string[] {
  const actors = allActors(tree);
  const nameOf = ({ kind, label }: InspectedActor): string =>
    kind === 'permissionRequest'
      ? 'ASK'
      : kind === 'toolCall'
        ? (label.split('(', 1)[0] as string)
        : label.replace(/\d$/, '');
  const names = new Map(actors.map((actor) => [actor.id, nameOf(actor)]));
  const inWords = (wait: string): string =>
    wait
      .replace(/\d{4}-\S+Z/g, 'TIME')
      .replace(/process \d+/, 'process PID')
      .replace(/\(The model's endpoint answered (\d+).*\)$/, '($1)')
      .replace(`${cwd}/`, '')
      .replace(/[\w-]+/g, (word) => names.get(word) ?? word)
      .replace(/^tool call /, '');
  return actors
    .filter(({ kind, state, waitingFor }) =>
      /agent$|session|teammate/.test(kind) && kind !== 'agent'
        ? state === 'pending'
        : waitingFor.length > 0,
    )
    .map(
      (actor) =>
        `${actor.kind} ${nameOf(actor)}, ${actor.state}: ${actor.waitingFor.map(inWords).join(' | ')}`,
    )
    .toSorted();
}
