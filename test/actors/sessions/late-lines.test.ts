import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { AgentId } from '../../../src/core/ids.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createGate } from '../../support/gate.js';
import { ALLOW_ALL, createFolder } from '../../support/troupe.js';

/** A session that was closed while a tool, or the decision on one, waits for a gate and hears no abort. */
async function closeOverDeaf(waitsAt: 'call' | 'checkPermissions') {
  const gate = createGate();
  const begun = createGate();
  let waits = 0;
  const wait = async (): Promise<void> => {
    if ((waits += 1) > 1) return;
    begun.open();
    await gate.opened;
  };
  const deaf = buildTool({
    name: 'Deaf',
    inputSchema: z.object({}),
    async call() {
      if (waitsAt === 'call') await wait();
      return { data: 'Late.' };
    },
    async checkPermissions(updatedInput) {
      if (waitsAt === 'checkPermissions') await wait();
      return { behavior: 'allow', updatedInput };
    },
  });
  const model = createScriptedModel(({ messages }) =>
    messages.length === 1 ? { tools: [{ name: 'Deaf', input: {} }] } : { text: 'Done.' },
  );
  const [cwd, home] = await Promise.all([createFolder(), createFolder()]);
  const open = () =>
    createOrchestrator({ cwd, home, model, tools: [deaf], permissions: ALLOW_ALL, graceMs: 1 });

  const first = open();
  const { sessionId, directory, agentId } = first.session({ prompt: 'Go.' });
  await begun.opened;
  await first.close();
  const own = join(directory, `agent-${agentId as AgentId}.jsonl`); // it has an agent
  const goOn = async (): Promise<string> => {
    const troupe = open();
    const { status } = await troupe.session({ resume: sessionId, prompt: 'Continue.' }).outcome;
    await troupe.close();
    return status;
  };
  const lines = (): string =>
    readFileSync(own, 'utf8') + readFileSync(join(directory, 'audit.jsonl'), 'utf8');
  return { gate, goOn, lines };
}

describe('what outlives its session', () => {
  it.for(['call', 'checkPermissions'] as const)(
    'writes no line into the journal that another session continues: %s',
    async (waitsAt) => {
      const { gate, goOn, lines } = await closeOverDeaf(waitsAt);
      expect(await goOn()).toBe('completed');
      const before = lines();

      gate.open();
      await setImmediate();
      await setImmediate();
      expect(lines()).toBe(before);
      expect(await goOn()).toBe('completed');
    },
  );
});
