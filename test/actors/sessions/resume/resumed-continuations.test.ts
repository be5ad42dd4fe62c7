import { dirname, join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../src/api/orchestrator/orchestrator.js';
import type { ModelRequest } from '../../../../src/model/model.js';
import { createScriptedModel } from '../../../../src/model/scripted/scripted-model.js';
import type { ScriptedReply } from '../../../../src/model/scripted/script.js';
import { toRequestBody } from '../../../../src/model/anthropic/to-request-body.js';
import { findRequestProblem } from '../../../../src/testing/check-request.js';
import { comparePrefix } from '../../../../src/testing/compare-prefix.js';
import { allLines, writeCut } from '../../../support/cut-journal.js';
import { createChangeTool } from '../../../support/probe-tools.js';
import { ALLOW_ALL, createFolder } from '../../../support/troupe.js';

const cut = (text: string): ScriptedReply => ({ text, stopReason: 'max_tokens' });
const paused = (text: string): ScriptedReply => ({ text, stopReason: 'pause_turn' });
const change = (what: string) => ({ name: 'Change', input: { what } });

/** Replies by how much was said before: the same in every process. */
async function openWorld(replies: readonly ScriptedReply[]) {
  let clock = 1_000_000;
  const sent: { readonly at: number; readonly body: unknown }[] = [];
  const answer = (request: ModelRequest): ScriptedReply => {
    const body: unknown = JSON.parse(JSON.stringify(toRequestBody(request)));
    expect(findRequestProblem(body)).toBeUndefined();
    sent.push({ at: clock, body });
    const said = request.messages.filter(({ role }) => role === 'assistant').length;
    return replies[Math.min(said, replies.length - 1)] as ScriptedReply;
  };
  const cwd = await createFolder();
  const open = (home: string) => {
    const { tool, ran } = createChangeTool();
    const troupe = createOrchestrator({
      cwd,
      home,
      now: () => (clock += 1),
      model: createScriptedModel(answer),
      tools: [tool],
      permissions: ALLOW_ALL,
    });
    onTestFinished(() => troupe.close());
    return { troupe, ran };
  };

  const first = open(await createFolder());
  const session = first.troupe.session({ prompt: 'Go.' });
  const outcome = await session.outcome;
  await first.troupe.close();
  const lines = allLines(session.directory);
  const recorded = sent.splice(0);

  /** Resumes the session from its first lines. */
  const resumeAt = async (count: number) => {
    const home = await createFolder();
    const project = dirname(session.directory).split('/').at(-1) ?? '';
    const directory = join(home, 'projects', project, session.sessionId);
    writeCut(session.directory, directory, lines.slice(0, count));
    const { troupe, ran } = open(home);
    const resumed = troupe.session({ resume: session.sessionId, staysOpen: false });
    const ended = await resumed.outcome;
    await troupe.close();
    const next = lines[count]?.timestamp ?? Infinity;
    const before = recorded.findLast(({ at }) => at < next);
    const bodies = [...(before === undefined ? [] : [before]), ...sent.splice(0)];
    return { outcome: ended, ran, bodies: bodies.map(({ body }) => body) };
  };
  return { outcome, lines, ran: first.ran, resumeAt };
}

describe('a session whose process ended in the middle of a continuation', () => {
  it('continues from any line of its journal', async () => {
    const world = await openWorld([
      cut('One, '),
      paused('two, '),
      paused('three. '),
      { text: 'Now. ', tools: [change('a')], stopReason: 'max_tokens' },
      cut('Four, '),
      paused('five, '),
      { text: 'six.' },
    ]);
    const whole = { status: 'completed', result: 'Four, five, six.' };
    expect([world.outcome, world.ran]).toEqual([whole, ['a']]);

    const { lines } = world;
    const begins = lines.findIndex(({ fields }) => fields['type'] === 'mail.accepted') + 1;
    const last = lines.findLastIndex(({ fields }) => String(fields['key']).endsWith('/model'));
    for (let count = begins; count < lines.length; count += 1) {
      const at = await world.resumeAt(count);
      const begun = lines
        .slice(0, count)
        .filter(({ fields }) => fields['type'] === 'step.begun').length;
      const results = count > last + 1 ? [whole, { ...whole, result: '' }] : [whole]; // it may have ended
      expect({ count, prefix: comparePrefix(at.bodies) }).toEqual({ count, prefix: undefined });
      expect({ count, ran: at.ran }).toEqual({ count, ran: begun === 0 ? ['a'] : [] });
      expect(results).toContainEqual(at.outcome);
    }
  });

  it('counts what was cut off before', async () => {
    const world = await openWorld([cut('More. ')]);
    const failed = { status: 'failed', failure: { code: 'MAX_OUTPUT_TOKENS' } };
    expect(world.outcome).toMatchObject(failed);
    const models = world.lines.flatMap(({ fields }, index) =>
      String(fields['key']).endsWith('/model') ? [index + 1] : [],
    );
    expect(models).toHaveLength(4);
    for (const [index, count] of models.entries()) {
      const { outcome, bodies } = await world.resumeAt(count);
      expect(outcome).toMatchObject(failed);
      expect(bodies).toHaveLength(1 + models.length - (index + 1)); // the one before, and what is left
    }
  });
});
