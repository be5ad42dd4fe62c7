import {
  methods,
  type ClientCapabilities,
  type CreateElicitationRequest,
} from '@agentclientprotocol/sdk';
import { describe, expect, it } from 'vitest';
import { connectAcp, type AcpClientOptions } from './support/acp-client.js';
import { bash, newestText, write } from './support/answers.js';
import { createPlace, type Place } from './support/place.js';

const { session } = methods.agent;
const QUESTION = {
  name: 'AskUserQuestion',
  input: {
    questions: [
      {
        question: 'Which colour?',
        header: 'Colour',
        options: [
          { label: 'Red', description: 'warm' },
          { label: 'Blue', description: '' },
        ],
        multiSelect: false,
      },
    ],
  },
};

/** An editor whose person chooses the option with this ID. */
function choosing(optionId: string, capabilities: ClientCapabilities = {}): AcpClientOptions {
  return { capabilities, decide: () => ({ outcome: 'selected', optionId }) };
}

async function connect(place: Place, options: AcpClientOptions, replies: object[]) {
  const api = await place.api({ replies: replies as never[] });
  const editor = await connectAcp(place.start(['acp'], { api, input: 'open' }), options);
  return { api, editor, id: await editor.open(place.cwd) };
}

describe.concurrent('the person at an editor', () => {
  it('allows a command always, in the file that the option names, rejects a call, and chooses an answer', async ({
    onTestFinished,
  }) => {
    const place = await createPlace(onTestFinished);
    await place.call(['trust']);
    const choices = ['folder-1', 'reject', 'answer-2'];
    const { api, editor, id } = await connect(
      place,
      { decide: () => ({ outcome: 'selected', optionId: choices.shift() ?? '' }) },
      [
        { tools: [bash('npm test --silent')] },
        { tools: [bash('npm test --silent')] },
        { text: 'Done.' },
        { tools: [write(place.at('a.txt'), 'a')] },
        { tools: [QUESTION] },
        { text: 'Blue it is.' },
      ],
    );
    expect(await editor.prompt(id, 'test')).toBe('end_turn');
    const file = place.at('.claude/settings.local.json');
    expect(editor.asked.map(({ options }) => options.map(({ name }) => name))).toEqual([
      [
        'Allow once',
        'Allow in this session: Bash(npm test --silent)',
        'Allow in this session: Bash(npm test *)',
        `Always allow in this folder (writes ${file}): Bash(npm test --silent)`,
        `Always allow in this folder (writes ${file}): Bash(npm test *)`,
        'Reject',
      ],
    ]);
    expect(JSON.parse(await place.text('.claude/settings.local.json'))).toEqual({
      permissions: { allow: ['Bash(npm test --silent)'] },
    });
    expect(await editor.prompt(id, 'write')).toBe('end_turn');
    expect(place.has('a.txt')).toBe(false);
    expect(await editor.prompt(id, 'ask me')).toBe('end_turn');
    expect(newestText(api.requests.at(-1))).toContain('Which colour? → Blue');
    expect(editor.problems).toEqual([]);
  });

  it('approves a plan, which changes the mode, and fills a form in', async ({ onTestFinished }) => {
    const place = await createPlace(onTestFinished);
    const forms: CreateElicitationRequest[] = [];
    const { api, editor, id } = await connect(
      place,
      {
        ...choosing('allow', { elicitation: { form: {} }, session: { notices: {} } }),
        fillIn: (form) => {
          forms.push(form);
          return { action: 'accept', content: { question1: 'Red' } };
        },
      },
      [
        { tools: [{ name: 'ExitPlanMode', input: { plan: '# Plan\n\nWrite it.' } }] },
        { tools: [QUESTION] },
        { text: 'Done.' },
      ],
    );
    await editor.agent.request(session.setMode, { sessionId: id, modeId: 'plan' });
    expect(await editor.prompt(id, 'plan it')).toBe('end_turn');
    expect(editor.asked[0]).toMatchObject({
      toolCall: {
        kind: 'switch_mode',
        content: [{ content: { text: '# Plan\n\nWrite it.' } }, {}],
      },
      options: [{ name: 'Carry it out' }, { kind: 'allow_always' }, { name: 'Keep planning' }],
    });
    expect(await editor.update(id, 'current_mode_update')).toMatchObject({
      currentModeId: 'default',
    });
    expect(forms).toMatchObject([
      {
        mode: 'form',
        sessionId: id,
        requestedSchema: { properties: { question1: { type: 'string', title: 'Colour' } } },
      },
    ]);
    expect(newestText(api.requests.at(-1))).toContain('Which colour? → Red');
    expect(editor.problems).toEqual([]);
  });
});
