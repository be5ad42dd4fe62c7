import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { FakeMessagesApi } from '../../src/testing/fake-messages-api.js';
import { agent, answer, newestText, requestsOf } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';
import { CLIENT, isResult, say } from './support/stream-client.js';

/** The environment of a run with these managed settings. */
async function withManaged(place: Place, settings: object): Promise<Record<string, string>> {
  await place.write({ '../managed.json': JSON.stringify(settings) });
  return { TROUPE_MANAGED_SETTINGS: join(place.cwd, '../managed.json') };
}

const shown = (place: Place, text: string): string =>
  text.replaceAll(join(place.cwd, '..'), '').replaceAll(/\n$/g, '');
const modelsOf = (api: FakeMessagesApi): readonly unknown[] =>
  api.requests.map(({ body }) => body['model']);
const why = (id: string): string =>
  `The model "${id}" may not be used: availableModels of /managed.json does not have it. It has: sonnet, claude-opus-4-6.`;
const LIMITS = { availableModels: ['sonnet', 'claude-opus-4-6'] };

describe.concurrent('availableModels in managed settings', () => {
  it('refuse a model of the command line, before anything is asked', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, LIMITS);
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const refused = await place.call(['-p', 'go', '--model', 'haiku'], { api, env });
    expect([refused.code, shown(place, refused.stderr), modelsOf(api)]).toEqual([
      2,
      `troupe: ${why('claude-haiku-5-5')}`,
      [],
    ]);
    const other = await place.call(['-p', 'go', '--model', 'opus'], { api, env });
    expect([other.code, shown(place, other.stderr), modelsOf(api)]).toEqual([
      0,
      'troupe: The model "opus" is claude-opus-4-6 here, by the limits of settings.',
      ['claude-opus-4-6'],
    ]);
  });

  it('replace those of settings, variables, agents, skills and fallbacks, and say so', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, LIMITS);
    await place.write({
      '../home/.claude/settings.json': JSON.stringify({
        model: 'claude-opus-5-5',
        availableModels: ['claude-opus-5-5', 'haiku'],
        fallbackModel: ['haiku', 'opus'],
      }),
      '../home/.claude/skills/s/SKILL.md': '---\ndescription: S.\nmodel: fable\n---\nSkill.\n',
      '../home/.claude/agents/a.md': '---\nname: a\ndescription: A.\nmodel: haiku\n---\nA.\n',
    });
    const api = await place.api({
      handler: answer({
        go: [
          { tools: [{ name: 'Skill', input: { skill: 's' } }] },
          { tools: [agent('by file', { subagent_type: 'a' }), agent('by variable')] },
          { tools: [agent('by call', { model: 'fable' })] },
          { text: 'Done.' },
        ],
        'by file': [{ text: '.' }],
        'by variable': [{ text: '.' }],
      }),
    });
    const variable = { ...env, CLAUDE_CODE_SUBAGENT_MODEL: 'claude-opus-4-5' };
    const { code, stderr } = await place.call(['-p', 'go', '--trust'], { api, env: variable });
    expect([code, new Set(modelsOf(api))]).toEqual([0, new Set(['claude-sonnet-5-5'])]);
    expect(shown(place, stderr).split('\n')).toEqual([
      `troupe: The setting "model": ${why('claude-opus-5-5')} The session uses claude-sonnet-5-5.`,
      `troupe: "a": ${why('claude-haiku-5-5')} It is left out.`,
      `troupe: "s": ${why('claude-fable-5-1')} It is left out.`,
      `troupe: The fallback model: ${why('claude-haiku-5-5')} It is left out.`,
      `troupe: CLAUDE_CODE_SUBAGENT_MODEL: ${why('claude-opus-4-5')} It is left out.`,
    ]);
    expect(newestText(requestsOf(api, 'go').at(-1))).toContain(
      why('claude-fable-5-1').slice(0, 60),
    );
  });

  it('refuse a change of the model while a session runs, and leave others out of the list', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, { ...LIMITS, deniedModels: ['claude-sonnet-5-5'] });
    const api = await place.api({ replies: [{ text: 'Done.' }] });
    const troupe = place.start(CLIENT, { api, env, input: 'open' });
    const ask = async (request: object): Promise<unknown> => {
      const id = JSON.stringify(request);
      troupe.send({ type: 'control_request', request_id: id, request });
      const { response } = await troupe.line(id, ({ response: one }) =>
        JSON.stringify(one ?? null).includes(JSON.stringify(id)),
      );
      return response;
    };
    expect(await ask({ subtype: 'set_model', model: 'haiku' })).toMatchObject({
      subtype: 'error',
      error: expect.stringContaining('claude-haiku-5-5'),
    });
    const listed = (await ask({ subtype: 'list_models' })) as {
      readonly response: { readonly models: readonly { readonly resolvedModel: string }[] };
    };
    expect(new Set(listed.response.models.map((one) => one.resolvedModel))).toEqual(
      new Set(['claude-opus-4-6']),
    );
    troupe.send(say('go'));
    await troupe.line('the result', isResult);
    expect(modelsOf(api)).toEqual(['claude-opus-4-6']);
  });

  it('count for hooks that ask a model, and for the small model', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, { ...LIMITS, deniedModels: ['haiku'] });
    const hook = (type: string) => ({
      hooks: [{ type, prompt: `${type} hook`, model: 'claude-opus-5-5' }],
    });
    await place.write({
      '../home/.claude/settings.json': JSON.stringify({
        hooks: { UserPromptSubmit: [hook('prompt')], Stop: [hook('agent')] },
      }),
    });
    const api = await place.api({ handler: () => ({ text: '{"ok": true}' }) });
    const variable = { ...env, ANTHROPIC_SMALL_FAST_MODEL: 'claude-fable-5-1' };
    const { code } = await place.call(['-p', 'go'], { api, env: variable });
    expect([code, modelsOf(api)]).toEqual([0, Array(3).fill('claude-sonnet-5-5')]);
  });

  it('refuse the model of a resumed session until another one is named', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'One.' }, { text: 'Two.' }] });
    await place.call(['-p', 'go', '--model', 'haiku'], { api });
    const env = await withManaged(place, LIMITS);
    const refused = await place.call(['-p', 'more', '--continue'], { api, env });
    expect([refused.code, shown(place, refused.stderr)]).toEqual([
      2,
      `troupe: ${why('claude-haiku-5-5')}`,
    ]);
    const args = ['-p', 'more', '--continue', '--model', 'sonnet'];
    expect((await place.call(args, { api, env })).code).toBe(0);
    expect(modelsOf(api)).toEqual(['claude-haiku-5-5', 'claude-sonnet-5-5']);
  });

  it('leave the default model alone, unless enforceAvailableModels covers it', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const api = await place.api({ replies: [{ text: 'One.' }, { text: 'Two.' }] });
    const open = await withManaged(place, { availableModels: ['haiku'] });
    await place.call(['-p', 'go'], { api, env: open });
    const closed = await withManaged(place, {
      availableModels: ['haiku'],
      enforceAvailableModels: true,
    });
    const { stderr } = await place.call(['-p', 'go'], { api, env: closed });
    expect([modelsOf(api), stderr]).toEqual([['claude-sonnet-5-5', 'claude-haiku-5-5'], '']);
  });

  it('have no effect on a script, and deniedModels has none in other settings', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    const env = await withManaged(place, { availableModels: [], deniedModels: ['best'] });
    await place.write({
      'script.yaml': 'version: 1\nagents:\n  - steps:\n      - text: Done.\n',
      '../home/.claude/settings.json': '{"deniedModels": ["sonnet"]}',
    });
    const { code, stderr } = await place.call(['-p', 'go', '--model', 'scripted:script.yaml'], {
      env,
    });
    expect([code, shown(place, stderr).split('\n')]).toEqual([
      0,
      [
        'troupe: /managed.json: deniedModels: these stand for no fixed model and have no effect: best. Name a family, such as opus, or an ID.',
        'troupe: /home/.claude/settings.json: only in managed settings these have an effect: deniedModels.',
      ],
    ]);
  });
});
