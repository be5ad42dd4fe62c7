import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { OrchestratorOptions } from '../../src/actors/options/orchestrator-options.js';
import type { SessionHandle } from '../../src/actors/contract/handles.js';
import type { SessionListeners } from '../../src/actors/contract/session-listeners.js';
import { getEmptyToolPermissionContext } from '../../src/core/permission-types.js';
import type { Message, ToolResultBlock } from '../../src/core/messages.js';
import { buildTool } from '../../src/tools/build-tool.js';
import type { ToolDef } from '../../src/tools/complete-tool.js';
import type { AnyObject, Tool } from '../../src/tools/tool.js';
import { createOrchestrator } from '../../src/api/orchestrator/orchestrator.js';
import type { Model, ModelEvent } from '../../src/model/model.js';
import { createFolder, createTroupe } from '../support/troupe.js';

/**
 * Functions of a program that throw, lie or never answer, at every place that calls one: at most the tool call
 * fails, the agent continues, and a session beside it notices nothing. All with TROUPE_DEEP, some otherwise.
 */
const isDeep = process.env['TROUPE_DEEP'] !== undefined;

const cyclic: Record<string, unknown> = {};
cyclic['itself'] = cyclic;
const fail = (): never => {
  throw new Error('a trap');
};
const hostile = (): object =>
  new Proxy({}, { get: fail, has: fail, ownKeys: fail, getPrototypeOf: fail });

const THROWN: Readonly<Record<string, () => unknown>> = {
  'an error': () => new Error('failed'),
  'a text': () => 'failed',
  'an empty text': () => '',
  nothing: () => undefined,
  null: () => null,
  'a number': () => NaN,
  'a BigInt': () => 1n,
  'a symbol': () => Symbol('failed'),
  'a function': () => () => 'failed',
  'an object without a prototype': () => Object.create(null) as object,
  'a proxy whose traps throw': hostile,
  'an error whose message throws': () =>
    Object.defineProperty(new Error('failed'), 'message', { get: fail }),
  'an error whose message is no text': () => Object.assign(new Error('failed'), { message: 1n }),
  'an error with a cyclic cause': () => Object.assign(new Error('failed'), { cause: cyclic }),
  'an error with a code that is no text': () => Object.assign(new Error('failed'), { code: 1n }),
  'a frozen error': () => Object.freeze(new Error('failed')),
  'an abort that nobody asked for': () => new DOMException('aborted', 'AbortError'),
};

const LIES: Readonly<Record<string, () => unknown>> = {
  nothing: () => undefined,
  null: () => null,
  'a text': () => 'lie',
  'a number': () => 7,
  'a BigInt': () => 1n,
  'a list': () => [1n],
  'an empty object': () => ({}),
  'cyclic data': () => ({ data: cyclic, content: [cyclic], updatedInput: cyclic }),
  'a proxy whose traps throw': hostile,
  'a function': () => () => 1n,
  'an object without a prototype': () => Object.create(null) as object,
  'another behavior': () => ({ behavior: 'maybe', result: 'maybe', decision: 'maybe' }),
  'an allow with a BigInt in its input': () => ({
    behavior: 'allow',
    updatedInput: { a: 1n },
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'allow',
      updatedInput: { a: 1n },
    },
  }),
};

type Setup = {
  readonly tool?: Partial<ToolDef<AnyObject>>;
  readonly options?: OrchestratorOptions;
  readonly listen?: (session: SessionHandle) => void;
};
type Misbehaviour = () => unknown;

const asks: Partial<ToolDef<AnyObject>> = {
  checkPermissions: () => Promise.resolve({ behavior: 'ask', message: 'Really?' }),
};
const asking = { permissions: getEmptyToolPermissionContext() };
const member =
  (name: keyof Tool) =>
  (misbehave: Misbehaviour): Setup => ({
    tool: { [name]: misbehave },
  });

/** The places that call functions of a program during a tool call. */
const PLACES: Readonly<Record<string, (misbehave: Misbehaviour) => Setup>> = {
  call: member('call'),
  validateInput: member('validateInput'),
  checkPermissions: member('checkPermissions'),
  permissionTarget: member('permissionTarget'),
  isReadOnly: member('isReadOnly'),
  isConcurrencySafe: member('isConcurrencySafe'),
  requiresUserInteraction: member('requiresUserInteraction'),
  interruptBehavior: member('interruptBehavior'),
  description: (misbehave) => ({
    tool: { description: () => misbehave() as string, prompt: () => 'Misbehaves.' },
  }),
  mapToolResultToToolResultBlockParam: member('mapToolResultToToolResultBlockParam'),
  'the data of call': (misbehave) => ({
    tool: { call: async () => ({ data: await misbehave() }) },
  }),
  contextModifier: (misbehave) => ({
    tool: {
      call: () => Promise.resolve({ data: 'ok', contextModifier: misbehave as () => never }),
    },
  }),
  'a transform of the schema': (misbehave) => ({
    tool: { inputSchema: z.looseObject({}).transform(() => misbehave() as AnyObject['_output']) },
  }),
  canUseTool: (misbehave) => ({
    tool: asks,
    options: { ...asking, canUseTool: async () => (await misbehave()) as never },
  }),
  'canUseTool, at once': (misbehave) => ({
    tool: asks,
    options: { ...asking, canUseTool: misbehave as never },
  }),
  'a PreToolUse hook': (misbehave) => ({
    options: { hooks: { PreToolUse: [{ hooks: [misbehave as never] }] } },
  }),
  'a PermissionRequest hook': (misbehave) => ({
    tool: asks,
    options: { ...asking, hooks: { PermissionRequest: [{ hooks: [misbehave as never] }] } },
  }),
  classifier: (misbehave) => ({
    tool: asks,
    options: {
      permissions: {
        ...getEmptyToolPermissionContext(),
        mode: 'auto',
        isAutoModeAvailable: true,
      } as never, // the mode needs no more
      classifier: { name: 'mine', classify: misbehave as never },
    },
  }),
  inspect: (misbehave) => ({ options: { inspect: misbehave as never } }),
  now: (misbehave) => ({ options: { now: misbehave as never } }),
  ...Object.fromEntries(
    (
      [
        'task.status',
        'agent.message',
        'agent.stream',
        'agent.sampled',
        'agent.idle',
        'permission.denied',
        'tool.progress',
      ] as const
    ).map((name) => [
      `a listener of ${name}`,
      (misbehave: Misbehaviour): Setup => ({
        listen: ({ events }) => void (events as SessionListeners).on(name, misbehave as never),
      }),
    ]),
  ),
};

/** zod drops the promise of a transform: its rejection is the program's own, as is that of a proxy whose `then` throws. */
const isOurs = ({ name }: { readonly name: string }): boolean =>
  !/^a transform of the schema (rejects|resolves with a proxy)/.test(name);

const kinds = Object.entries(PLACES)
  .flatMap(([place, setUp]) => [
    ...Object.entries(THROWN).flatMap(([what, thrown]) => [
      {
        name: `${place} throws ${what}`,
        setUp: () =>
          setUp(() => {
            throw thrown();
          }),
      },
      { name: `${place} rejects with ${what}`, setUp: () => setUp(() => Promise.reject(thrown())) },
    ]),
    ...Object.entries(LIES).flatMap(([what, lie]) => [
      { name: `${place} returns ${what}`, setUp: () => setUp(lie) },
      { name: `${place} resolves with ${what}`, setUp: () => setUp(async () => lie()) },
    ]),
  ])
  .filter(isOurs);
/** Some of all pairs of a place and a value: the step shares no factor with their numbers. */
const chosen = isDeep ? kinds : kinds.filter((_, index) => index % 61 === 7);

async function start({ tool: members = {}, options = {}, listen }: Setup) {
  const tool = buildTool({
    name: 'X',
    inputSchema: z.looseObject({}),
    call: (_input, _context, _canUseTool, _parent, onProgress) => {
      onProgress?.({ type: 'half' });
      return Promise.resolve({ data: 'ok' });
    },
    ...members,
  } as ToolDef<AnyObject>); // what is not of these shapes is the point
  const requests: (readonly Message[])[] = [];
  const { troupe } = await createTroupe(
    ({ messages }) => {
      requests.push(messages);
      const isFirst = messages.at(-1)?.role === 'user' && messages.length % 4 === 1;
      return isFirst ? { tools: [{ name: 'X', input: {} }] } : { text: 'end' };
    },
    { tools: [tool], graceMs: 100, ...options },
  );
  const neighbour = troupe.session({ staysOpen: true });
  const session = troupe.session({ prompt: 'go', staysOpen: true });
  const nextIdle = () =>
    new Promise((resolve) =>
      session.events.once('agent.idle', (_, turnOutcome) => resolve(turnOutcome)),
    );
  const rested = nextIdle();
  listen?.(session);
  return { troupe, neighbour, session, requests, rested, nextIdle };
}

/** The results that the model got for its uses. */
function resultsOf(messages: readonly Message[] | undefined): readonly ToolResultBlock[] {
  return (messages ?? []).flatMap(({ content }) =>
    content.flatMap((block) => (block.type === 'tool_result' ? [block] : [])),
  );
}

describe.each(chosen)('$name', ({ setUp }) => {
  it('hurts at most this use of the tool', async () => {
    const { troupe, neighbour, session, requests, rested, nextIdle } = await start(setUp());
    const completed = { status: 'completed', result: 'end' };
    expect(await rested).toEqual(completed);
    const restedAgain = nextIdle();
    await session.prompt('again');
    expect(await restedAgain).toEqual(completed);
    const results = resultsOf(requests.at(-1));
    expect(results.map(({ content }) => typeof content)).toHaveLength(2);
    expect([session.status, neighbour.status]).toEqual(['running', 'running']);
    await troupe.close();
  });
});

const never: Misbehaviour = () => new Promise(() => {});
const WAITED_FOR = [
  'call',
  'validateInput',
  'checkPermissions',
  'canUseTool',
  'a PreToolUse hook',
  'a PermissionRequest hook',
  'classifier',
] as const;

describe.each(WAITED_FOR)('%s never answers', (place) => {
  it('and an interrupt ends the turn all the same', async () => {
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    const misbehave = (): unknown => {
      begin();
      return never();
    };
    const { troupe, session, requests, rested, nextIdle } = await start(PLACES[place]!(misbehave)); // named above
    await begun;
    session.interrupt();
    expect(await rested).toMatchObject({ status: 'failed', failure: { code: 'INTERRUPTED' } });
    const restedAgain = nextIdle();
    await session.prompt('again');
    await begun;
    await new Promise(setImmediate);
    session.interrupt();
    expect(await restedAgain).toMatchObject({ status: expect.any(String) });
    const [result] = resultsOf(requests.at(-1));
    expect(result?.content).toMatch(
      place === 'call'
        ? /^Interrupted by the user .* X did not stop; its outcome is unknown\./
        : /^Interrupted by the user/,
    );
    await troupe.close();
  });
});

describe.each(['at once', 'after its first event'])('a model that says nothing %s', (when) => {
  it('and does not look at its signal is not waited for when it is interrupted', async () => {
    const folder = await createFolder();
    let begin = (): void => {};
    const begun = new Promise<void>((resolve) => {
      begin = resolve;
    });
    async function* silent(): AsyncGenerator<ModelEvent> {
      if (when !== 'at once')
        yield { type: 'message_start', message: { id: 'm', model: 'x', usage: {} } };
      begin();
      await never();
    }
    const model: Model = { stream: () => Promise.resolve(silent()) };
    const troupe = createOrchestrator({ cwd: folder, home: folder, model, graceMs: 100 });
    const session = troupe.session({ prompt: 'go', staysOpen: true });
    const rested = new Promise((resolve) =>
      session.events.once('agent.idle', (_, turnOutcome) => resolve(turnOutcome)),
    );
    await begun;
    session.interrupt();
    expect(await rested).toMatchObject({ status: 'failed', failure: { code: 'INTERRUPTED' } });
    await troupe.close();
  });
});
