import { describe, expect, it } from 'vitest';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { ProgramCommand } from '../../../src/core/commands/command.js';
import { newestText } from '../../e2e/support/answers.js';
import { collect, createQueries, resultOf } from './support.js';

const VERSION: ProgramCommand = {
  type: 'local',
  name: 'deployed',
  aliases: ['version'],
  description: 'the version that runs',
  argumentHint: '[PLACE]',
  load: async () => ({
    call: async (args, { sessionId }) => ({
      type: 'text',
      value: `${args} of ${sessionId.length}`,
    }),
  }),
};

const DEPLOY: ProgramCommand = {
  type: 'prompt',
  name: 'deploy',
  description: 'Deploys the page.',
  allowedTools: ['Bash(touch *)'],
  getPromptForCommand: async (args) => [{ type: 'text', text: `Deploy to "${args}" with $0.` }],
};

describe('the commands of a program', () => {
  it('are in the first message and in the list, and answer without a model request', async () => {
    const { ask, api } = await createQueries({ replies: [] });
    const hidden: ProgramCommand = { ...VERSION, name: 'secret', aliases: [], isHidden: true };
    const commands = [VERSION, DEPLOY, hidden, { ...DEPLOY, name: 'off', isEnabled: () => false }];
    const asked = ask('/deployed staging', { commands });
    const messages = await collect(asked);
    expect(messages[0]).toMatchObject({
      slash_commands: expect.arrayContaining(['compact', 'cost', 'deployed', 'deploy']) as unknown,
    });
    expect(messages[0]).toMatchObject({
      slash_commands: expect.not.arrayContaining(['secret']) as unknown,
    });
    expect(messages[0]).toMatchObject({
      slash_commands: expect.not.arrayContaining(['off']) as unknown,
    });
    expect(messages.at(-1)).toMatchObject({ subtype: 'success', result: 'staging of 36' });
    expect(await resultOf(ask('/version prod', { commands }))).toMatchObject({
      result: 'prod of 36',
    });
    expect(await resultOf(ask('/secret', { commands }))).toMatchObject({ result: ' of 36' });
    await expect(resultOf(ask('/off', { commands }))).rejects.toThrow('There is no command /off.');
    await expect(resultOf(ask('/deplyo', { commands }))).rejects.toThrow('Did you mean /deploy?');
    expect(api.requests).toEqual([]);
  });

  it('are in no list for an account that Troupe does not use, and cannot be used', async () => {
    const { ask, api } = await createQueries({ replies: [{ text: 'Hello.' }] });
    const commands: ProgramCommand[] = [
      { ...VERSION, name: 'plan', aliases: [], availability: ['claude-ai'] },
      { ...DEPLOY, name: 'upgrade', availability: ['claude-ai'] },
      { ...DEPLOY, name: 'limits', availability: ['claude-ai', 'console'] },
    ];
    const asked = ask('Hi.', { commands });
    const names = (await asked.supportedCommands()).map(({ name }) => name);
    expect(names.filter((name) => ['plan', 'upgrade', 'limits'].includes(name))).toEqual([
      'limits',
    ]);
    await resultOf(asked);
    const tools = JSON.stringify(api.requests[0]?.body.tools);
    expect(tools).toContain('- limits: ');
    expect(tools).not.toContain('- upgrade: ');
    for (const name of ['plan', 'upgrade'])
      await expect(resultOf(ask(`/${name}`, { commands }))).rejects.toThrow(
        `There is no command /${name}.`,
      );
  });

  it('have names for people and marks in lists', async () => {
    const { ask } = await createQueries({ replies: [] });
    const release: ProgramCommand = {
      ...DEPLOY,
      name: 'kit:release',
      userFacingName: () => 'Release it',
      kind: 'workflow',
    };
    const plain: ProgramCommand = { ...VERSION, userFacingName: () => 'deployed' };
    const asked = ask('/help', { commands: [release, plain] });
    expect(await asked.supportedCommands()).toEqual(
      expect.arrayContaining([
        {
          name: 'kit:release',
          description: 'Deploys the page.',
          argumentHint: '',
          userFacingName: 'Release it',
          kind: 'workflow',
        },
      ]),
    );
    const { result } = (await resultOf(asked)) as { readonly result?: string };
    const ofProgram = (line: string): boolean => /^\/(?:kit|deployed)/.test(line);
    expect(result?.split('\n').filter(ofProgram)).toEqual([
      '/kit:release · Release it: Deploys the page. (workflow)',
      '/deployed [PLACE] · the version that runs',
    ]);
    expect(await resultOf(ask('/skills', { commands: [release] }))).toMatchObject({
      result: expect.stringContaining(
        '/kit:release · program · Release it: Deploys the page. (workflow)',
      ) as unknown,
    });
  });

  it('that need a person are in no list of a query, and are refused', async () => {
    const { ask, api } = await createQueries({ replies: [{ text: 'Hello.' }] });
    const commands: ProgramCommand[] = [
      { ...VERSION, name: 'pick', aliases: [], supportsNonInteractive: false },
      { ...DEPLOY, disableNonInteractive: true },
    ];
    const asked = ask('Hi.', { commands });
    const names = (await asked.supportedCommands()).map(({ name }) => name);
    expect(names.filter((name) => ['pick', 'deploy'].includes(name))).toEqual([]);
    await resultOf(asked);
    expect(JSON.stringify(api.requests[0]?.body.tools)).not.toContain('- deploy: ');
    for (const name of ['pick', 'deploy'])
      await expect(resultOf(ask(`/${name} x`, { commands }))).rejects.toThrow(
        `The command /${name} needs a person, and here nobody can answer. Use it at a terminal, or in a session of createOrchestrator.`,
      );
    expect(api.requests).toHaveLength(1);
  });

  it('start workflows with the tool for them, and need it', async () => {
    const { ask, api } = await createQueries({ replies: [{ text: 'Done.' }] });
    const commands: ProgramCommand[] = [{ ...DEPLOY, allowedTools: [], kind: 'workflow' }];
    await resultOf(ask('/deploy x', { commands }));
    expect(newestText(api.requests[0])).toContain(
      'Deploy to "x" with $0.\n\nStart this with the tool Workflow.',
    );
    await expect(resultOf(ask('/deploy x', { commands, tools: ['Read'] }))).rejects.toThrow(
      'The skill "deploy" was not used, because it starts a workflow and needs the tool Workflow, which is not here.',
    );
  });

  it('become prompts, and allow their tools until the next', async () => {
    const touch = { tools: [{ name: 'Bash', input: { command: 'touch done' } }] };
    const { ask, api } = await createQueries({ replies: [touch, { text: 'Deployed.' }] });
    const result = await resultOf(ask('/deploy the moon', { commands: [DEPLOY] }));
    expect(result).toMatchObject({ result: 'Deployed.', permission_denials: [] });
    expect(newestText(api.requests[0])).toContain('Deploy to "the moon" with $0.');
  });

  it('are used by the model like skills', async () => {
    const use = { tools: [{ name: 'Skill', input: { skill: 'tone', args: 'x' } }] };
    const { ask, api } = await createQueries({ replies: [use, { text: 'Done.' }] });
    const tone: ProgramCommand = { ...DEPLOY, name: 'tone', allowedTools: [] };
    await resultOf(ask('Go.', { commands: [tone] }));
    expect(JSON.stringify(api.requests[0]?.body.tools)).toContain('- tone: Deploys the page.');
    expect(newestText(api.requests[1])).toContain('Deploy to "x"');
  });

  it('keep secret arguments out of the line in the conversation', async () => {
    const { ask, api } = await createQueries({ replies: [{ text: 'Done.' }] });
    const login: ProgramCommand = {
      ...DEPLOY,
      name: 'login',
      isSensitive: true,
      getPromptForCommand: async () => [{ type: 'text', text: 'The person has logged in.' }],
    };
    await resultOf(ask('/login hunter2', { commands: [login] }));
    const sent = JSON.stringify(api.requests[0]?.body.messages);
    expect(sent).toContain('"/login"');
    expect(sent).not.toContain('hunter2');
  });

  it.each([
    [{ ...VERSION, name: 'cost' }, 'commands: Troupe has the name "cost". Choose another name.'],
    [{ ...VERSION, name: 'version' }, 'commands: another command has the name "version".'],
    [{ ...VERSION, name: '/x' }, 'must be one word without a slash'],
    [{ ...VERSION, load: undefined }, 'needs a function load'],
    [{ ...DEPLOY, getPromptForCommand: 1 }, 'needs a function getPromptForCommand'],
    [{ ...VERSION, type: 'local-jsx' }, 'commands'],
    [{ ...VERSION, availability: ['bedrock'] }, 'availability'],
    [{ ...DEPLOY, kind: 'macro' }, 'kind'],
    [{ ...DEPLOY, userFacingName: 'Deploy' }, 'userFacingName'],
  ])('are refused if they are wrong: %o', (command, why) => {
    const commands = [command as ProgramCommand]; // code in JavaScript can pass anything
    expect(() => createOrchestrator({ commands })).toThrow(why);
  });
});
