import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../src/api/orchestrator/orchestrator.js';
import { toResumedSession } from '../../../../src/actors/agents/session/resumed-session.js';
import { readSession } from '../../../../src/journal/sessions/find-session.js';
import { repairTail } from '../../../../src/journal/storage/repair-tail.js';
import type { Message } from '../../../../src/core/messages.js';
import type { ModelRequest } from '../../../../src/model/model.js';
import { createScriptedModel } from '../../../../src/model/scripted/scripted-model.js';
import type { ScriptedReply } from '../../../../src/model/scripted/script.js';
import { toRequestBody } from '../../../../src/model/anthropic/to-request-body.js';
import { findRequestProblem } from '../../../../src/testing/check-request.js';
import { isPrefixExtension } from '../../../../src/testing/compare-prefix.js';
import { allLines, writeCut, type JournalLine } from '../../../support/cut-journal.js';
import { createChangeTool, createWaitTool } from '../../../support/probe-tools.js';
import { agentCall, resultsOf, resultText, userTexts } from '../../../support/scripts.js';
import { ASK_FIRST, createFolder, defineAgent } from '../../../support/troupe.js';

type Sent = { readonly at: number; readonly name: string; readonly body: object };

const change = (what: string) => ({ name: 'Change', input: { what } });
const wait = (what: string) => ({ name: 'Wait', input: { what } });

/** Answers by how much was said before: the same in every process. */
const PARTS: Readonly<Record<string, readonly ScriptedReply[]>> = {
  main: [
    { thinking: 'Hm.', text: 'First.', tools: [change('a1'), change('a2')] },
    { tools: [agentCall('helper', { background: true, name: 'bo' }), change('b1')] },
    ...['c', 'd', 'e', 'f', 'g', 'h', 'i'].map((letter) => ({
      text: `Step ${letter}.`,
      tools: [change(`${letter}1`), wait(`${letter}2`), change(`${letter}3`)],
    })),
    { tools: [agentCall('helper'), change('z1')] },
    { tools: [change('denied')] },
    { tools: [change('y1')] },
    { text: 'Done.' },
  ],
  helper: [
    { text: 'I help.', tools: [change('from helper')] },
    { tools: [wait('x')] },
    { text: 'Helped.' },
  ],
};

function replyTo(request: ModelRequest): ScriptedReply {
  const { name, agentType } = request.origin;
  const steps = PARTS[name ?? ''] ?? PARTS[agentType] ?? [];
  const said = request.messages.filter(({ role }) => role === 'assistant').length;
  return steps[Math.min(said, steps.length - 1)] ?? { text: 'Nothing.' };
}

/** A world in which one recorded session is resumed, from any point: when it begins, and what was sent before. */
function openWorld(startsAt = 1_000_000, before: readonly Sent[] = []) {
  let clock = startsAt;
  const now = (): number => (clock += 1);
  const sent = [...before];
  const record = (request: ModelRequest): ScriptedReply => {
    const body = JSON.parse(JSON.stringify(toRequestBody(request))) as object;
    expect(findRequestProblem(body)).toBeUndefined();
    sent.push({ at: clock, name: request.origin.name ?? request.origin.agentType, body });
    return replyTo(request);
  };
  const open = (home: string, cwd: string) => {
    const { tool, ran } = createChangeTool();
    const troupe = createOrchestrator({
      cwd,
      home,
      now,
      model: createScriptedModel(record),
      agents: [defineAgent('helper')],
      tools: [tool, createWaitTool(() => Promise.resolve())],
      permissions: ASK_FIRST,
      canUseTool: (_name, { what }) =>
        Promise.resolve({ behavior: what === 'denied' ? 'deny' : 'allow' }), // which ends the turn
    });
    return { troupe, ran };
  };
  return { open, sent, now };
}

let folder: string;
let recording: Awaited<ReturnType<typeof recordSession>>;

beforeAll(async () => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-resume-')));
  recording = await recordSession(join(folder, 'home'), join(folder, 'work'));
});
afterAll(() => rmSync(folder, { recursive: true }));

async function recordSession(home: string, cwd: string) {
  mkdirSync(cwd);
  const { open, sent, now } = openWorld();
  const { troupe } = open(home, cwd);
  const session = troupe.session({ prompt: 'Go.', staysOpen: true });
  await new Promise<void>((resolve) => {
    session.events.on('agent.idle', ({ agentId }) => {
      if (agentId === session.agentId) resolve();
    });
  });
  await session.prompt('And then?');
  session.end();
  expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
  await troupe.close();
  return { session, cwd, sent, lines: allLines(session.directory), endedAt: now() };
}

/** The recorded session, and its own world after it. */
function afterRecording() {
  return { ...recording, ...openWorld(recording.endedAt, recording.sent) };
}

type Recorded = ReturnType<typeof afterRecording>;

const isDone = ({ fields }: JournalLine) => fields['type'] === 'step.done';
const isBegun = ({ fields }: JournalLine) => fields['type'] === 'step.begun';
const isRoot = ({ session }: Recorded, { file }: JournalLine) =>
  file === `agent-${session.agentId ?? ''}.jsonl`;

/** The changes that the uses of `Change` that fit are to make. */
function changesOf(lines: readonly JournalLine[]): readonly string[] {
  return lines.flatMap(({ fields }) => {
    const note = fields['note'] as { name?: string; input: { what: string } } | undefined;
    return note?.name === 'Change' ? [note.input.what] : [];
  });
}

/** Resumes the session from its first lines. */
async function resumeAt(recorded: Recorded, count: number, torn?: number) {
  const { session, lines, cwd, sent, open } = recorded;
  const kept = lines.slice(0, count);
  const home = await createFolder();
  const project = dirname(session.directory).split('/').at(-1) ?? '';
  const directory = join(home, 'projects', project, session.sessionId);
  const line = lines[count];
  writeCut(
    session.directory,
    directory,
    kept,
    torn === undefined || line === undefined ? undefined : { line, bytes: torn },
  );
  const before = sent.slice(0);
  sent.length = 0;
  const { troupe, ran } = open(home, cwd);
  const resumed = troupe.session({ resume: session.sessionId, prompt: 'Continue.' });
  const outcome = await resumed.outcome;
  await troupe.close();
  const requests = sent.splice(0).filter(({ name }) => name === 'main');
  sent.push(...before);
  return { kept, directory, outcome, ran, requests, agentId: resumed.agentId };
}

function problemsOf(recorded: Recorded, at: Awaited<ReturnType<typeof resumeAt>>) {
  const { lines, sent } = recorded;
  const { kept, ran, requests, outcome } = at;
  const problems: string[] = [];
  const rootKept = kept.filter((line) => isRoot(recorded, line));
  if (outcome.status !== 'completed') problems.push(`ended ${JSON.stringify(outcome)}`);

  // prompts: what was sent is the beginning of what is sent
  const next = lines[kept.length]?.timestamp ?? Infinity;
  const newest = sent.findLast(({ name, at: time }) => name === 'main' && time < next);
  const bodies = [...(newest === undefined ? [] : [newest]), ...requests].map(({ body }) => body);
  bodies.slice(1).forEach((body, index) => {
    if (!isPrefixExtension(bodies[index], body)) problems.push(`request ${index} is no extension`);
  });

  // tools: what had begun does not run again
  const begun = changesOf(rootKept.filter(isBegun));
  for (const what of begun) if (ran.includes(what)) problems.push(`${what} ran twice`);
  for (const what of new Set(ran))
    if (what !== 'from helper' && ran.filter((one) => one === what).length > 1)
      problems.push(`${what} ran twice in one process`);
  const last = requests.at(-1)?.body as { messages: readonly Message[] } | undefined;
  const messages = last?.messages ?? [];
  const uses = messages.flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_use' ? [block] : [])),
  );
  const results = resultsOf(messages);
  if (uses.length !== results.length)
    problems.push(`${uses.length} uses, ${results.length} results`);
  const known = new Set(
    rootKept.filter(isDone).flatMap(({ fields }) => {
      const result = fields['result'] as { type?: string } | null;
      return result?.type === 'tool_result' ? [JSON.stringify(result)] : [];
    }),
  );
  const told = new Set(results.map((result) => JSON.stringify(result)));
  for (const result of known) if (!told.has(result)) problems.push(`${result} is lost`);
  const unknown = results.filter((result) => resultText(result).includes('outcome is unknown'));
  const open =
    rootKept.filter(isBegun).length -
    rootKept
      .filter(isDone)
      .filter(({ fields }) =>
        rootKept.some((line) => isBegun(line) && line.fields['key'] === fields['key']),
      ).length;
  if (unknown.length !== open) problems.push(`${open} open, ${unknown.length} unknown`);

  // mail: once
  const texts = userTexts(messages);
  const accepted = rootKept.filter(({ fields }) => fields['type'] === 'mail.accepted').length;
  for (const text of new Set(texts))
    if (texts.filter((one) => one === text).length > 1) problems.push(`"${text}" came twice`);
  if (texts.length < accepted + 1) problems.push(`${accepted} accepted, ${texts.length} told`);
  const backgrounded = kept.filter(
    ({ fields }) => fields['type'] === 'task.status' && fields['isBackgrounded'] === true,
  ).length;
  const notified = texts.filter((text) => text.includes('<task-notification>')).length;
  if (notified < backgrounded) problems.push(`${backgrounded} in background, ${notified} told`);
  return problems;
}

/** Opens the recorded session once more, in its own home, from the first lines of its journal. */
async function reopen(recorded: Recorded, count = recorded.lines.length) {
  const { session, lines, cwd, open } = recorded;
  const home = await createFolder();
  const project = dirname(session.directory).split('/').at(-1) ?? '';
  const directory = join(home, 'projects', project, session.sessionId);
  writeCut(session.directory, directory, lines.slice(0, count));
  const own = join(directory, `agent-${session.agentId ?? ''}.jsonl`);
  const { troupe } = open(home, cwd);
  onTestFinished(() => troupe.close());
  return { home, cwd, directory, own, resume: session.sessionId, troupe };
}

/** Every line and every byte, or some of them. */
const isDeep = process.env['TROUPE_DEEP'] !== undefined;

describe('a session that is continued', () => {
  it('is whole from every line at which its process may have died', async () => {
    const recorded = afterRecording();
    const { lines } = recorded;
    expect(lines.length).toBeGreaterThanOrEqual(200);
    const first = lines.findIndex((line) => isRoot(recorded, line)) + 1;
    const found: string[] = [];
    for (let count = first; count <= lines.length; count += isDeep ? 1 : 17) {
      const at = await resumeAt(recorded, count);
      const next = JSON.stringify(lines[count]?.fields ?? {}).slice(0, 300);
      found.push(...problemsOf(recorded, at).map((problem) => `${count}: ${problem} <- ${next}`));
    }
    expect(found).toEqual([]);
  }, 120_000);

  it('does without a last line that was cut at any byte, and writes the next one after a whole one', async () => {
    const recorded = afterRecording();
    const { lines, session } = recorded;
    const own = lines.filter((line) => isRoot(recorded, line));
    const longest = own.toSorted((a, b) => b.text.length - a.text.length)[0] as JournalLine;
    const directory = join(await createFolder(), session.sessionId);
    const read = () => toResumedSession(readSession({ id: session.sessionId, directory }));
    for (const line of [longest, own.at(-1) as JournalLine]) {
      const before = lines.slice(0, lines.indexOf(line));
      writeCut(session.directory, directory, before);
      const file = join(directory, line.file);
      const [expected, text] = [JSON.stringify(read()), readFileSync(file, 'utf8')];
      for (let bytes = 1; bytes < Buffer.byteLength(line.text); bytes += isDeep ? 1 : 7) {
        appendFileSync(file, Buffer.from(line.text).subarray(0, bytes));
        expect(JSON.stringify(read())).toBe(expected);
        expect(repairTail(file)).toBe(line.fields['parentUuid']);
        expect(readFileSync(file, 'utf8')).toBe(text);
      }
    }
    const count = lines.indexOf(longest);
    for (const torn of [1, Math.floor(longest.text.length / 2), longest.text.length - 1]) {
      const at = await resumeAt(recorded, count, torn);
      expect(problemsOf(recorded, at)).toEqual([]);
      expect(() => allLines(at.directory)).not.toThrow();
    }
  }, 60_000);

  it('names a line in the middle that is damaged, or missing', async () => {
    const { own, troupe, resume } = await reopen(afterRecording());
    const lines = readFileSync(own, 'utf8').split('\n');
    writeFileSync(own, lines.with(4, (lines[4] ?? '').slice(0, -9)).join('\n'));
    expect(() => troupe.session({ resume })).toThrow(`${own}:5: not a JSON object`);
    writeFileSync(own, lines.toSpliced(4, 1).join('\n'));
    expect(() => troupe.session({ resume })).toThrow(`${own}:5: the line before it is missing`);
    writeFileSync(own, lines.join('\n'));
    const session = troupe.session({ resume, prompt: 'Continue.' }); // the lock was released each time
    expect(await session.outcome).toMatchObject({ status: 'completed' });
  });

  it('has one writer: a live one is named, one that is gone is followed', async () => {
    const { troupe, directory, resume, home, cwd } = await reopen(afterRecording());
    const lock = join(directory, 'lock');
    const gone = { pid: process.pid, startTime: '1', hostname: hostname() };
    writeFileSync(lock, JSON.stringify(gone)); // the number was used again
    const session = troupe.session({ resume, staysOpen: true });
    expect(JSON.parse(readFileSync(lock, 'utf8'))).toMatchObject({ pid: process.pid });
    const second = createOrchestrator({ home, cwd, model: createScriptedModel(() => ({})) });
    onTestFinished(() => second.close());
    expect(() => second.session({ resume })).toThrow(`in use by process ${process.pid}`);
    session.end();
    await session.outcome;
    expect(existsSync(lock)).toBe(false);
  });

  it('leaves the original as it is when it is forked, also while that is in use', async () => {
    const recorded = afterRecording();
    const { troupe, directory, resume } = await reopen(recorded);
    const original = troupe.session({ resume, staysOpen: true });
    const before = allLines(directory);
    const fork = troupe.session({ resume, forks: true, prompt: 'Another way.' });
    expect(await fork.outcome).toEqual({ status: 'completed', result: 'Done.' });
    expect(fork.sessionId).not.toBe(resume);
    expect(fork.agentId).not.toBe(original.agentId);
    expect(allLines(directory)).toEqual(before);
    const [first, second] = recorded.sent.filter(({ name }) => name === 'main').slice(-2);
    expect(isPrefixExtension(first?.body, second?.body)).toBe(true);
    original.end();
    await original.outcome;
    const again = troupe.session({ resume: fork.sessionId, prompt: 'Once more.' });
    expect(again.agentId).toBe(fork.agentId);
    expect(await again.outcome).toMatchObject({ status: 'completed' });
  });

  it('asks again what was open, and says of a lost sub-agent which one it was', async () => {
    const recorded = afterRecording();
    const { lines, sent } = recorded;
    const asked = lines.findIndex(({ fields }) => fields['behavior'] === 'ask') + 1;
    const open = await reopen(recorded, asked);
    const session = open.troupe.session({ resume: open.resume });
    const requested: string[] = [];
    session.events.on('permission.requested', ({ input }) => requested.push(String(input['what'])));
    await new Promise<void>((resolve) => session.events.once('agent.sampled', () => resolve()));
    expect(requested[0]).toBe('a1');
    await session.kill();

    const running = lines.findLastIndex(
      ({ fields }) => fields['type'] === 'task.status' && fields['status'] === 'running',
    );
    const { troupe, resume } = await reopen(recorded, running + 1);
    const next = troupe.session({ resume, prompt: 'Continue.' });
    await next.outcome;
    const lost = next.tasks().filter(({ outcome }) => outcome?.status === 'failed');
    const id = lost.find(({ type }) => type === 'local_agent')?.id;
    const texts = resultsOf(
      (sent.at(-1) as { body: { messages: readonly Message[] } }).body.messages,
    ).map(resultText);
    expect(texts.filter((text) => text.includes('outcome is unknown'))).toEqual([
      expect.stringContaining(`the sub-agent ${id ?? '?'}, which was lost with the process`),
    ]);
  });

  it('says of a sub-agent that no line of the journal shows that there is no record of it', async () => {
    const recorded = afterRecording();
    const begun = recorded.lines.findLastIndex(
      ({ fields }) => (fields['note'] as { name?: string } | undefined)?.name === 'Agent',
    );
    const { requests } = await resumeAt(recorded, begun + 1);
    const last = requests.at(-1) as { body: { messages: readonly Message[] } };
    const texts = resultsOf(last.body.messages).map(resultText);
    expect(texts.filter((text) => text.includes('outcome is unknown'))).toEqual([
      'The process ended while this ran: its outcome is unknown. Troupe has no record of a sub-agent that it started. Check before you do it again.',
    ]);
  });

  it('keeps its folder, and is not found if there is none', async () => {
    const recorded = afterRecording();
    const { home, resume, cwd, troupe } = await reopen(recorded);
    const elsewhere = recorded.open(home, await createFolder()).troupe;
    onTestFinished(() => elsewhere.close());
    expect(() => elsewhere.session({ resume })).toThrow(`works in ${cwd}. Resume it there.`);
    expect(() => elsewhere.session({ continues: true })).toThrow('There is no session in');
    const nobody = '00000000-0000-4000-8000-000000000000';
    expect(() => troupe.session({ resume: nobody })).toThrow(
      `There is no session "${nobody}". The newest: ${resume}.`,
    );
    expect(() => troupe.session({ forks: true })).toThrow('A fork needs a session');
    const session = troupe.session({ continues: true, prompt: 'Continue.' });
    expect(session.sessionId).toBe(resume);
    await session.outcome;
  });
});
