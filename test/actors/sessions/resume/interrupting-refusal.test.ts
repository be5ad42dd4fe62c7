import { dirname, join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../../src/api/orchestrator/orchestrator.js';
import { createScriptedModel } from '../../../../src/model/scripted/scripted-model.js';
import { allLines, writeCut } from '../../../support/cut-journal.js';
import { bashCall } from '../../../support/scripts.js';
import { ASK_FIRST, createFolder } from '../../../support/troupe.js';

it('a turn that a refusal interrupted ends so from every line of its journal', async () => {
  const cwd = await createFolder();
  let clock = 1_000_000;
  const open = (): ReturnType<typeof createOrchestrator> => {
    const troupe = createOrchestrator({
      cwd,
      home: join(cwd, 'home'),
      model: createScriptedModel(() => ({ tools: [bashCall('touch x')] })),
      now: () => (clock += 1),
      permissions: ASK_FIRST,
      canUseTool: () => Promise.resolve({ behavior: 'deny', message: 'no', interrupt: true }),
    });
    onTestFinished(() => troupe.close());
    return troupe;
  };
  const first = open();
  const session = first.session({ prompt: 'Go.' });
  await session.outcome;
  await first.close();
  const lines = allLines(session.directory);
  const start = lines.findIndex(({ fields }) => fields['type'] === 'mail.accepted');
  const end = lines.findIndex(({ fields }) => fields['type'] === 'agent.ended');
  const id = '3f2c1a90-5b7d-4c1e-9a44-0d6f2b8e7c11';
  const codes: unknown[] = [];
  for (let count = start + 1; count <= end; count += 1) {
    writeCut(session.directory, join(dirname(session.directory), id), lines.slice(0, count));
    const troupe = open();
    const outcome = await troupe.session({ resume: id, staysOpen: false }).outcome;
    await troupe.close();
    codes.push(outcome.status === 'failed' ? outcome.failure.code : outcome);
  }
  expect(codes.length).toBeGreaterThan(3);
  expect(new Set(codes)).toEqual(new Set(['INTERRUPTED']));
});
