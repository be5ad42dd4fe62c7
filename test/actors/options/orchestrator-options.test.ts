import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { createOrchestrator } from '../../../src/api/orchestrator/orchestrator.js';
import type { OrchestratorOptions } from '../../../src/actors/options/orchestrator-options.js';
import { UsageError } from '../../../src/core/errors.js';
import { defineAgent } from '../../../src/extensions/agents/define-agent.js';
import { loadAgents } from '../../../src/extensions/agents/load-agents.js';
import { createScriptedModel } from '../../../src/model/scripted/scripted-model.js';
import { buildTool } from '../../../src/tools/build-tool.js';
import { createFolder } from '../../support/troupe.js';

const toolOf = (name: string) =>
  buildTool({
    name,
    inputSchema: z.object({}),
    call: () => Promise.resolve({ data: 'done' }),
  });

/** The message that refuses the options; options from JavaScript may be anything. */
function refusalOf(options: unknown): unknown {
  try {
    createOrchestrator(options as OrchestratorOptions);
  } catch (error) {
    return error instanceof UsageError ? error.message : error;
  }
  return 'accepted';
}

describe('createOrchestrator refuses', () => {
  it.each([
    [
      'an unknown option',
      { permisions: {} },
      'createOrchestrator: there is no option "permisions". Did you mean permissions?',
    ],
    [
      'an option that is only begun',
      { maxConcurrent: 3 },
      'createOrchestrator: there is no option "maxConcurrent". Did you mean maxConcurrentAgents?',
    ],
    [
      'options that are no object',
      'cwd',
      'createOrchestrator: the options must be an object, not the string "cwd".',
    ],
    [
      'a relative folder',
      { cwd: 'src' },
      'createOrchestrator: cwd must be an absolute path, not "src". Write path.resolve("src").',
    ],
    [
      'a folder that does not exist',
      { cwd: '/no/such' },
      'createOrchestrator: cwd: /no/such does not exist. Give the path of an existing folder.',
    ],
    [
      'a name in the place of a model',
      { model: 'sonnet' },
      'createOrchestrator: model needs a client, such as createAnthropicModel(); the name of a model goes into modelName, as in { modelName: "sonnet" }.',
    ],
    [
      'a model without a method',
      { model: {} },
      'createOrchestrator: model needs a client with a method stream, such as the result of createAnthropicModel() or createScriptedModel(…).',
    ],
    [
      'an empty name of a model',
      { modelName: ' ' },
      'createOrchestrator: modelName must be a text that is not empty, not the string " ".',
    ],
    [
      'a negative depth',
      { maxDepth: -1 },
      'createOrchestrator: maxDepth must be at least 0, not the number -1.',
    ],
    [
      'a grace in words',
      { graceMs: '1s' },
      'createOrchestrator: graceMs must be a number, not the string "1s".',
    ],
    [
      'an endless grace',
      { graceMs: Infinity },
      'createOrchestrator: graceMs must be a finite number, not the number Infinity.',
    ],
    [
      'half a token',
      { maxTokens: 0.5 },
      'createOrchestrator: maxTokens must be a whole number, not the number 0.5.',
    ],
    [
      'no window',
      { contextWindow: 0 },
      'createOrchestrator: contextWindow must be more than 0, not the number 0.',
    ],
    [
      'a time-out of nothing',
      { streamIdleTimeoutMs: 0 },
      'createOrchestrator: streamIdleTimeoutMs must be more than 0, not the number 0.',
    ],
    [
      'a flag in words',
      { persists: 'no' },
      'createOrchestrator: persists must be true or false, not the string "no".',
    ],
    [
      'an empty home',
      { home: '' },
      'createOrchestrator: home must be a text that is not empty, not the string "".',
    ],
    [
      'a number in the environment',
      { env: { A: 1 } },
      'createOrchestrator: env.A must be a string, not the number 1.',
    ],
    [
      'a callback that is no function',
      { canUseTool: true },
      'createOrchestrator: canUseTool must be a function, not the boolean true.',
    ],
    [
      'a classifier without its method',
      { classifier: () => 'allow' },
      'createOrchestrator: classifier must be an object with a method classify, not a function.',
    ],
    [
      'a prompt tool of no server',
      { permissionPromptTool: 'ask' },
      'createOrchestrator: permissionPromptTool must be a name such as mcp__server__tool, not the string "ask".',
    ],
    [
      'an unknown layer of settings',
      { persistPermissions: ['locale'] },
      'createOrchestrator: persistPermissions[0] must be one of "user", "project", "local", not the string "locale". Did you mean "local"?',
    ],
    [
      'an unknown kind of sandbox',
      { sandbox: { mode: 'docker' } },
      'createOrchestrator: sandbox.mode must be one of "none", "bwrap", "external", not the string "docker".',
    ],
    [
      'an unknown option of the sandbox',
      { sandbox: { mode: 'bwrap', writeable: [] } },
      'createOrchestrator: sandbox: there is no option "writeable". Did you mean writable?',
    ],
    [
      'an unknown part of the context',
      { context: { memry: [] } },
      'createOrchestrator: context: there is no option "memry". Did you mean memory?',
    ],
    [
      'a budget of an unknown unit',
      { taskBudget: { dollars: 1 } },
      'taskBudget: there is no field "dollars". There are usd, tokens, turns, seconds, depth, agents.',
    ],
  ])('%s', (_, options, message) => {
    expect(refusalOf(options)).toEqual(message);
  });

  it('a file in the place of a folder', async () => {
    const file = join(await createFolder(), 'notes.txt');
    await writeFile(file, 'hello');
    expect(refusalOf({ cwd: file })).toBe(
      `createOrchestrator: cwd: ${file} is not a folder. Give the path of an existing folder.`,
    );
  });
});

describe('createOrchestrator refuses permissions with', () => {
  it.each([
    [
      'an unknown key',
      { alow: [] },
      'createOrchestrator: permissions: there is no option "alow". Did you mean allow?',
    ],
    [
      'a misspelt mode',
      { mode: 'acceptedits' },
      expect.stringContaining('permissions.mode must be one of "default", "acceptEdits"'),
    ],
    [
      'one rule in the place of a list',
      { allow: 'Read' },
      'createOrchestrator: permissions.allow must be an array, not the string "Read".',
    ],
    [
      'a rule that has no end',
      { allow: ['Read', 'Bash(ls'] },
      'createOrchestrator: permissions.allow[1]: The permission rule "Bash(ls" has a "(" and does not end with ")".',
    ],
    [
      'a rule for a misspelt tool',
      { deny: ['bash(touch *)'] },
      'createOrchestrator: permissions.deny[0]: the rule bash(touch *) denies nothing: no tool is called "bash". Did you mean Bash?',
    ],
    [
      'a rule for a misspelt agent',
      { deny: ['Agent(wroker)'] },
      expect.stringContaining('permissions.deny[0]: the rule Agent(wroker) '),
    ],
    [
      'a rule that has no effect',
      { deny: ['Write(/src/**)'] },
      'createOrchestrator: permissions.deny[0]: the rule Write(/src/**) has no effect: paths are looked up in rules for Read and Edit only. Write Edit(/src/**).',
    ],
    [
      'a folder that does not exist',
      { additionalDirectories: ['/no/such'] },
      'createOrchestrator: permissions.additionalDirectories[0]: /no/such does not exist. Give the path of an existing folder.',
    ],
    [
      'half a context',
      { alwaysAllowRules: { session: ['Read'] } },
      expect.stringContaining('createOrchestrator: permissions.mode is required'),
    ],
  ])('%s', (_, permissions, message) => {
    expect(refusalOf({ permissions })).toEqual(message);
  });

  it('a rule for a misspelt tool in the context of a program', () => {
    const permissions = {
      mode: 'default',
      additionalWorkingDirectories: {},
      alwaysAllowRules: {},
      alwaysDenyRules: { session: ['Bsh(rm *)'] },
      alwaysAskRules: {},
      isBypassPermissionsModeAvailable: false,
    };
    expect(refusalOf({ permissions })).toBe(
      'createOrchestrator: permissions.alwaysDenyRules.session[0]: the rule Bsh(rm *) denies nothing: no tool is called "Bsh". Did you mean Bash?',
    );
  });
});

describe('createOrchestrator refuses tools', () => {
  it.each([
    [
      'of one name',
      { tools: [toolOf('Order'), toolOf('Order')] },
      'createOrchestrator: tools[1]: tools[0] has the name "Order" already. Choose another name.',
    ],
    [
      'with the name of a built-in tool',
      { tools: [toolOf('Bash')] },
      'createOrchestrator: tools[0]: the built-in tool Bash has the name "Bash" already. Choose another name, or leave the built-in tool out by builtInTools.',
    ],
    [
      'that were not built',
      { tools: [{ name: 'Order', call: () => ({}) }] },
      'createOrchestrator: tools[0] is not a tool: give the result of defineTool, buildTool or buildJsonSchemaTool. Tools made by tool(…) belong in createSdkMcpServer.',
    ],
    [
      'whose input has no schema',
      { tools: [{ ...toolOf('Order'), inputSchema: undefined }] },
      'createOrchestrator: tools[0]: The input of the tool Order cannot be described by a JSON schema. Use plain zod types, without transforms.',
    ],
    [
      'whose input is no object',
      { tools: [{ ...toolOf('Order'), inputSchema: z.string() }] },
      'createOrchestrator: tools[0]: The input of the tool Order must be an object, and its schema describes string. Use z.object({ … }).',
    ],
    [
      'that are no list',
      { tools: toolOf('Order') },
      'createOrchestrator: tools must be an array of tools.',
    ],
    [
      'that are not built in',
      { builtInTools: ['Raed'] },
      expect.stringContaining('There is no built-in tool "Raed". Did you mean Read?'),
    ],
  ])('%s', (_, options, message) => {
    expect(refusalOf(options)).toEqual(message);
  });

  it('only if they clash: a built-in tool that is left out gives its name away', async () => {
    const model = createScriptedModel(() => ({}));
    const options = {
      cwd: await createFolder(),
      model,
      builtInTools: ['Read'],
      tools: [toolOf('Bash')],
      permissions: { allow: ['Bash'] },
    };
    expect(refusalOf(options)).toBe('accepted');
  });
});

describe('createOrchestrator warns of tools that agents name and that are not there', () => {
  const agent = (tools: string[], disallowedTools: string[]) =>
    defineAgent({
      name: 'clerk',
      description: 'Orders.',
      prompt: 'Order.',
      tools,
      disallowedTools,
    });

  it('once a definition', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const cwd = await createFolder();
    const model = createScriptedModel(() => ({}));
    const agents = [agent(['Raed', 'Order', 'mcp__shop__order'], ['SlashCommand'])];
    createOrchestrator({ cwd, model, agents, tools: [toolOf('Order')] });
    createOrchestrator({ cwd, model, agents, tools: [toolOf('Order')] });
    const options = { type: 'TroupeWarning', code: 'UNKNOWN_TOOL' };
    expect(warn.mock.calls).toEqual([
      ['The agent "clerk": "tools": there is no tool "Raed". Did you mean Read?', options],
      ['The agent "clerk": "disallowedTools": there is no tool "SlashCommand".', options],
    ]);
  });

  it('and the MCP servers of rules that no server is configured for', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const cwd = await createFolder();
    const model = createScriptedModel(() => ({}));
    const permissions = {
      allow: ['mcp__elsewhere__read'],
      deny: ['mcp__shop__delete', 'mcp__shpo', 'mcp__*__drop'],
    };
    const mcpServers = { shop: { command: 'shop' } };
    const troupe = createOrchestrator({ cwd, model, permissions, mcpServers });
    await troupe.close();
    expect(warn.mock.calls).toEqual([
      [
        'createOrchestrator: permissions.deny: the rule mcp__shpo denies nothing: no MCP server is called "shpo". Did you mean shop?',
        { type: 'TroupeWarning', code: 'UNKNOWN_TOOL' },
      ],
    ]);
  });

  it('but not of those that were read from files, which loadAgents returns', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    const cwd = await createFolder();
    await mkdir(join(cwd, '.claude/agents'), { recursive: true });
    await writeFile(
      join(cwd, '.claude/agents/clerk.md'),
      '---\nname: clerk\ndescription: Orders.\ntools: Raed\n---\nOrder.\n',
    );
    const { agents, missingTools } = await loadAgents({ cwd, sources: ['project'] });
    createOrchestrator({ cwd, model: createScriptedModel(() => ({})), agents });
    expect(missingTools.get('clerk')).toEqual([
      expect.stringContaining('there is no tool "Raed". Did you mean Read?'),
    ]);
    expect(warn.mock.calls).toEqual([]);
  });
});

describe('createOrchestrator refuses agents, servers and hooks:', () => {
  it.each([
    [
      'an agent without a prompt',
      { agents: [{ name: 'a', description: 'b' }] },
      expect.stringContaining('The agent "a" is invalid: "prompt"'),
    ],
    [
      'a misspelt field of an agent',
      { agents: [{ name: 'a', description: 'b', prompt: 'c', modle: 'opus' }] },
      'The agent "a" is invalid: there is no field "modle". Did you mean model?',
    ],
    [
      'agents by name',
      { agents: { a: {} } },
      'createOrchestrator: agents must be an array of definitions.',
    ],
    [
      'a server without a command',
      { mcpServers: { files: { cmd: 'files' } } },
      expect.stringContaining('createOrchestrator: mcpServers.files'),
    ],
    [
      'a misspelt field of a server',
      { mcpServers: { files: { command: 'files', arg: [] } } },
      'createOrchestrator: mcpServers.files: there is no option "arg". Did you mean args?',
    ],
    [
      'a server of a type that is not supported',
      { mcpServers: { files: { type: 'ws', url: 'ws://localhost' } } },
      expect.stringContaining(
        'createOrchestrator: mcpServers.files has the type ws: give { command, args, env }, { type: "http", url, headers }',
      ),
    ],
    [
      'a misspelt event',
      { hooks: { PreTool: [] } },
      'hooks: there is no event "PreTool". Did you mean PreToolUse?',
    ],
    [
      'a misspelt field of a hook',
      { hooks: { PreToolUse: [{ matchr: 'Bash', hooks: [] }] } },
      'hooks.PreToolUse.0: there is no field "matchr". Did you mean matcher?',
    ],
  ])('%s', (_, options, message) => {
    expect(refusalOf(options)).toEqual(message);
  });
});

describe('buildTool refuses', () => {
  const definition = {
    name: 'Order',
    inputSchema: z.object({}),
    call: () => Promise.resolve({ data: '' }),
  };
  it.each([
    [
      'a name that the API does not take',
      { ...definition, name: 'a b' },
      'buildTool: "a b" is not a valid name for a tool. The API takes 1 to 128 of the characters A-Z, a-z, 0-9, _ and -.',
    ],
    [
      'an unknown member',
      { ...definition, isReadonly: () => true },
      'buildTool: Order: there is no member "isReadonly". Did you mean isReadOnly?',
    ],
    [
      'a member that is no function',
      { ...definition, isReadOnly: true },
      'buildTool: Order: isReadOnly must be a function, not the boolean true.',
    ],
    [
      'an async description',
      { ...definition, description: async () => 'Order' },
      'buildTool: Order: description must not be async: nothing waits for a line for people. Return the text itself.',
    ],
    [
      'a tool that does nothing',
      { name: 'Order', inputSchema: z.object({}) },
      'buildTool: Order: call must be a function, not nothing.',
    ],
    [
      'a JSON schema in the place of a zod schema',
      { ...definition, inputSchema: { type: 'object' } },
      'buildTool: Order: inputSchema must be a zod schema of an object, such as z.object({ path: z.string() }), not an object. A JSON schema goes into buildJsonSchemaTool.',
    ],
  ])('%s', (_, given, message) => {
    const build = () => buildTool(given as unknown as typeof definition);
    expect(build).toThrow(UsageError);
    expect(build).toThrow(message);
  });
});
