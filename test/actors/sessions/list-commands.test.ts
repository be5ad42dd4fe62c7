import { expect, it, onTestFinished } from 'vitest';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { SessionMessage } from '../../../src/actors/contract/session-message.js';
import type { Skill } from '../../../src/core/commands/command.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { createFiles } from '../../support/files.js';
import { GREETING } from '../../support/skills.js';
import { ASK_FIRST } from '../../support/troupe.js';

const SKILLS: readonly Skill[] = [
  { ...GREETING, file: '/greet', argumentHint: '[who]' },
  { ...GREETING, name: 'hooks', description: 'Makes hooks.', file: '/hooks' },
  { ...GREETING, name: 'secret', userInvocable: false, file: '/secret' },
];

/** A session that waits for prompts, and what it has reported. */
async function open(skills?: readonly Skill[]) {
  const cwd = await createFiles({});
  const troupe = createOrchestrator({
    cwd,
    home: cwd,
    env: {},
    agents: [{ name: 'reviewer', description: 'Reviews.', prompt: '' }],
    model: createScriptedModel(() => ({ text: 'Done.' })),
    permissions: { ...ASK_FIRST, alwaysDenyRules: { userSettings: ['Read(.env)'] } },
    ...(skills && { skills }),
  });
  onTestFinished(() => troupe.close());
  const session = troupe.session({ staysOpen: true });
  const messages: SessionMessage[] = [];
  const read = async (): Promise<void> => {
    for await (const message of session) messages.push(message);
  };
  const reading = read();
  return {
    session,
    async ended() {
      session.end();
      await reading;
      return messages;
    },
  };
}

const typed = ({ type, name }: { readonly type: string; readonly name: string }): string =>
  `${type} ${name}`;

it('the commands of a session are its own, and the skills that a person may use', async () => {
  const { session, ended } = await open(SKILLS);
  expect(session.commands().map(typed)).toEqual([
    'local compact',
    'local agents',
    'local context',
    'local dream',
    'local help',
    'local cost',
    'prompt hooks',
    'local mcp',
    'local memory',
    'local model',
    'local permissions',
    'local plugins',
    'local reload-plugins',
    'local skills',
    'local status',
    'local tasks',
    'prompt greet',
  ]);
  const [first] = await ended();
  expect(first).toMatchObject({
    subtype: 'init',
    slash_commands: session.commands().map(({ name }) => name),
  });
});

it('a session without skills reads no command but /compact', async () => {
  const { session, ended } = await open();
  expect(session.commands().map(typed)).toEqual(['local compact']);
  await ended();
});

it('commands of Troupe describe the session without a model request, and give a result', async () => {
  const { session, ended } = await open(SKILLS);
  const texts: unknown[] = [];
  for (const name of ['agents', 'context', 'usage', 'mcp', 'allowed-tools', 'plugins', 'skills'])
    texts.push(await session.runCommand(name));
  const [agents, ...others] = texts;
  expect(agents).toMatchObject({ value: expect.stringContaining('reviewer · inherit · Reviews.') });
  expect(others).toEqual(
    [
      expect.stringMatching(/^0 of 200000 tokens \(0 %\) of /),
      'There was no request yet.',
      'There are no MCP servers.',
      'mode · default\ndeny · Read(.env) · user settings',
      'There are no plugins.',
      '/greet · yours · Greets.\n/hooks · yours · Makes hooks.\nsecret · yours, only the model · Greets.',
    ].map((value: unknown) => ({ type: 'text', value })),
  );
  const messages = await ended();
  const cost = messages.findIndex(
    (message) => 'content' in message && message.content === 'There was no request yet.',
  );
  expect(messages.slice(cost, cost + 2)).toEqual([
    expect.objectContaining({ type: 'system', subtype: 'local_command_output' }),
    expect.objectContaining({
      type: 'result',
      subtype: 'success',
      result: 'There was no request yet.',
      num_turns: 0,
    }),
  ]);
  expect(messages.some(({ type }) => type === 'assistant')).toBe(false);
});

it('a command that does not exist, or takes no words, is refused', async () => {
  const { session, ended } = await open(SKILLS);
  await expect(session.runCommand('costs')).rejects.toThrow(
    'session.runCommand: there is no command "costs". Choose compact, agents,',
  );
  await expect(session.runCommand('cost', 'all')).rejects.toThrow('/cost takes no words.');
  await ended();
});
