import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { UsageError } from '../../../src/core/errors.js';
import { createSdkMcpServer, tool } from '../../../src/extensions/mcp/servers/sdk-server.js';
import { createTroupe } from '../../support/troupe.js';

/** The error that a call throws, or rejects with. */
async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    await call();
  } catch (error) {
    return error instanceof UsageError ? error.message : error;
  }
  return 'accepted';
}

async function createHost() {
  const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
  return { troupe, session: troupe.session({ hostsOnly: true, staysOpen: true }) };
}

describe('session refuses', () => {
  it.each([
    [{ promt: 'Go.' }, 'session: there is no option "promt". Did you mean prompt?'],
    ['Go.', 'session: the options must be an object, not the string "Go.".'],
    [{ maxTurns: 0 }, 'session: maxTurns must be more than 0, not the number 0.'],
    [
      { permissionMode: 'acceptedits' },
      expect.stringContaining('session: permissionMode must be one of "default", "acceptEdits"'),
    ],
    [{ effort: 'hard' }, expect.stringContaining('session: effort must be one of "low"')],
    [{ thinking: { type: 'enabld' } }, expect.stringContaining('session: thinking')],
    [
      { thinking: { type: 'adaptive', budget: 3 } },
      expect.stringContaining('session: thinking: there is no option "budget"'),
    ],
    [{ modelName: '' }, 'session: modelName must be a text that is not empty, not the string "".'],
    [{ staysOpen: 'yes' }, 'session: staysOpen must be true or false, not the string "yes".'],
    [{ forks: true }, 'A fork needs a session: give resume too.'],
    [
      { hostsOnly: true, prompt: 'Go.' },
      expect.stringContaining('session: with hostsOnly the main agent makes no model requests'),
    ],
  ])('%j', async (start, message) => {
    const { troupe } = await createTroupe(() => ({ text: 'Done.' }));
    expect(await refusalOf(() => troupe.session(start as object))).toEqual(message);
  });
});

describe('a session refuses', () => {
  it('unknown options of spawn', async () => {
    const { session } = await createHost();
    const options = { promt: 'Go.' } as unknown as { prompt: string };
    expect(await refusalOf(() => session.spawn(options))).toBe(
      'No agent can be started: there is no option "promt". Did you mean prompt?',
    );
  });

  it('unknown options of map, and what makes no agents', async () => {
    const { session } = await createHost();
    const toSpawn = () => ({ prompt: 'Go.' });
    const options = { concurency: 3 } as object;
    expect(await refusalOf(() => session.map(['a'], toSpawn, options))).toBe(
      'session.map: there is no option "concurency". Did you mean concurrency?',
    );
    expect(await refusalOf(() => session.map(['a'], 'Go.' as never))).toBe(
      'session.map: toSpawn must be a function that returns what session.spawn takes.',
    );
  });

  it.each([
    [{ task: {} }, 'session.workflow: there is no option "task". Did you mean tasks?'],
    [
      { rules: { denny: [] } },
      'session.workflow: rules: there is no option "denny". Did you mean deny?',
    ],
    [
      { rules: { deny: ['Bash(ls'] } },
      'session.workflow: rules.deny[0]: The permission rule "Bash(ls" has a "(" and does not end with ")".',
    ],
    [{ inputs: { a: 1 } }, 'session.workflow: inputs.a must be a string, not the number 1.'],
    [
      { tasks: { one: { comand: 'true' } } },
      'The workflow cannot be used: tasks.one: there is no field "comand". Did you mean command?',
    ],
    [
      { tasks: { one: { command: 3 } } },
      'The workflow cannot be used: tasks.one.command must be a text, or a list of texts with every number in quotes, not the number 3.',
    ],
    [{ taskBudget: { token: 3 } }, 'taskBudget: there is no field "token". Did you mean tokens?'],
  ])('the workflow %j', async (start, message) => {
    const { session } = await createHost();
    const tasks = { one: { command: ['true'] } };
    expect(await refusalOf(() => session.workflow({ tasks, ...start } as never))).toBe(message);
  });

  it('an invalid mode, invalid updates, and rules without effect', async () => {
    const { session } = await createHost();
    expect(await refusalOf(() => session.setPermissionMode('wild' as never))).toEqual(
      expect.stringContaining('session.setPermissionMode: mode must be one of "default"'),
    );
    const update = { type: 'addRules', behavior: 'deny', destination: 'session' } as const;
    expect(
      await refusalOf(() =>
        session.updatePermissions([{ ...update, rules: [{ toolName: 'bash' }] }]),
      ),
    ).toBe(
      'session.updatePermissions: updates[0]: the rule bash denies nothing: no tool is called "bash". Did you mean Bash?',
    );
    expect(
      await refusalOf(() => session.updatePermissions([{ ...update, rules: 'Bash' } as never])),
    ).toBe('session.updatePermissions: updates[0].rules must be an array, not the string "Bash".');
    expect(await refusalOf(() => session.setModel(' '))).toBe(
      'session.setModel: give the id or the alias of a model, or nothing.',
    );
  });

  it('a handler that is no function', async () => {
    const { troupe } = await createHost();
    expect(await refusalOf(() => troupe.approvals.onRequest({} as never))).toContain(
      'approvals.onRequest: give a function',
    );
  });
});

describe('tool refuses', () => {
  const handler = () => Promise.resolve({ content: [] });
  it.each([
    [
      'a name that the API does not take',
      () => tool('a b', 'Does it.', {}, handler),
      'tool: "a b" is not a valid name for a tool.',
    ],
    [
      'a whole schema in the place of fields',
      () => tool('a', 'Does it.', z.object({}) as never, handler),
      'tool: a: the input schema must be an object of fields, each a zod schema: write { path: z.string() }, not z.object({ path: z.string() }).',
    ],
    [
      'fields that are no schemas',
      () => tool('a', 'Does it.', { path: 'string' } as never, handler),
      'tool: a: the input schema must be an object of fields',
    ],
    [
      'a handler that is no function',
      () => tool('a', 'Does it.', {}, {} as never),
      'tool: a: the handler must be a function.',
    ],
    [
      'two of one name in a server',
      () =>
        createSdkMcpServer({
          name: 's',
          tools: [tool('a', 'A.', {}, handler), tool('a', 'B.', {}, handler)],
        }),
      'createSdkMcpServer: tools[1]: there are two tools called "a".',
    ],
  ])('%s', async (_, make, message) => {
    expect(await refusalOf(make)).toEqual(expect.stringContaining(message));
  });
});
