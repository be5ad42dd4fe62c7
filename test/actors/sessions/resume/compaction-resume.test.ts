import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { CompactionOutcome } from '../../../../src/actors/agents/conversation/compaction-outcome.js';
import { createOrchestrator } from '../../../../src/api/orchestrator/orchestrator.js';
import { isCompacted, toFirstMessage } from '../../../../src/core/agents/compaction.js';
import type { ModelRequest } from '../../../../src/model/model.js';
import { createScriptedModel } from '../../../../src/model/scripted/scripted-model.js';
import type { ScriptedReply } from '../../../../src/model/scripted/script.js';
import { toRequestBody } from '../../../../src/model/anthropic/to-request-body.js';
import { findRequestProblem } from '../../../../src/testing/check-request.js';
import { comparePrefix } from '../../../../src/testing/compare-prefix.js';
import { allLines, writeCut, type JournalLine } from '../../../support/cut-journal.js';
import { createWaitTool } from '../../../support/probe-tools.js';
import { ALLOW_ALL, createFolder } from '../../../support/troupe.js';

type Sent = { readonly at: number; readonly body: object };

/** Long replies that wait for something, until the conversation was compacted; the same in every process. */
function replyTo({ messages }: ModelRequest): ScriptedReply {
  const said = messages.filter(({ role }) => role === 'assistant').length;
  const isOver = isCompacted(messages) && said > 1;
  if (isOver || said > 5) return { text: 'Done.' };
  return { text: 'word '.repeat(1_200), tools: [{ name: 'Wait', input: { what: `${said}` } }] };
}

async function openWorld() {
  let clock = 1_000_000;
  const sent: Sent[] = [];
  const cwd = await createFolder();
  const open = (home: string) => {
    const troupe = createOrchestrator({
      cwd,
      home,
      now: () => (clock += 1),
      model: createScriptedModel((request) => {
        const body = JSON.parse(JSON.stringify(toRequestBody(request))) as object;
        expect(findRequestProblem(body)).toBe(undefined);
        if (request.tools.length === 0) return { text: 'Summary.' };
        sent.push({ at: clock, body });
        return replyTo(request);
      }),
      tools: [createWaitTool(() => Promise.resolve())],
      permissions: ALLOW_ALL,
      contextWindow: 8_000,
      maxTokens: 1_000,
    });
    onTestFinished(() => troupe.close());
    return troupe;
  };
  return { open, sent };
}

/** First messages that lines declare. */
function boundariesIn(lines: readonly JournalLine[]): readonly unknown[] {
  return lines.flatMap(({ fields }) => {
    if (fields['type'] !== 'step.done' || !String(fields['key']).endsWith('/compact')) return [];
    const outcome = fields['result'] as CompactionOutcome;
    return 'result' in outcome ? [toFirstMessage(outcome.result)] : [];
  });
}

describe('a session that was compacted', () => {
  it('continues from every line of its journal', async () => {
    const { open, sent } = await openWorld();
    const troupe = open(await createFolder());
    const session = troupe.session({ prompt: 'Go.', staysOpen: true });
    const untilIdle = (): Promise<void> =>
      new Promise((resolve) => session.events.once('agent.idle', () => resolve()));
    await untilIdle();
    await session.compact();
    const second = untilIdle();
    await session.prompt('More.');
    await second;
    session.end();
    expect((await session.outcome).status).toBe('completed');
    await troupe.close();
    const lines = allLines(session.directory);
    const before = sent.splice(0);
    expect(boundariesIn(lines).length).toBeGreaterThan(1);
    const project = dirname(session.directory).split('/').at(-1) ?? '';
    const firstStep = lines.findIndex(({ fields }) => fields['type'] === 'step.done');

    expect(lines.length).toBeLessThan(80);
    for (let count = firstStep; count < lines.length; count += 1) {
      const kept = lines.slice(0, count);
      const home = await createFolder();
      const directory = join(home, 'projects', project, session.sessionId);
      writeCut(session.directory, directory, kept);
      const again = open(home);
      const resumed = again.session({ resume: session.sessionId, prompt: 'Continue.' });
      const outcome = await resumed.outcome;
      await again.close();
      const after = sent.splice(0).map(({ body }) => body);
      const last = before.filter(({ at }) => at <= (kept.at(-1)?.timestamp ?? 0)).at(-1);
      const boundaries = boundariesIn(allLines(directory));
      const bodies = last === undefined ? after : [last.body, ...after];
      expect({ count, ...outcome, broken: comparePrefix(bodies, boundaries) }).toEqual({
        count,
        status: 'completed',
        result: 'Done.',
        broken: undefined,
      });
      expect(JSON.stringify(after.at(-1))).toContain('Continue.');
    }
  });
});
