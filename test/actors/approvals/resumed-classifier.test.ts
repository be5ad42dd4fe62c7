import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { ClassifierVerdict } from '../../../src/actors/options/classifier.js';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { allLines, writeCut } from '../../support/cut-journal.js';
import { createChangeTool } from '../../support/probe-tools.js';
import { playParts } from '../../support/scripts.js';
import { ASK_FIRST, createFolder, createTroupe } from '../../support/troupe.js';

const AUTO = { ...ASK_FIRST, mode: 'auto', isAutoModeAvailable: true } as const;

const change = { tools: [{ name: 'Change', input: { what: 'it' } }] };

it('resumes a session whose tool calls a classifier has allowed', async () => {
  const { tool, ran } = createChangeTool();
  const { troupe } = await createTroupe(
    playParts({ main: [change, { text: 'Done.' }, { text: 'Again.' }] }),
    {
      tools: [tool],
      permissions: AUTO,
      classifier: {
        classify: () => Promise.resolve({ behavior: 'allow', reason: 'it is asked for' }),
      },
    },
  );
  const session = troupe.session({ prompt: 'Go.' });
  expect(await session.outcome).toEqual({ status: 'completed', result: 'Done.' });
  const resumed = troupe.session({ resume: session.sessionId, prompt: 'Continue.' });
  expect(await resumed.outcome).toEqual({ status: 'completed', result: 'Again.' });
  expect(ran).toEqual(['it']);
});

it('runs nothing that the classifier of today denies, resumed from any line of a journal in which it was allowed', async () => {
  const cwd = await createFolder();
  let clock = 1_000_000;
  const open = (behavior: ClassifierVerdict['behavior']) => {
    const { tool, ran } = createChangeTool();
    const troupe = createOrchestrator({
      cwd,
      home: join(cwd, 'home'),
      tools: [tool],
      model: createScriptedModel(({ messages }) =>
        messages.some(({ role }) => role === 'assistant') ? { text: 'Done.' } : change,
      ),
      now: () => (clock += 1),
      permissions: AUTO,
      classifier: { classify: () => Promise.resolve({ behavior, reason: 'so' }) },
    });
    onTestFinished(() => troupe.close());
    return { troupe, ran };
  };
  const first = open('allow');
  const session = first.troupe.session({ prompt: 'Go.' });
  await session.outcome;
  await first.troupe.close();
  const lines = allLines(session.directory);
  const id = '3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11';
  const ranBehind = async (
    count: number,
    behavior: ClassifierVerdict['behavior'],
  ): Promise<readonly string[]> => {
    writeCut(session.directory, join(dirname(session.directory), id), lines.slice(0, count));
    const { troupe, ran } = open(behavior);
    await troupe.session({ resume: id, staysOpen: false }).outcome;
    await troupe.close();
    return ran;
  };
  const accepted = lines.findIndex(({ fields }) => fields['type'] === 'mail.accepted') + 1;
  expect(await ranBehind(accepted, 'allow')).toEqual(['it']);
  const ran: string[] = [];
  for (let count = accepted; count <= lines.length; count += 1)
    ran.push(...(await ranBehind(count, 'deny')));
  expect(ran).toEqual([]);
});
