import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { CommandContext, ProgramCommand } from '../../../src/core/commands/command.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { createGate } from '../../support/gate.js';
import { createFolder } from '../../support/troupe.js';

/** A session with commands, whose first reply waits for a gate. */
async function open(commands: readonly ProgramCommand[]) {
  const cwd = await createFolder();
  const asked = createGate();
  const gate = createGate();
  const model = createScriptedModel(async () => {
    asked.open();
    await gate.opened;
    return { text: 'Hello.' };
  });
  const troupe = createOrchestrator({ cwd, home: cwd, model, commands, env: {} });
  onTestFinished(() => troupe.close());
  return { cwd, troupe, asked, gate, session: troupe.session({ staysOpen: true }) };
}

const local = (name: string, call: (context: CommandContext) => string): ProgramCommand => ({
  type: 'local',
  name,
  description: `Does ${name}.`,
  load: async () => ({
    call: async (_, context) => ({ type: 'text', value: call(context) }),
  }),
});

it('a local command waits for the end of the turn unless it is immediate', async () => {
  const done: string[] = [];
  const note = (name: string) => local(name, () => String(done.push(name)));
  const { session, asked, gate } = await open([note('later'), { ...note('now'), immediate: true }]);
  await session.runCommand('later');
  await session.prompt('Hi.');
  await asked.opened;
  const later = session.runCommand('later');
  await session.runCommand('now');
  await session.runCommand('cost');
  expect(done).toEqual(['later', 'now']);
  gate.open();
  await later;
  expect(done).toEqual(['later', 'now', 'later']);
  session.end();
  const texts: unknown[] = [];
  for await (const message of session) {
    if (message.type === 'result') texts.push('result');
    if (message.type === 'system' && message.subtype === 'local_command_output')
      texts.push(message.content);
  }
  expect(texts).toEqual(['1', 'result', '2', 'There was no request yet.', 'result', '3', 'result']);
});

it('a command that waits is refused if the session ends before', async () => {
  const { session, asked } = await open([local('later', () => 'late')]);
  await session.prompt('Hi.');
  await asked.opened;
  const later = session.runCommand('later').catch((error: unknown) => String(error));
  await session.kill('enough');
  expect(await later).toContain(`the session ${session.sessionId} has ended`);
});

it('commands see the session at the moment of their use', async () => {
  let seen: CommandContext | undefined;
  const see = (context: CommandContext): string => {
    seen = context;
    return 'seen';
  };
  const { cwd, session, gate } = await open([
    local('look', see),
    {
      type: 'prompt',
      name: 'ask',
      description: 'Asks.',
      getPromptForCommand: async (_, context) => [{ type: 'text', text: see(context) }],
    },
  ]);
  gate.open();
  session.setPermissionMode('plan');
  await session.setModel('claude-haiku-5-5');
  await session.useSkill('ask');
  const first = seen;
  await session.runCommand('look');
  const facts = {
    sessionId: session.sessionId,
    cwd,
    model: 'claude-haiku-5-5',
    permissionMode: 'plan',
    tools: expect.arrayContaining(['Read', 'Bash']) as unknown,
    signal: expect.any(AbortSignal) as unknown,
  };
  expect(first).toEqual({ ...facts, messages: [] });
  expect(seen).toEqual({
    ...facts,
    messages: [
      {
        role: 'user',
        content: [
          { type: 'text', text: '/ask' },
          { type: 'text', text: 'seen' },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Hello.' }] },
    ],
  });
  expect(first?.signal.aborted).toBe(false);
  await session.kill();
  expect([first?.signal.aborted, seen?.signal.aborted]).toEqual([true, true]);
});
