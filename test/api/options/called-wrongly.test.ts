import { describe, expect, it, vi } from 'vitest';
import * as troupe from '../../../src/index.js';

/** Programs in JavaScript may give anything. */
const anything = (value: unknown): never => value as never;
const nothing = anything(undefined);

const CALLS: readonly (readonly [call: string, run: () => unknown, message: string])[] = [
  [
    'loadAgents()',
    () => troupe.loadAgents(nothing),
    'loadAgents: the options must be an object, not undefined.',
  ],
  [
    'loadAgents({})',
    () => troupe.loadAgents(anything({})),
    'loadAgents: cwd must be a text that is not empty, not undefined.',
  ],
  [
    'listAgents({ cwd: 7 })',
    () => troupe.listAgents(anything({ cwd: 7 })),
    'listAgents: cwd must be a text that is not empty, not a value of type number.',
  ],
  [
    'createOrchestrator({ env: { A: "\\0" } })',
    () => troupe.createOrchestrator({ env: { A: '\0' } }),
    String.raw`createOrchestrator: env.A must be a text without NUL characters, not the string "\u0000".`,
  ],
  [
    'loadContext({ cwd: "" })',
    () => troupe.loadContext({ cwd: '' }),
    'loadContext: cwd must be a text that is not empty, not "".',
  ],
  [
    'loadPermissions()',
    () => troupe.loadPermissions(nothing),
    'loadPermissions: the options must be an object, not undefined.',
  ],
  [
    'loadPermissions({})',
    () => troupe.loadPermissions(anything({})),
    'loadPermissions: settingSources must be an array of user, project, local.',
  ],
  [
    'listSessions({ home: 3 })',
    () => troupe.listSessions(anything({ home: 3 })),
    'listSessions: home must be a text that is not empty, not a value of type number.',
  ],
  [
    'readLog(null)',
    () => troupe.readLog(anything(null)),
    'readLog: the options must be an object, not null.',
  ],
  [
    'readMail([])',
    () => troupe.readMail(anything([])),
    'readMail: directory must be a text that is not empty, not an array.',
  ],
  [
    'readWorkflow()',
    () => troupe.readWorkflow(nothing),
    'readWorkflow: directory must be a text that is not empty, not undefined.',
  ],
  [
    'loadTeam()',
    () => troupe.loadTeam(nothing),
    'loadTeam: file must be a text that is not empty, not undefined.',
  ],
  [
    'planTeam()',
    () => troupe.planTeam(nothing),
    'planTeam: the options must be an object, not undefined.',
  ],
  [
    'loadScriptFile()',
    () => troupe.loadScriptFile(nothing),
    'loadScriptFile: file must be a text that is not empty, not undefined.',
  ],
  [
    'createScriptedModel({})',
    () => troupe.createScriptedModel(anything({})),
    'createScriptedModel: the script cannot be played: version is required (1).',
  ],
  [
    'createAnthropicModel(null)',
    () => troupe.createAnthropicModel(anything(null)),
    'createAnthropicModel: the options must be an object, not null.',
  ],
  [
    'createSdkMcpServer()',
    () => troupe.createSdkMcpServer(nothing),
    'createSdkMcpServer: the options must be an object, not undefined.',
  ],
  [
    'openControlSocket(troupe, {})',
    () => troupe.openControlSocket(nothing, anything({})),
    'openControlSocket: home must be a text that is not empty, not undefined.',
  ],
  ['query()', () => troupe.query(nothing), 'query: the options must be an object, not undefined.'],
];

describe('a public function that is called wrongly throws an error with a code that says how to call it', () => {
  it.each(CALLS)('%s', async (_, run, message) => {
    const error: unknown = await (async () => run())().catch((thrown: unknown) => thrown);
    expect(troupe.toFailure(error)).toEqual({ code: 'USAGE', message });
  });
});

describe('createAnthropicModel()', () => {
  it('takes the key from the environment of the process', () => {
    vi.stubEnv('ANTHROPIC_AUTH_TOKEN', '');
    vi.stubEnv('ANTHROPIC_API_KEY', '');
    expect(() => troupe.createAnthropicModel()).toThrow('No key for the model');
    vi.stubEnv('ANTHROPIC_API_KEY', 'key');
    expect(() => troupe.createAnthropicModel()).not.toThrow();
  });
});
