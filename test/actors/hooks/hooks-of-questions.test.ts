import { expect, it } from 'vitest';
import type { HookInput } from '../../../src/extensions/hooks/hook-inputs.js';
import type { HookOutput } from '../../../src/extensions/hooks/hook-output.js';
import { askBack, form } from '../../support/mcp/ask-back.js';

it('hooks answer questions of a server in place of a person, and replace answers', async () => {
  const noted: unknown[] = [];
  const saying = (outputs: readonly HookOutput[]) => {
    let runs = 0;
    return {
      matcher: 'asking',
      hooks: [
        (input: HookInput): Promise<HookOutput> => {
          const told = input as unknown as Readonly<Record<string, unknown>>;
          noted.push([input.hook_event_name, told['message'] ?? told['action']]);
          return Promise.resolve(outputs[(runs += 1) - 1] ?? {});
        },
      ],
    };
  };
  const own = (hookEventName: 'Elicitation' | 'ElicitationResult', more: object) => ({
    hookSpecificOutput: { hookEventName, ...more },
  });
  const properties = { name: { type: 'string' } };
  const { answers } = await askBack(
    ['One?', 'Two?', 'Three?', 'Four?'].map((text) => form(text, properties, ['name'])),
    {
      onElicitation: async () => ({ action: 'accept', content: { name: 'Ada' } }),
      hooks: {
        Elicitation: [
          saying([
            own('Elicitation', { action: 'accept', content: { name: 'Bot' } }),
            own('Elicitation', { action: 'accept', content: { name: 7 } }),
            { decision: 'block', reason: 'No.' },
          ]),
        ],
        ElicitationResult: [saying([{}, {}, {}, own('ElicitationResult', { action: 'cancel' })])],
      },
    },
  );
  expect(answers).toEqual([
    { action: 'accept', content: { name: 'Bot' } },
    { action: 'decline' },
    { action: 'decline' },
    { action: 'cancel' },
  ]);
  expect(noted).toEqual([
    ['Elicitation', 'One?'],
    ['ElicitationResult', 'accept'],
    ['Elicitation', 'Two?'],
    ['ElicitationResult', 'decline'],
    ['Elicitation', 'Three?'],
    ['ElicitationResult', 'decline'],
    ['Elicitation', 'Four?'],
    ['ElicitationResult', 'accept'],
  ]);
});
