import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../src/api/orchestrator/orchestrator.js';
import type { SessionHandle } from '../../../../src/actors/contract/handles.js';
import type { Envelope } from '../../../../src/core/events.js';
import type { ModelRequest } from '../../../../src/model/model.js';
import { createScriptedModel } from '../../../../src/model/scripted/scripted-model.js';
import type { ScriptedReply } from '../../../../src/model/scripted/script.js';
import { toRequestBody } from '../../../../src/model/anthropic/to-request-body.js';
import { isPrefixExtension } from '../../../../src/testing/compare-prefix.js';
import { allLines, writeCut, type JournalLine } from '../../../support/cut-journal.js';
import { userTexts } from '../../../support/scripts.js';
import { sendCall, teammateCall } from '../../../support/team-script.js';
import { ALLOW_ALL, createFolder, defineAgent } from '../../../support/troupe.js';

const isDeep = process.env['TROUPE_DEEP'] !== undefined;

type Sent = {
  readonly at: number;
  readonly to: string;
  readonly texts: readonly string[];
  readonly body: object;
};

const create = (subject: string) => ({
  name: 'TaskCreate',
  input: { subject, description: 'All of it.' },
});
const update = (taskId: string, change: object) => ({
  name: 'TaskUpdate',
  input: { taskId, ...change },
});

/** Answers by how much was said before: the same in every process. */
const PARTS: Readonly<Record<string, readonly ScriptedReply[]>> = {
  main: [
    { tools: [{ name: 'TeamCreate', input: { team_name: 'crew' } }] },
    { tools: [create('one'), create('two'), update('2', { addBlockedBy: ['1'] })] },
    { tools: [teammateCall('ann'), teammateCall('bob')] },
    { text: 'Waiting.' },
  ],
  ann: [
    { tools: [update('1', { status: 'in_progress' }), sendCall('lead', 'letter a1')] },
    { tools: [sendCall('bob', 'letter a2'), update('1', { status: 'completed' })] },
    { tools: [sendCall('*', 'letter a3')] },
    { text: 'Ready.' },
  ],
  bob: [
    { tools: [sendCall('ann', 'letter b1'), sendCall('ann', 'letter b2')] },
    { tools: [update('2', { status: 'in_progress' }), sendCall('lead', 'letter b3')] },
    { text: 'Ready.' },
  ],
};

/** As it is sent. */
function toBody(request: ModelRequest): object {
  return JSON.parse(JSON.stringify(toRequestBody(request))) as object;
}

async function openWorld() {
  let clock = 1_000_000;
  const now = (): number => (clock += 1);
  const sent: Sent[] = [];
  const reply = (request: ModelRequest): ScriptedReply => {
    const { messages, origin } = request;
    const { agentId, name = '' } = origin;
    sent.push({ at: clock, to: agentId, texts: userTexts(messages), body: toBody(request) });
    const steps = PARTS[name] ?? [];
    const said = messages.filter(({ role }) => role === 'assistant').length;
    return steps[Math.min(said, steps.length - 1)] ?? { text: 'Nothing.' };
  };
  const cwd = await createFolder();
  const open = (home: string) => {
    const troupe = createOrchestrator({
      cwd,
      home,
      now,
      model: createScriptedModel(reply),
      agents: [defineAgent('worker')],
      permissions: ALLOW_ALL,
    });
    onTestFinished(() => troupe.close());
    return troupe;
  };
  return { open, sent };
}

/** The errors in the mail and the list of a session that has ended. */
function problemsOf(session: SessionHandle, sent: readonly Sent[], kept: readonly JournalLine[]) {
  const problems: string[] = [];
  const mail = session.mail().filter(({ kind }) => kind === 'message');
  const ids = session.mail().map(({ id, to }) => `${id} to ${to}`);
  for (const id of new Set(ids))
    if (ids.filter((one) => one === id).length > 1) problems.push(`${id} came twice`);
  for (const { id, to, state } of mail)
    if (state !== 'read') problems.push(`${id} to ${to} is ${state}`);
  for (const { file, fields } of kept) {
    const { kind, content } = (fields['envelope'] ?? {}) as Partial<Envelope>;
    if (kind !== 'message') continue;
    const text = String(content?.[0]?.['text']);
    const last = sent.findLast(({ to }) => file === `agent-${to}.jsonl`);
    const times = last?.texts.filter((one) => one === text).length ?? 0;
    if (times !== 1) problems.push(`${file} got ${times} times: ${text}`);
  }
  const newest = new Map<string, object>();
  for (const { to, body } of sent) {
    const before = newest.get(to);
    if (before !== undefined && !isPrefixExtension(before, body))
      problems.push(`a request of ${to} does not begin with the one before`);
    newest.set(to, body);
  }
  const list = session.teams()[0]?.list.tasks;
  for (const { fields } of kept)
    for (const task of (fields['changed'] ?? []) as readonly { id: string; owner?: string }[])
      if (task.owner !== undefined && list?.get(task.id)?.owner !== task.owner)
        problems.push(`#${task.id} is not ${task.owner}'s any more`);
  return problems;
}

/** A session as it was left, and all that its agents' models were asked before. */
type Left = { readonly session: SessionHandle; readonly sent: readonly Sent[] };
type World = Awaited<ReturnType<typeof openWorld>>;

async function record({ open, sent }: World): Promise<Left> {
  const troupe = open(await createFolder());
  const session = troupe.session({ prompt: 'Go.' });
  expect(await session.outcome).toMatchObject({ status: 'completed' });
  await troupe.close();
  return { session, sent: [...sent] };
}

/** Resumes the session from its first lines. */
async function resumeAt({ open, sent }: World, left: Left, count: number) {
  const { sessionId, directory: from } = left.session;
  const lines = allLines(from);
  const kept = lines.slice(0, count);
  const home = await createFolder();
  const project = dirname(from).split('/').at(-1) ?? '';
  writeCut(from, join(home, 'projects', project, sessionId), kept);
  const next = lines[count]?.timestamp ?? Infinity;
  sent.splice(0, sent.length, ...left.sent.filter(({ at }) => at < next));
  const troupe = open(home);
  const session = troupe.session({ resume: sessionId, prompt: 'Continue.' });
  const outcome = await session.outcome;
  await troupe.close();
  const what = JSON.stringify(lines[count]?.fields ?? {}).slice(0, 200);
  const problems = [
    ...(outcome.status === 'completed' ? [] : [JSON.stringify(outcome)]),
    ...problemsOf(session, sent, kept),
    ...(sent.some(({ texts }) => texts.some((text) => text.includes('Lost with the process')))
      ? ['a teammate that continues was reported as lost']
      : []),
  ];
  return {
    session,
    sent: [...sent],
    problems: problems.map((problem) => `${count}: ${problem} <- ${what}`),
    messages: session.mail().filter(({ kind }) => kind === 'message').length,
  };
}

/** How many lines there are before the first of the session's own agent, that one among them. */
function firstCut({ directory, agentId }: SessionHandle): number {
  const own = `agent-${agentId ?? ''}.jsonl`;
  return allLines(directory).findIndex(({ file }) => file === own) + 1;
}

describe('a team that is continued', () => {
  it('loses and doubles no message and no claim, from every line at which its process may have died', async () => {
    const world = await openWorld();
    const recorded = await record(world);
    const lines = allLines(recorded.session.directory);
    expect(problemsOf(recorded.session, recorded.sent, lines)).toEqual([]);
    const found: string[] = [];
    let messages = 0;
    let cuts = 0;
    const first = firstCut(recorded.session);
    for (let count = first; count <= lines.length; count += isDeep ? 1 : 17) {
      const at = await resumeAt(world, recorded, count);
      found.push(...at.problems);
      messages += at.messages;
      cuts += 1;
    }
    console.log(`team resume: ${cuts} cuts, ${messages} messages read once`);
    expect(found).toEqual([]);
    expect(messages).toBeGreaterThan(cuts);
  }, 60_000);

  it('does so if its process dies once more', async () => {
    const world = await openWorld();
    const recorded = await record(world);
    const { length } = allLines(recorded.session.directory);
    const found: string[] = [];
    let cuts = 0;
    for (let count = firstCut(recorded.session) + 5; count < length; count += isDeep ? 3 : 70) {
      const once = await resumeAt(world, recorded, count);
      const more = allLines(once.session.directory).length;
      for (let again = count + 1; again <= more; again += isDeep ? 3 : 50) {
        const twice = await resumeAt(world, once, again);
        found.push(...twice.problems.map((problem) => `${count}, ${problem}`));
        cuts += 1;
      }
    }
    console.log(`team resume: died twice in ${cuts} ways`);
    expect(found).toEqual([]);
  }, 300_000);
});
